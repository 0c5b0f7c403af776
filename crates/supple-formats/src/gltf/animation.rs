//! Numbers over time.

use super::accessor::Arrays;
use crate::scene::{Budget, slerp};
use crate::{FormatError, Problem};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Interpolation {
    Step,
    Linear,
    /// Each key has a tangent before, a value, and a tangent after.
    Cubic,
}

/// The numbers of one property of a node, `width` at every time.
pub(super) struct Track {
    pub times: Vec<f64>,
    numbers: Vec<f64>,
    width: usize,
    interpolation: Interpolation,
}

/// All that is animated of a node.
#[derive(Default)]
pub(super) struct Tracks {
    pub translation: Option<Track>,
    pub rotation: Option<Track>,
    pub scale: Option<Track>,
    pub weights: Option<Track>,
}

impl Tracks {
    pub fn moves(&self) -> bool {
        [&self.translation, &self.rotation, &self.scale]
            .into_iter()
            .flatten()
            .any(|track| track.times.len() > 1)
    }

    fn all(&self) -> impl Iterator<Item = &Track> {
        [&self.translation, &self.rotation, &self.scale, &self.weights].into_iter().flatten()
    }

    pub fn times(&self) -> impl Iterator<Item = f64> {
        self.all().flat_map(|track| track.times.iter().copied())
    }
}

/// The tracks of every node. Of two animations of one property the first counts, and the others are noted.
pub(super) fn read_tracks(
    arrays: &Arrays,
    budget: &mut Budget,
    notes: &mut Vec<String>,
) -> Result<Vec<Tracks>, FormatError> {
    let document = &arrays.document;
    let mut all: Vec<Tracks> = document.nodes.iter().map(|_| Tracks::default()).collect();
    for (number, animation) in document.animations.iter().enumerate() {
        let mut is_left_out = false;
        for channel in &animation.channels {
            let Some(node) = channel.target.node.filter(|node| *node < all.len()) else {
                continue;
            };
            let place = match channel.target.path.as_str() {
                "translation" => (&mut all[node].translation, 3),
                "rotation" => (&mut all[node].rotation, 4),
                "scale" => (&mut all[node].scale, 3),
                "weights" => (&mut all[node].weights, 0),
                _ => continue,
            };
            let Some(sampler) = animation.samplers.get(channel.sampler) else {
                let (number, count) = (channel.sampler as i64, animation.samplers.len());
                let problem = Problem::NoSuchNumber { what: "sampler", number, count, first: 0 };
                return Err(FormatError::whole_file(problem));
            };
            if place.0.is_some() {
                is_left_out = true;
                continue;
            }
            *place.0 = Track::read(arrays, sampler, place.1, budget)?;
        }
        if is_left_out {
            let name = animation.name.clone().unwrap_or_else(|| number.to_string());
            let name = crate::error::quoted(&name);
            notes.push(format!(
                "the animation {name} was ignored where an earlier one animates the same object"
            ));
        }
    }
    Ok(all)
}

impl Track {
    /// `width` is 0 for weights, of which there are as many as the array gives for each time.
    fn read(
        arrays: &Arrays,
        sampler: &super::document::Sampler,
        width: usize,
        budget: &mut Budget,
    ) -> Result<Option<Self>, FormatError> {
        let interpolation = match sampler.interpolation.as_deref() {
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::Cubic,
            _ => Interpolation::Linear,
        };
        let count = arrays.count(sampler.output)?;
        budget.take("animations", arrays.count(sampler.input)? as u64 + 4 * count as u64, 8)?;
        let times = arrays.numbers(sampler.input, 1)?;
        let numbers = arrays.numbers(sampler.output, if width == 0 { 1 } else { width as u64 })?;
        let is_ascending =
            times.windows(2).all(|pair| pair[0] <= pair[1]) && times.iter().all(|t| t.is_finite());
        let per_key = if interpolation == Interpolation::Cubic { 3 } else { 1 };
        let found = numbers.len();
        let width = if width == 0 { found / (times.len() * per_key).max(1) } else { width };
        if !is_ascending || found != times.len() * per_key * width {
            let expected = "ascending times, and values for each of them".to_owned();
            let problem = Problem::Expected { expected, found: format!("{} and {found}", times.len()) };
            return Err(FormatError::whole_file(problem));
        }
        if let Some(number) = numbers.iter().find(|number| !number.is_finite()) {
            return Err(FormatError::whole_file(Problem::NotFinite(format!("a key of {number}"))));
        }
        Ok((!times.is_empty() && width > 0).then_some(Self { times, numbers, width, interpolation }))
    }

