//! What is remembered of the window from one start to the next: the theme, how large everything is, which panel is open,
//! how large the window is. Lines `name value` in a file of the program's own; what cannot be read is as at first.

use crate::tab::Tab;
use eframe::egui::{Context, Rect, ThemePreference, Vec2, vec2};
use std::path::PathBuf;
use supple_session::Home;

/// Seconds something has to stay as it is to be remembered: dragging an edge is not written down all the way.
const STAYS: f64 = 0.5;
/// The smallest and the largest window that is remembered, in points.
const SIZES: [f32; 2] = [300.0, 20_000.0];

/// What is remembered.
#[derive(Clone, Debug, PartialEq)]
struct Known {
    theme: ThemePreference,
    zoom: f32,
    panel: Tab,
    size: Option<Vec2>,
}

/// What is remembered, and where.
#[derive(Debug)]
pub struct Settings {
    file: PathBuf,
    known: Known,
    written: Known,
    since: f64,
}

impl Settings {
    /// What a home remembers.
    pub fn of(home: &Home) -> Self {
        let file = home.window();
        let known = Known::read(&std::fs::read_to_string(&file).unwrap_or_default());
        Self { file, written: known.clone(), known, since: 0.0 }
    }

    /// Makes a window look as it did.
    pub fn apply(&self, ctx: &Context) {
        if self.known.theme != ThemePreference::System {
            ctx.set_theme(self.known.theme);
        }
        if self.known.zoom != 1.0 {
            ctx.set_zoom_factor(self.known.zoom);
        }
    }

    /// The panel that was open.
    pub fn panel(&self) -> Tab {
        self.known.panel
    }

    /// How large the window was, in points.
    pub fn size(&self) -> Option<Vec2> {
        self.known.size
    }

    /// Takes in what has changed, and writes it down once it has stayed so for a moment.
    pub fn remember(&mut self, ctx: &Context, panel: Tab) {
        let theme = ctx.options(|options| options.theme_preference);
        let (zoom, now) = (ctx.zoom_factor(), ctx.input(|input| input.time));
        let inner: Option<Rect> = ctx.input(|input| input.viewport().inner_rect);
        let size = inner.map(|rect| rect.size() * zoom).filter(is_sound).or(self.known.size);
        let known = Known { theme, zoom, panel, size };
        if known != self.known {
            (self.known, self.since) = (known, now);
        }
        if self.known != self.written {
            if now - self.since >= STAYS {
                self.write();
            } else {
                ctx.request_repaint_after(std::time::Duration::from_secs_f64(STAYS));
            }
        }
    }

    /// Writes it down.
    pub fn write(&mut self) {
        if self.known == self.written {
            return;
        }
        self.written = self.known.clone();
        // What cannot be remembered is as at first the next time.
        if let Some(folder) = self.file.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = std::fs::write(&self.file, self.known.text());
    }
}

fn is_sound(size: &Vec2) -> bool {
    [size.x, size.y].iter().all(|x| (SIZES[0]..SIZES[1]).contains(x))
}

const THEMES: [(ThemePreference, &str); 3] =
    [(ThemePreference::Dark, "dark"), (ThemePreference::Light, "light"), (ThemePreference::System, "system")];

impl Known {
    fn read(text: &str) -> Self {
        let word = |name: &str| {
            let lines = text.lines().filter_map(|line| line.split_once(' '));
            lines.filter(|(key, _)| *key == name).map(|(_, value)| value.trim()).next_back()
        };
        let number =
            |name: &str| word(name).and_then(|word| word.parse::<f32>().ok()).filter(|x| x.is_finite());
        let theme = word("theme").and_then(|word| THEMES.iter().find(|(_, name)| *name == word));
        let size = number("width").zip(number("height")).map(|(x, y)| vec2(x, y)).filter(is_sound);
        Self {
            theme: theme.map_or(ThemePreference::System, |theme| theme.0),
            zoom: number("zoom").unwrap_or(1.0).clamp(0.6, 2.5),
            panel: word("panel").and_then(Tab::named).unwrap_or_default(),
            size,
        }
    }

    fn text(&self) -> String {
        let theme = THEMES.iter().find(|theme| theme.0 == self.theme).map_or("system", |theme| theme.1);
        let mut text = format!("theme {theme}\nzoom {}\npanel {}\n", self.zoom, self.panel.name());
        if let Some(size) = self.size {
            text += &format!("width {}\nheight {}\n", size.x, size.y);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_is_damaged_is_as_at_first() {
        let size = Some(vec2(1024.0, 700.5));
        let known = Known { theme: ThemePreference::Light, zoom: 1.25, panel: Tab::Report, size };
        assert_eq!(Known::read(&known.text()), known);
        let first = Known::read("");
        assert_eq!(first.panel, Tab::Handles);
        for damaged in ["theme pink\nzoom nan\npanel 7", "zoom", "width 1e9\nheight 2", "\u{0}\u{7f}"] {
            assert_eq!(Known::read(damaged), first, "{damaged:?}");
        }
        assert_eq!(Known::read("zoom 90").zoom, 2.5);
    }
}
