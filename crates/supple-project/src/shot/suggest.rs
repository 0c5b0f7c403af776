//! "Did you mean …?" for misspelt keys and words.

/// Below this the nearest name is not what was meant.
const SIMILAR: f64 = 0.8;

/// The one of `known` that `word` was meant to be.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    // Jaro–Winkler favours a common beginning, so `youngs_modulus` finds `young`; names of joints have capitals.
    let word = word.to_lowercase();
    known
        .iter()
        .map(|name| (strsim::jaro_winkler(&word, &name.to_lowercase()), *name))
        .filter(|(similarity, _)| *similarity >= SIMILAR)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// Keys that have another place now.
const MOVED: [(&str, &str); 1] = [("wiggle_free", "it is now a key of [edit.expert]")];

/// What to tell someone who wrote `word` where one of `known` belongs.
pub(crate) fn advice(word: &str, known: &[&str]) -> String {
    if let Some((_, place)) = MOVED.iter().find(|(moved, _)| *moved == word) {
        return (*place).to_owned();
    }
    match nearest(word, known) {
        Some(name) => format!("did you mean `{name}`?"),
        None => {
            format!("known: {}", known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::advice;

    #[test]
    fn misspellings_find_their_key_and_strangers_find_the_list() {
        let known = ["young", "poisson", "density"];
        for (word, meant) in [
            ("yung", "young"),
            ("Young", "young"),
            ("youngs_modulus", "young"),
            ("possion", "poisson"),
            ("densty", "density"),
        ] {
            assert_eq!(advice(word, &known), format!("did you mean `{meant}`?"));
        }
        assert_eq!(advice("colour", &known), "known: `young`, `poisson`, `density`");
        assert_eq!(advice("", &known), "known: `young`, `poisson`, `density`");
    }
}