    /// The value at a key, or for cubic ones its tangent before (0) or after (2).
    fn key(&self, key: usize, part: usize) -> &[f64] {
        let per_key = if self.interpolation == Interpolation::Cubic { 3 } else { 1 };
        let at = (key * per_key + part) * self.width;
        &self.numbers[at..at + self.width]
    }

    /// The value at a time; before the first key and after the last it stays.
    pub fn at(&self, time: f64, is_rotation: bool) -> Vec<f64> {
        let value = usize::from(self.interpolation == Interpolation::Cubic);
        // Times have 24 bits: what is this close to a key is meant to be at it.
        let close = 4.0 * f64::from(f32::EPSILON) * time.abs();
        let after = self.times.partition_point(|key| *key <= time + close);
        if after == 0 {
            return self.key(0, value).to_vec();
        }
        let before = after - 1;
        if after == self.times.len() || self.interpolation == Interpolation::Step {
            return self.key(before, value).to_vec();
        }
        let span = self.times[after] - self.times[before];
        let t = (time - self.times[before]) / span;
        let t = if t < 1e-4 {
            0.0
        } else if t > 1.0 - 1e-4 {
            1.0
        } else {
            t
        };
        let (a, b) = (self.key(before, value), self.key(after, value));
        match (self.interpolation, a.as_array::<4>(), b.as_array::<4>()) {
            (Interpolation::Cubic, ..) => {
                let (out, into) = (self.key(before, 2), self.key(after, 0));
                let (t2, t3) = (t * t, t * t * t);
                let (h00, h10) = (2.0 * t3 - 3.0 * t2 + 1.0, t3 - 2.0 * t2 + t);
                let (h01, h11) = (3.0 * t2 - 2.0 * t3, t3 - t2);
                (0..self.width)
                    .map(|i| h00 * a[i] + h10 * span * out[i] + h01 * b[i] + h11 * span * into[i])
                    .collect()
            }
            (_, Some(a), Some(b)) if is_rotation => slerp(*a, *b, t).into(),
            _ if t == 0.0 => a.to_vec(),
            _ if t == 1.0 => b.to_vec(),
            _ => a.iter().zip(b).map(|(a, b)| a + (b - a) * t).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_met_and_joined() {
        let mut track = Track {
            times: vec![1.0, 2.0, 4.0],
            numbers: vec![0.0, 10.0, 30.0],
            width: 1,
            interpolation: Interpolation::Linear,
        };
        let at = |track: &Track, time| track.at(time, false)[0];
        for (time, value) in
            [(0.0, 0.0), (1.0, 0.0), (1.5, 5.0), (2.0, 10.0), (3.0, 20.0), (4.0, 30.0), (5.0, 30.0)]
        {
            assert_eq!(at(&track, time), value, "{time}");
        }
        track.interpolation = Interpolation::Step;
        assert_eq!([at(&track, 1.9), at(&track, 2.0), at(&track, 3.9)], [0.0, 10.0, 10.0]);
        // A parabola is its own Hermite spline: x = t², with slopes 2t.
        let cubic = Track {
            times: vec![1.0, 3.0],
            numbers: vec![2.0, 1.0, 2.0, 6.0, 9.0, 6.0],
            width: 1,
            interpolation: Interpolation::Cubic,
        };
        assert!((at(&cubic, 2.5) - 6.25).abs() < 1e-12);
    }
}
