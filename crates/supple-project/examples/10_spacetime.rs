//! Under the edits: a pull on two modes at one frame, solved exactly over all frames, with and without a second handle.

use std::error::Error;
use std::sync::Arc;
use supple_spacetime::{Constraints, HandleId, Kernel, Order, Oscillator, Row, Settings};

fn main() -> Result<(), Box<dyn Error>> {
    // A slow mode and a fast one, over 48 frames of 1/24 s.
    let modes = [Oscillator { eigenvalue: 16.0, delta: 0.2 }, Oscillator { eigenvalue: 400.0, delta: 1.0 }];
    let kernel = Arc::new(Kernel::new(&modes, Settings::new(48, 1.0 / 24.0))?);
    // A point sees both modes: its rows of U.
    let point = vec![0.8, -0.3];
    let mut constraints = Constraints::new(kernel);
    constraints.add(HandleId(1), vec![Row::position(24, point.clone(), 1.0)])?;
    let one = constraints.solve();
    // It shall be back where it was at frame 30.
    constraints.add(HandleId(2), vec![Row::position(30, point.clone(), 0.0)])?;
    let two = constraints.solve();

    println!("frame  one handle  two handles");
    for frame in (0..48).step_by(6) {
        let [one, two] = [&one, &two].map(|edit| {
            let mut z = [0.0; 2];
            edit.path.at(frame, Order::Position, &mut z);
            point[0] * z[0] + point[1] * z[1]
        });
        println!("{frame:5}  {one:10.4}  {two:11.4}");
    }
    Ok(())
}
