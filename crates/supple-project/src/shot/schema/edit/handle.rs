//! `[[edit.handle]]`: what is asked of some points at some frames.

use super::{Goal, Method, Site, When};
use crate::shot::describe::*;
use crate::shot::entry::decimal;

/// `[[edit.handle]]`: this point at this frame shall be there.
#[derive(Clone, Debug, PartialEq)]
pub struct Handle {
    /// When.
    pub when: When,
    /// What is held.
    pub site: Site,
    /// What is asked of it.
    pub goal: Goal,
    /// How firmly. Without: see [`Handle::firmness`].
    pub hold: Option<Hold>,
    /// What a site of several points means. Without: their mean.
    pub points: Option<Together>,
    /// The coordinates that are asked for. Without: all three.
    pub axes: Option<Axes>,
    /// The site is seen from this one: `to` is where it is from there, `by` how much farther away.
    pub relative_to: Option<Site>,
    /// The layer of a character that answers it. Without: the edit below all layers.
    pub layer: Option<String>,
    /// The thing it is on: handles with one name are moved as one.
    pub prop: Option<String>,
    /// Whether it is left alone for now.
    pub muted: Option<bool>,
}

table!([Handle] {
    when: part,
    site: part,
    goal: part,
    hold: optional,
    points: optional,
    axes: optional,
    relative_to: optional,
    layer: optional,
    prop: optional,
    muted: optional,
});

impl Handle {
    /// How firmly `sparse` holds points one by one where nothing is said: they are more than its modes can meet.
    pub const EACH: f64 = 1e4;

    /// A handle on all coordinates of the mean of its points.
    #[must_use]
    pub fn new(when: When, site: Site, goal: Goal) -> Self {
        Self {
            when,
            site,
            goal,
            hold: None,
            points: None,
            axes: None,
            relative_to: None,
            layer: None,
            prop: None,
            muted: None,
        }
    }

    /// How firmly a method holds it, whether or not it says so: hard, but for [`Self::EACH`] of `sparse`.
    #[must_use]
    pub fn firmness(&self, method: Method) -> Hold {
        let plain = match (method, self.points) {
            (Method::Sparse, Some(Together::Each)) => Hold::Soft(Self::EACH),
            _ => Hold::Hard,
        };
        self.hold.unwrap_or(plain)
    }
}

/// `points`: what a handle on several points holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Together {
    /// Their mean: masses weigh those of the body, those of the skin count alike.
    #[default]
    Mean,
    /// Each of them, all moved alike.
    Each,
}

words!(Together { Mean = "mean", Each = "each" });

/// `axes`: the coordinates a handle asks for, as the letters of their axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes(pub [bool; 3]);

impl Axes {
    fn letters(self) -> String {
        "xyz".chars().zip(self.0).filter_map(|(letter, asked)| asked.then_some(letter)).collect()
    }

    fn parse(text: &str) -> Option<Self> {
        let mut axes = [false; 3];
        for letter in text.chars() {
            let axis = "xyz".find(letter)?;
            if std::mem::replace(&mut axes[axis], true) {
                return None;
            }
        }
        axes.contains(&true).then_some(Self(axes))
    }
}

plain!(
    Axes,
    |field| {
        let text = field.text()?;
        Self::parse(text)
            .ok_or_else(|| field.bad(format!("cannot be {text:?}; write axes as \"x\" or \"xz\"")))
    },
    |axes| axes.letters()
);

/// `hold`: how firmly a handle holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Hold {
    /// `hard`: exactly.
    #[default]
    Hard,
    /// Softly, by h > 0: alone it misses 1/(1 + h) of what it asks, on any body.
    Soft(f64),
}

plain!(
    Hold,
    |field| Ok(field.number_or("hard", "\"hard\" or a number")?.map_or(Self::Hard, Self::Soft)),
    |hold| match hold {
        Self::Hard => Value::from("hard"),
        Self::Soft(weight) => decimal(*weight),
    }
);
