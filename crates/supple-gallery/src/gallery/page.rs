//! The page: sections of text, pictures and numbers, as Markdown.

use serde::Serialize;
use std::fmt::Write;
use supple_model::text::{count, number};

/// What an example shows and measured.
#[derive(Default, Serialize)]
pub struct Section {
    pub name: &'static str,
    pub title: &'static str,
    /// Where it is in the paper.
    pub figure: &'static str,
    pub seconds: f64,
    /// Files beside the page, pictures first.
    pub files: Vec<String>,
    pub numbers: Vec<Number>,
    /// Paragraphs and pictures, in their order.
    #[serde(skip)]
    pub blocks: Vec<Block>,
}

/// A piece of a section.
pub enum Block {
    Text(String),
    /// A picture and what it shows; the drawing it is of, if it is a plot.
    Picture {
        file: String,
        words: String,
        drawing: Option<String>,
    },
    /// The head of a table and its rows.
    Table(Vec<String>, Vec<Vec<String>>),
}

/// A number that was measured.
#[derive(Serialize)]
pub struct Number {
    pub name: String,
    pub value: f64,
    pub unit: &'static str,
    /// What the paper says.
    pub published: Option<String>,
    /// Whether a table of its section shows it already.
    #[serde(skip)]
    pub tabled: bool,
}

impl Number {
    /// The number with its unit.
    pub fn text(&self) -> String {
        let value = if self.value.fract() == 0.0 && self.value.abs() < 1e9 {
            let sign = if self.value < 0.0 { "-" } else { "" };
            format!("{sign}{}", count(self.value.abs() as usize))
        } else {
            short(self.value)
        };
        if self.unit.is_empty() { value } else { format!("{value} {}", self.unit) }
    }
}

/// Three digits are enough for eyes; the file beside the page has them all.
pub fn short(value: f64) -> String {
    if value != 0.0 && value.abs() < 0.01 { format!("{value:.1e}") } else { number(rounded(value)) }
}

fn rounded(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let unit = 10_f64.powi(2 - value.abs().log10().floor() as i32);
    (value * unit).round() / unit
}

impl Section {
    pub fn text(&mut self, words: impl Into<String>) {
        self.blocks.push(Block::Text(words.into()));
    }

    pub fn number(&mut self, name: impl Into<String>, value: f64, unit: &'static str) {
        self.numbers.push(Number { name: name.into(), value, unit, published: None, tabled: false });
    }

    /// A number that a table of the section shows.
    pub fn tabled(&mut self, name: impl Into<String>, value: f64, unit: &'static str) {
        self.numbers.push(Number { name: name.into(), value, unit, published: None, tabled: true });
    }

    /// A number with what the paper says of it.
    pub fn published(&mut self, name: impl Into<String>, value: f64, unit: &'static str, paper: &str) {
        let published = Some(paper.into());
        self.numbers.push(Number { name: name.into(), value, unit, published, tabled: false });
    }

    pub fn table(&mut self, head: &[&str], rows: Vec<Vec<String>>) {
        self.blocks.push(Block::Table(head.iter().map(|cell| (*cell).to_owned()).collect(), rows));
    }

    fn markdown(&self, out: &mut String) {
        // Writing to a string cannot fail.
        let _ =
            writeln!(out, "\n## {}\n\n*{}; `supple gallery -o DIR {}`*", self.title, self.figure, self.name);
        for block in &self.blocks {
            out.push('\n');
            match block {
                Block::Text(words) => {
                    let _ = writeln!(out, "{words}");
                }
                Block::Picture { file, words, drawing } => {
                    let _ = write!(out, "![{words}]({file})\n\n{words}");
                    let _ = match drawing {
                        Some(drawing) => writeln!(out, " ([SVG]({drawing}))"),
                        None => writeln!(out),
                    };
                }
                Block::Table(head, rows) => table(out, head, rows),
            }
        }
        let listed: Vec<&Number> = self.numbers.iter().filter(|number| !number.tabled).collect();
        if !listed.is_empty() {
            out.push('\n');
            let published = listed.iter().any(|number| number.published.is_some());
            let mut head = vec!["measured".to_owned(), "here".to_owned()];
            head.extend(published.then(|| "published".to_owned()));
            let rows = listed.iter().map(|number| {
                let mut row = vec![number.name.clone(), number.text()];
                row.extend(published.then(|| number.published.clone().unwrap_or_else(|| "–".into())));
                row
            });
            table(out, &head, &rows.collect::<Vec<_>>());
        }
    }
}

fn table(out: &mut String, head: &[String], rows: &[Vec<String>]) {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    out.push_str(&line(head));
    out.push_str(&line(&vec!["---".to_owned(); head.len()]));
    rows.iter().for_each(|row| out.push_str(&line(row)));
}

/// The whole page.
pub fn markdown(sections: &[Section], seconds: f64) -> String {
    let mut out = String::from(
        "# Gallery\n\nThe figures of Barbič, Sin and Grinspun, *Interactive Editing of Deformable Simulations* \
         (2012), those of Barbič, da Silva and Popović, *Deformable Object Animation Using Reduced Optimal \
         Control* (2009), those of Schulz, von Tycowicz, Seidel and Hildebrandt, *Animating Deformable Objects Using \
         Sparse Spacetime Constraints* (2014), those of Li, Huang, de Goes, Jin, Bao and Desbrun, *Space-Time Editing of Elastic \
         Motion through Material Optimization and Reduction* (2014), and those of Gleicher, *Motion Editing with Spacetime Constraints* (1997), \
         again, on the built-in bodies. Every picture and number here was computed by \
         `supple gallery`; the numbers with all their digits are in [numbers.json](numbers.json). \
         Unless a section says otherwise, handles hold on the warped motion. \
         Frames are counted from 0, those of Gleicher's figures from 1.\n",
    );
    sections.iter().for_each(|section| section.markdown(&mut out));
    let threads = rayon::current_num_threads();
    let _ = writeln!(out, "\n---\n{seconds:.0} s in total, {threads} threads.");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        let text = |value: f64, unit| {
            Number { name: String::new(), value, unit, published: None, tabled: false }.text()
        };
        assert_eq!(text(1281.0, ""), "1,281");
        assert_eq!(text(-3.0, "%"), "-3 %");
        assert_eq!(text(44.987_65, "°"), "45 °");
        assert_eq!(text(0.1234, "m"), "0.123 m");
        assert_eq!(text(0.000_123_4, ""), "1.2e-4");
        assert_eq!(text(0.0, ""), "0");
    }

    #[test]
    fn a_section_is_a_heading_its_blocks_and_its_numbers() {
        let mut section = Section { name: "a", title: "A", figure: "Figure 1", ..Section::default() };
        section.text("Words.");
        section.number("angle", 45.0, "°");
        let page = markdown(&[section], 1.0);
        assert!(page.contains("\n## A\n\n*Figure 1; `supple gallery -o DIR a`*\n\nWords.\n"), "{page}");
        assert!(page.contains("\n| measured | here |\n| --- | --- |\n| angle | 45 ° |\n"), "{page}");
    }
}
