//! A number of the shot with its name, unit and help; a wrong one is named beside it and not taken.

use crate::draft::Draft;
use eframe::egui::{DragValue, Response, Ui};

/// A field for a number.
pub struct Number<'a> {
    /// What it is called.
    pub name: &'a str,
    /// In what it is measured, or nothing.
    pub unit: &'a str,
    /// What it means.
    pub hint: &'a str,
    /// What a step of undo is called that changes it.
    pub step: &'static str,
    /// What has to be so, and what to say otherwise.
    pub rule: Rule,
}

/// What a number has to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// More than 0.
    Positive,
    /// At least 0.
    NotNegative,
    /// Between two bounds, without them.
    Between(f64, f64),
    /// Between two bounds, or one of them.
    Within(f64, f64),
    /// Any number at all.
    Finite,
}

impl Rule {
    /// What is wrong with a number.
    pub fn problem(self, value: f64) -> Option<String> {
        let (is_right, words) = match self {
            Self::Positive => (value > 0.0, "must be greater than 0".to_owned()),
            Self::NotNegative => (value >= 0.0, "must be at least 0".to_owned()),
            Self::Between(low, high) => {
                (low < value && value < high, format!("must be between {low} and {high}"))
            }
            Self::Within(low, high) => ((low..=high).contains(&value), format!("must be {low} to {high}")),
            Self::Finite => (true, String::new()),
        };
        match (value.is_finite(), is_right) {
            (true, true) => None,
            (true, false) => Some(words),
            (false, _) => Some("must be a finite number".to_owned()),
        }
    }
}

impl Number<'_> {
    /// Shows it; answers the field.
    pub fn show(&self, ui: &mut Ui, draft: &mut Draft, value: &mut f64) -> Response {
        let row = ui.horizontal(|ui| {
            let label = ui.label(self.name).on_hover_text(self.hint);
            let speed = if *value == 0.0 { 1e-3 } else { value.abs() * 0.01 };
            let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
            let field = DragValue::new(value).speed(speed).suffix(unit).max_decimals(9);
            let field = field.custom_formatter(|value, _| written(value));
            let field = ui.add(field).on_hover_text(self.hint).labelled_by(label.id);
            draft.field(&field, self.step);
            field
        });
        if let Some(problem) = self.rule.problem(*value) {
            draft.refuse(ui, &format!("{} {problem}, got {value}", self.name.trim()));
        }
        row.inner
    }
}

/// A number as people write it: powers of ten where it is very large or small.
fn written(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e6).contains(&size) { format!("{value:e}") } else { value.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_numbers_have_words_and_right_ones_none() {
        assert_eq!(Rule::Between(-1.0, 0.5).problem(0.45), None);
        assert!(Rule::Between(-1.0, 0.5).problem(0.5).unwrap().contains("between -1 and 0.5"));
        assert!(Rule::Positive.problem(0.0).is_some() && Rule::NotNegative.problem(0.0).is_none());
        assert!(Rule::Finite.problem(f64::NAN).is_some());
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([2e6, 0.45, 1000.0, 1e-5].map(written), ["2e6", "0.45", "1000", "1e-5"]);
    }
}
