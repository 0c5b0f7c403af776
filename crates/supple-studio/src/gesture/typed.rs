//! Numbers that are typed while something is in the hand, as in Blender: G X 1.5 Enter.
//!
//! Digits go into a field, Tab goes to the next one, minus turns the sign wherever it is typed. As long as anything is
//! typed the mouse does not count.

/// What was typed, a field for each direction the hand may go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    fields: [Field; 3],
    at: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Field {
    digits: String,
    is_negative: bool,
}

impl Field {
    fn is_empty(&self) -> bool {
        self.digits.is_empty() && !self.is_negative
    }

    fn text(&self) -> String {
        format!("{}{}", if self.is_negative { "-" } else { "" }, self.digits)
    }

    fn number(&self) -> f64 {
        // A lone point or sign is the begin of a number, not a mistake.
        let number = self.digits.parse().unwrap_or(0.0);
        if self.is_negative { -number } else { number }
    }
}

impl Typed {
    /// Whether nothing is typed, and the mouse counts.
    pub fn is_empty(&self) -> bool {
        self.fields.iter().all(Field::is_empty)
    }

    /// Takes a character in; answers whether it is one of numbers.
    pub fn push(&mut self, character: char) -> bool {
        let field = &mut self.fields[self.at];
        match character {
            '0'..='9' => field.digits.push(character),
            '.' | ',' if !field.digits.contains('.') => field.digits.push('.'),
            '.' | ',' => {}
            '-' => field.is_negative = !field.is_negative,
            _ => return false,
        }
        true
    }

    /// Takes the last character back.
    pub fn back(&mut self) {
        let field = &mut self.fields[self.at];
        if field.digits.pop().is_none() {
            field.is_negative = false;
        }
    }

    /// Goes to the next of so many fields.
    pub fn next(&mut self, count: usize) {
        self.at = (self.at + 1) % count.max(1);
    }

    /// Keeps the first of so many fields, for a hand that may go elsewhere now.
    pub fn keep(&mut self, count: usize) {
        self.fields.iter_mut().skip(count).for_each(|field| *field = Field::default());
        self.at = self.at.min(count.saturating_sub(1));
    }

    /// The numbers, 0 where nothing was typed.
    pub fn numbers(&self) -> [f64; 3] {
        [0, 1, 2].map(|k| self.fields[k].number())
    }

    /// A field as it is shown, with a mark where typing goes on.
    pub fn text(&self, field: usize) -> String {
        let mark = if field == self.at { "|" } else { "" };
        format!("{}{mark}", self.fields[field].text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Typed {
        let mut typed = Typed::default();
        for character in text.chars() {
            match character {
                '\t' => typed.next(3),
                '<' => typed.back(),
                _ => assert!(typed.push(character), "{character}"),
            }
        }
        typed
    }

    #[test]
    fn numbers_are_read_as_they_are_typed() {
        assert_eq!(typed("1.5").numbers(), [1.5, 0.0, 0.0]);
        assert_eq!(typed("1,5.2").numbers(), [1.52, 0.0, 0.0], "either point, and only one");
        assert_eq!(typed("2-").numbers(), [-2.0, 0.0, 0.0], "the sign goes anywhere");
        assert_eq!(typed("-2-").numbers(), [2.0, 0.0, 0.0], "and comes off again");
        assert_eq!(typed("-.").numbers(), [0.0; 3]);
        assert_eq!(typed("1\t2\t3\t4").numbers(), [14.0, 2.0, 3.0], "round and round");
        assert!(!Typed::default().push('x'));
    }

    #[test]
    fn what_is_taken_back_gives_the_mouse_back() {
        assert!(typed("-1<<").is_empty() && !typed("-1<").is_empty());
        let mut both = typed("1\t2");
        both.keep(1);
        assert_eq!((both.numbers(), both.text(0)), ([1.0, 0.0, 0.0], "1|".to_owned()));
    }
}
