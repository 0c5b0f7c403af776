//! Plots: curves where they belong, in the picture as in the SVG, and any numbers survived.

use supple_render::{Colour, Image, Look, Plot, RenderError, Rule, Scale, Series};

fn pixel(image: &Image, x: usize, y: usize) -> [u8; 3] {
    let start = (y * image.width as usize + x) * 4;
    [image.rgba[start], image.rgba[start + 1], image.rgba[start + 2]]
}

/// Pixels that are more red than anything else, as (x, y).
fn red_pixels(image: &Image) -> Vec<(usize, usize)> {
    let width = image.width as usize;
    (0..image.rgba.len() / 4)
        .map(|i| (i % width, i / width))
        .filter(|&(x, y)| {
            let [r, g, _] = pixel(image, x, y);
            r > g.saturating_add(60)
        })
        .collect()
}

const RED: Colour = Colour::rgb(255, 0, 0);

fn series(points: impl IntoIterator<Item = [f64; 2]>) -> Series {
    Series { colour: Some(RED), ..Series::line("", points) }
}

/// Every tag is closed by its own name, every attribute is quoted, every `&` begins an entity.
fn check_well_formed(svg: &str) -> usize {
    let mut open: Vec<&str> = Vec::new();
    let mut elements = 0;
    let mut rest = svg;
    while let Some(start) = rest.find('<') {
        check_text(&rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or("");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else {
            elements += 1;
            let inside = tag[name.len()..].trim_end_matches('/');
            let parts: Vec<&str> = inside.split('"').collect();
            assert!(parts.len() % 2 == 1, "{tag}");
            for (i, part) in parts.iter().enumerate() {
                if i % 2 == 1 {
                    check_text(part);
                } else if i + 1 < parts.len() {
                    assert!(part.ends_with('='), "{tag}");
                } else {
                    assert_eq!(*part, "");
                }
            }
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = &rest[end + 1..];
    }
    assert_eq!((open.len(), rest.trim()), (0, ""));
    elements
}

fn check_text(text: &str) {
    assert!(!text.contains(['>', '\u{0}', '\u{1b}', '\u{ffff}']));
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    for entity in text.split('&').skip(1) {
        assert!(["amp;", "lt;", "gt;", "quot;"].iter().any(|known| entity.starts_with(known)), "{text}");
    }
}

#[test]
fn a_line_lands_on_its_gridlines() {
    // From corner to corner of a range that is kept: the curve's box is that of the axes.
    let mut plot = Plot::new("");
    plot.series.push(series([[0.0, 0.0], [10.0, 10.0]]));
    let image = plot.image(400, 300).unwrap();
    let line = red_pixels(&image);
    let (first, last) = (line.iter().min().unwrap(), line.iter().max().unwrap());
    // Half way along x it is half way up.
    let middle = (first.0 + last.0) / 2;
    let rows: Vec<usize> = line.iter().filter(|p| p.0 == middle).map(|p| p.1).collect();
    let height = rows.iter().sum::<usize>() as f64 / rows.len() as f64;
    assert!((height - (first.1 + last.1) as f64 / 2.0).abs() < 1.5);
    assert!(last.0 - first.0 > 300 && first.1 - last.1 > 200, "{first:?} to {last:?}");
    // The same places in the SVG.
    let svg = plot.svg(400, 300);
    let path = svg.split("<path d=\"").find(|path| path.contains("#ff0000")).unwrap();
    let numbers: Vec<f64> =
        path.split(['M', 'L', ' ', '"']).filter_map(|word| word.parse().ok()).take(4).collect();
    assert!((numbers[0] - first.0 as f64).abs() < 2.5 && (numbers[1] - first.1 as f64).abs() < 2.5);
    assert!((numbers[2] - last.0 as f64).abs() < 2.5 && (numbers[3] - last.1 as f64).abs() < 2.5);
}

#[test]
fn equal_ratios_are_equally_far_on_a_logarithmic_axis() {
    let mut plot = Plot::new("");
    plot.x.scale = Scale::Log10;
    plot.series.push(Series { look: Look::Points, ..series([[1.0, 1.0], [100.0, 1.0], [1e4, 1.0]]) });
    let image = plot.image(500, 200).unwrap();
    let mut columns: Vec<usize> = red_pixels(&image).into_iter().map(|p| p.0).collect();
    columns.sort_unstable();
    columns.dedup();
    let discs: Vec<f64> = columns
        .chunk_by(|a, b| b - a == 1)
        .map(|disc| disc.iter().sum::<usize>() as f64 / disc.len() as f64)
        .collect();
    assert_eq!(discs.len(), 3);
    assert!((discs[2] - 2.0 * discs[1] + discs[0]).abs() < 1.1, "{discs:?}");
}

#[test]
fn a_gap_is_left_where_there_is_no_value_and_dashes_cover_half() {
    let values = |hole: bool| {
        (0..=100).map(move |i| [f64::from(i), if hole && (40..=60).contains(&i) { f64::NAN } else { 1.0 }])
    };
    let area = |series: Series| {
        let mut plot = Plot::new("");
        plot.series.push(series);
        red_pixels(&plot.image(600, 200).unwrap()).len() as f64
    };
    let whole = area(series(values(false)));
    let gap = area(series(values(true))) / whole;
    let dashed = area(Series { dashed: true, ..series(values(false)) }) / whole;
    assert!((0.75..0.81).contains(&gap), "{gap}");
    assert!((0.4..0.8).contains(&dashed), "{dashed}");
}

#[test]
fn a_range_cuts_the_curve_at_the_axes() {
    let mut plot = Plot::new("");
    plot.x.range = Some([0.0, 1.0]);
    plot.y.range = Some([0.0, 1.0]);
    plot.series.push(series([[-1e12, 0.5], [1e12, 0.5]]));
    plot.series.push(series([[0.5, 2.0], [0.5, 3.0]]));
    let line = red_pixels(&plot.image(300, 200).unwrap());
    assert!(line.len() > 200);
    assert!(line.iter().all(|&(x, y)| (8..296).contains(&x) && (90..110).contains(&y)), "{line:?}");
}

#[test]
fn text_is_escaped_and_the_document_well_formed() {
    let mut plot = Plot::new("a < b & \"c\" > d\u{0}\u{1b}[31m\u{ffff}\nnext");
    plot.x.label = "x & y".to_owned();
    plot.y.label = "]]> --".to_owned();
    plot.series.push(Series { look: Look::Both, ..Series::line("<b>", [[0.0, 1.0], [1.0, 2.0]]) });
    plot.verticals.push(Rule::new(0.5, "h&ndle"));
    plot.horizontals.push(Rule::new(1.5, "<limit>"));
    let svg = plot.svg(640, 400);
    assert!(check_well_formed(&svg) > 15);
    for words in ["a &lt; b &amp; &quot;c&quot;", "x &amp; y", "&lt;b&gt;", "h&amp;ndle", "&lt;limit&gt;"] {
        assert!(svg.contains(words), "{words}");
    }
    plot.image(640, 400).unwrap();
}

#[test]
fn no_numbers_make_it_panic() {
    let awkward = [
        0.0,
        -0.0,
        5e-324,
        1e-300,
        -1.0,
        1.0,
        1.0 + 1e-15,
        1e15,
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NAN,
    ];
    let mut state = 3_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    for _ in 0..400 {
        let mut number = || awkward[draw() as usize % awkward.len()];
        let mut plot = Plot::new("numbers");
        plot.x.range = Some([number(), number()]);
        plot.y.range = Some([number(), number()]);
        for length in [0, 1, 2, 5] {
            plot.series.push(Series::line("s", (0..length).map(|_| [number(), number()])));
        }
        plot.verticals.push(Rule::new(number(), "v"));
        plot.horizontals.push(Rule::new(number(), "h"));
        plot.x.scale = if draw() % 2 == 0 { Scale::Linear } else { Scale::Log10 };
        plot.y.scale = if draw() % 2 == 0 { Scale::Linear } else { Scale::Log10 };
        plot.series[3].dashed = draw() % 2 == 0;
        plot.series[2].look = if draw() % 2 == 0 { Look::Both } else { Look::Points };
        let (width, height) = [(1, 1), (7, 200), (120, 80), (300, 9)][draw() as usize % 4];
        assert_eq!(plot.image(width, height).unwrap().rgba.len() as u32, width * height * 4);
        check_well_formed(&plot.svg(width, height));
    }
    assert!(matches!(Plot::new("").image(0, 5), Err(RenderError::ImageSize { width: 0, height: 5 })));
}

#[test]
fn empty_constant_and_lonely_series_are_plots_too() {
    for points in [vec![], vec![[3.0, 4.0]], vec![[0.0, 7.0], [1.0, 7.0], [2.0, 7.0]]] {
        let mut plot = Plot::new("");
        let empty = points.is_empty();
        plot.series.push(series(points));
        let image = plot.image(200, 150).unwrap();
        assert_eq!(red_pixels(&image).is_empty(), empty);
    }
}

#[test]
fn a_golden_plot() {
    // Mean green of 5 x 4 blocks; a little is left for rounding in the mathematical library.
    let mut plot = Plot::new("Golden");
    plot.x.label = "frame".to_owned();
    plot.y.label = "height (m)".to_owned();
    plot.series.push(Series::line("sine", (0..=60).map(|i| [f64::from(i), (f64::from(i) / 8.0).sin()])));
    plot.verticals.push(Rule::new(20.0, "key"));
    let image = plot.image(200, 160).unwrap();
    let block = |i: usize, j: usize| {
        let pixels = (0..40).flat_map(|y| (0..40).map(move |x| (x, y)));
        pixels.map(|(x, y)| f64::from(pixel(&image, i * 40 + x, j * 40 + y)[1])).sum::<f64>() / 1600.0
    };
    let found: Vec<Vec<f64>> = (0..4).map(|j| (0..5).map(|i| block(i, j)).collect()).collect();
    let golden = [
        [241.2, 252.8, 255.0, 255.0, 255.0],
        [245.6, 245.5, 250.1, 253.4, 251.2],
        [250.9, 250.5, 248.6, 248.9, 252.8],
        [250.4, 246.2, 242.6, 244.7, 248.8],
    ];
    for (a, b) in found.iter().flatten().zip(golden.iter().flatten()) {
        assert!((a - b).abs() < 0.3, "{found:.1?}");
    }
}

#[test]
fn the_legend_stands_above_the_data_however_many_names_it_has() {
    // Reported as: the legend covered the curves. Each series fills its plot to the top, and the names need several rows.
    let mut plot = Plot::new("Title");
    for name in 0..12 {
        let named = format!("a rather long name of series {name}");
        plot.series.push(Series::line(&named, [[0.0, 0.0], [1.0, 1.0], [2.0, 0.0]]));
    }
    plot.y.range = Some([0.0, 1.0]);
    let svg = plot.svg(640, 480);
    let attribute = |tag: &str, name: &str| -> f64 {
        let value = tag.split(&format!(" {name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
        value.and_then(|value| value.parse().ok()).expect("a number")
    };
    let lowest_name = svg
        .split("<text")
        .filter(|tag| tag.contains("rather long"))
        .map(|tag| attribute(tag, "y"))
        .fold(0.0, f64::max);
    // Of the paths with three corners, which are the curves, the highest point.
    let heights = |path: &str| -> Vec<f64> {
        let d = path.split('"').next().unwrap_or("");
        let numbers = d.split(['M', 'L', ' ']).filter_map(|word| word.parse().ok());
        numbers.collect::<Vec<f64>>().chunks(2).map(|p| p[1]).collect()
    };
    let curves: Vec<Vec<f64>> =
        svg.split("<path d=\"").skip(1).map(heights).filter(|path| path.len() == 3).collect();
    assert_eq!(curves.len(), 12);
    let highest = curves.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    assert!(lowest_name > 40.0 && lowest_name < highest, "{lowest_name} {highest}");
}
