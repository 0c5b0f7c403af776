//! Contact sheets: every picture whole, in order, with its caption below.

use supple_render::{Image, RenderError, Sheet};

fn plain(width: u32, height: u32, colour: [u8; 3]) -> Image {
    let pixel = [colour[0], colour[1], colour[2], 255];
    Image { width, height, rgba: pixel.repeat((width * height) as usize) }
}

/// The box of all pixels of a colour: left, top, right, bottom, and whether it is filled.
fn place(image: &Image, colour: [u8; 3]) -> ([usize; 4], bool) {
    let width = image.width as usize;
    let found: Vec<[usize; 2]> = image
        .rgba
        .chunks(4)
        .enumerate()
        .filter(|(_, p)| p[..3] == colour)
        .map(|(i, _)| [i % width, i / width])
        .collect();
    let least = |axis: usize| found.iter().map(|p| p[axis]).min().unwrap_or(0);
    let most = |axis: usize| found.iter().map(|p| p[axis]).max().unwrap_or(0);
    let around = [least(0), least(1), most(0), most(1)];
    (around, found.len() == (around[2] - around[0] + 1) * (around[3] - around[1] + 1))
}

#[test]
fn pictures_stand_in_rows_and_captions_below() {
    let colours = [[200, 0, 0], [0, 200, 0], [0, 0, 200], [200, 200, 0], [0, 200, 200]];
    let mut sheet = Sheet { columns: Some(3), ..Sheet::new() };
    for (i, colour) in colours.into_iter().enumerate() {
        sheet.push(plain(60, 40, colour), format!("frame {i}"));
    }
    let image = sheet.image().unwrap();
    let places: Vec<[usize; 4]> = colours
        .iter()
        .map(|&colour| {
            let (around, filled) = place(&image, colour);
            assert!(filled && around[2] - around[0] == 59 && around[3] - around[1] == 39, "{around:?}");
            around
        })
        .collect();
    assert!(places[0][0] < places[1][0] && places[1][0] < places[2][0]);
    assert_eq!(places[3][0], places[0][0]);
    assert_eq!(places[0][1], places[2][1]);
    let gap = places[3][1] - places[0][3];
    assert!(gap > 15, "room for a caption");
    // Something is written under the first picture, and nothing where a sixth would be.
    let dark = |x: usize, y: usize| image.rgba[(y * image.width as usize + x) * 4] < 150;
    let [left, _, right, bottom] = places[0];
    assert!((left..right).any(|x| (bottom + 2..bottom + gap).any(|y| dark(x, y))));
    assert!(!(places[2][0]..places[2][2]).any(|x| (places[3][1]..image.height as usize).any(|y| dark(x, y))));
}

#[test]
fn a_sheet_is_about_as_wide_as_a_screen_and_smaller_pictures_are_in_the_middle() {
    let mut sheet = Sheet { title: "Title".to_owned(), ..Sheet::new() };
    (0..11).for_each(|_| sheet.push(plain(64, 36, [90, 90, 90]), ""));
    sheet.push(plain(32, 18, [250, 0, 250]), "a caption that is far too long for its picture");
    let image = sheet.image().unwrap();
    let aspect = f64::from(image.width) / f64::from(image.height);
    assert!((1.0..2.6).contains(&aspect), "{aspect}");
    let ([left, top, right, bottom], filled) = place(&image, [250, 0, 250]);
    assert!(filled && right - left == 31 && bottom - top == 17);
}

#[test]
fn nothing_and_too_much_are_errors() {
    assert!(matches!(Sheet::new().image(), Err(RenderError::ImageSize { width: 0, height: 0 })));
    let mut sheet = Sheet { columns: Some(usize::MAX), ..Sheet::new() };
    (0..300).for_each(|_| sheet.push(plain(64, 1, [0; 3]), ""));
    assert!(matches!(sheet.image(), Err(RenderError::ImageSize { .. })));
    sheet.columns = Some(0);
    assert!(sheet.image().is_ok());
}
