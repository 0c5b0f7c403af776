//! Colour bars: what the colours mean, with numbers.

use crate::colour_map::ColourMap;
use crate::image::Image;
use crate::scene::Scene;
use crate::text::Text;

/// Height of a bar as a share of the picture's.
const BAR_HEIGHT: f64 = 0.42;
/// Ticks: both ends and three between.
const TICKS: usize = 5;

/// One bar: everything that tells it from another.
#[derive(PartialEq)]
struct Legend<'a> {
    map: ColourMap,
    range: [f64; 2],
    label: &'a str,
}

/// Draws a bar for each kind of scalar colours in the scene, from the right edge to the left.
pub(crate) fn draw(image: &mut Image, scene: &Scene<'_>) {
    let mut legends: Vec<Legend<'_>> = Vec::new();
    for scalars in scene.objects.iter().filter_map(|object| object.scalars.as_ref()) {
        let legend = Legend { map: scalars.map, range: scalars.range(), label: &scalars.label };
        if !legends.contains(&legend) {
            legends.push(legend);
        }
    }
    let text = Text::for_picture(image.height, &scene.style);
    let mut right = f64::from(image.width) - text.cap_height * 1.6;
    for legend in &legends {
        right -= legend.draw(image, &text, right) + text.cap_height * 2.0;
        if right < 0.0 {
            break;
        }
    }
}

impl Legend<'_> {
    /// Draws the bar with its right side at `right` and returns how wide it is.
    fn draw(&self, image: &mut Image, text: &Text, right: f64) -> f64 {
        let cap = text.cap_height;
        let numbers: Vec<String> = (0..TICKS).map(|tick| number(self.value(tick), self.range)).collect();
        let widest = numbers.iter().map(|n| text.width(n)).fold(0.0, f64::max);
        let (bar_width, gap) = ((cap * 1.3).round(), cap * 0.6);
        let width = (bar_width + gap + widest).max(text.width(self.label));
        let left = (right - width).round();
        let bar_height = (f64::from(image.height) * BAR_HEIGHT).round();
        let top = ((f64::from(image.height) - bar_height) / 2.0).round();

        text.draw(image, self.label, left, top - text.line_height() - cap * 0.3);
        for y in 0..bar_height as i64 {
            let t = 1.0 - y as f64 / (bar_height - 1.0).max(1.0);
            let light = self.map.light(t);
            for x in 0..bar_width as i64 {
                image.blend(left as i64 + x, top as i64 + y, light, 1.0);
            }
        }
        for (tick, number) in numbers.iter().enumerate() {
            let up = tick as f64 / (TICKS - 1) as f64;
            let y = top + bar_height * (1.0 - up) - cap / 2.0;
            text.draw(image, number, left + bar_width + gap, y);
        }
        width
    }

    fn value(&self, tick: usize) -> f64 {
        let up = tick as f64 / (TICKS - 1) as f64;
        self.range[0] * (1.0 - up) + self.range[1] * up
    }
}

/// A tick's value with about three digits of the range it belongs to.
fn number(value: f64, [low, high]: [f64; 2]) -> String {
    let largest = low.abs().max(high.abs());
    if largest == 0.0 {
        return "0".to_owned();
    }
    let magnitude = largest.log10().floor();
    if (-3.0..5.0).contains(&magnitude) {
        let decimals = (2.0 - magnitude).max(0.0) as usize;
        let digits = format!("{value:.decimals$}");
        // A zero that was rounded from below keeps no sign.
        if digits.trim_matches(['-', '0', '.']).is_empty() { "0".to_owned() } else { digits }
    } else if value == 0.0 {
        "0".to_owned()
    } else {
        format!("{value:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_of_their_range() {
        assert_eq!(number(0.5, [0.0, 1.0]), "0.50");
        assert_eq!(number(-12.345, [-20.0, 20.0]), "-12.3");
        assert_eq!(number(1234.5, [0.0, 2000.0]), "1234");
        assert_eq!(number(-1e-9, [-1.0, 1.0]), "0");
        assert_eq!(number(0.0, [0.0, 0.0]), "0");
        assert_eq!(number(2.5e-7, [0.0, 5e-7]), "2.50e-7");
        assert_eq!(number(0.0, [0.0, 5e9]), "0");
        assert_eq!(number(5e9, [0.0, 5e9]), "5.00e9");
    }
}
