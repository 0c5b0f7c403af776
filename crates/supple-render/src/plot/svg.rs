//! A drawing as SVG.

use std::fmt::Write;

use super::drawing::{Anchor, Drawing, Shape};
use crate::colour::Colour;
use crate::stroke::Point;

/// Height of a capital letter as a share of the font's size, in the usual sans-serif fonts.
const CAP_SHARE: f64 = 0.716;

pub(super) fn document(drawing: &Drawing) -> String {
    let (width, height) = (drawing.width, drawing.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica, Arial, sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for shape in &drawing.shapes {
        write(&mut out, shape);
    }
    out.push_str("</svg>\n");
    out
}

fn write(out: &mut String, shape: &Shape) {
    match shape {
        Shape::Lines { paths, width, colour } => {
            let path: String = paths.iter().map(|path| steps(path)).collect();
            if !path.is_empty() {
                push(
                    out,
                    format_args!(
                        "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width:.2}\" \
                         stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n",
                        hex(*colour)
                    ),
                );
            }
        }
        Shape::Dots { centres, radius, colour } => {
            for [x, y] in centres {
                push(
                    out,
                    format_args!(
                        "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{:.2}\" fill=\"{}\" stroke=\"#ffffff\" \
                         stroke-width=\"{:.2}\"/>\n",
                        radius * 1.15,
                        hex(*colour),
                        radius * 0.3
                    ),
                );
            }
        }
        Shape::Words { words, at: [x, y], anchor, cap_height, colour } => {
            let anchor = match anchor {
                Anchor::Start => "start",
                Anchor::Middle => "middle",
                Anchor::End => "end",
            };
            push(
                out,
                format_args!(
                    "<text x=\"{x:.2}\" y=\"{:.2}\" text-anchor=\"{anchor}\" font-size=\"{:.2}\" \
                     fill=\"{}\" stroke=\"#ffffff\" stroke-width=\"{:.2}\" stroke-opacity=\"0.6\" \
                     paint-order=\"stroke\">{}</text>\n",
                    y + cap_height,
                    cap_height / CAP_SHARE,
                    hex(*colour),
                    cap_height * 0.3,
                    escaped(words)
                ),
            );
        }
    }
}

/// Writing to a string cannot fail.
fn push(out: &mut String, words: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(words);
}

/// `M` to the first point, `L` to the others; a point that rounds to the one before is left out.
fn steps(path: &[Point]) -> String {
    let mut out = String::new();
    let mut last = None;
    for [x, y] in path {
        let place = format!("{x:.2} {y:.2}");
        if last.as_ref() != Some(&place) {
            out.push(if last.is_none() { 'M' } else { 'L' });
            out.push_str(&place);
            last = Some(place);
        }
    }
    out
}

fn hex(Colour { r, g, b }: Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Text that XML allows and reads back as it was. Noncharacters have no place in XML at all.
fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
