//! Which vertices are pulled, where to and when: by chance, but the same chance every time.

use super::measure::Pull;
use super::surface::Surface;
use supple_mesh::Vec3;

/// Nearer than this part of the size, along edges, to what never moves nothing is pulled.
const APART: f64 = 0.15;

/// Numbers by chance: SplitMix64 (Steele, Lea, Flood 2014).
struct Chance(u64);

impl Chance {
    /// Chance that depends on a name.
    fn of(name: &str) -> Self {
        // FNV-1a.
        Self(name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        }))
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From 0 up to 1.
    fn part(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number less than `end`.
    fn below(&mut self, end: usize) -> usize {
        ((self.part() * end as f64) as usize).min(end.saturating_sub(1))
    }

    /// A direction, all alike.
    fn direction(&mut self) -> Vec3 {
        loop {
            let inside = Vec3::from_fn(|_, _| 2.0 * self.part() - 1.0);
            if inside.norm() > 0.1 && inside.norm() <= 1.0 {
                return inside.normalize();
            }
        }
    }
}

/// So many pulls of so many percent of the size: the first at the first frame, the second at the last. None where
/// all is too near to what never moves.
pub fn choose(surface: &Surface, name: &str, percent: u32, count: usize, reach: f64) -> Vec<Pull> {
    let mut chance = Chance::of(&format!("{name} {percent}"));
    let frames = surface.film.len();
    let far = surface.distance_to_still();
    let mut joined = vec![false; far.len()];
    surface.triangles.iter().flatten().for_each(|v| joined[*v] = true);
    let free: Vec<usize> = (0..far.len()).filter(|v| joined[*v] && far[*v] >= APART * surface.size).collect();
    if free.is_empty() {
        return Vec::new();
    }
    let length = f64::from(percent) / 100.0 * surface.size;
    let pull = |k: usize| {
        let vertex = free[chance.below(free.len())];
        let by = chance.direction() * length;
        let any = chance.below(frames);
        let frame = match k {
            0 => 0,
            1 => frames - 1,
            _ => any,
        };
        Pull { vertex, frame, by, reach }
    };
    (0..count).map(pull).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(frames: usize) -> Surface {
        let at =
            |k: usize, y: f64, t: usize| Vec3::new(k as f64, y, if k == 0 { 0.0 } else { 0.1 * t as f64 });
        let film = (0..frames).map(|t| (0..=20).flat_map(|k| [at(k, 0.0, t), at(k, 1.0, t)]).collect());
        let square = |k: usize| [[2 * k, 2 * k + 2, 2 * k + 1], [2 * k + 2, 2 * k + 3, 2 * k + 1]];
        Surface::new(film.collect(), (0..20).flat_map(square).collect())
    }

    #[test]
    fn pulls_are_everywhere_but_near_what_stands_still() {
        let surface = sheet(30);
        let pulls = choose(&surface, "sheet", 12, 400, 24.0);
        assert_eq!((pulls[0].frame, pulls[1].frame), (0, 29));
        let column = |pull: &Pull| pull.vertex / 2;
        assert_eq!(pulls.iter().map(column).min(), Some(3), "0.15 of 20 from the first side");
        assert_eq!(pulls.iter().map(column).max(), Some(20));
        assert!(pulls.iter().all(|pull| (pull.by.norm() - 2.4).abs() < 1e-12));
        let mean = pulls.iter().map(|pull| pull.by).sum::<Vec3>() / 400.0;
        assert!(mean.norm() < 0.4, "{mean}");
        assert!((1..29).all(|t| pulls.iter().any(|pull| pull.frame == t)));
    }

    #[test]
    fn the_same_chance_every_time() {
        let surface = sheet(9);
        let all = |name, percent| {
            choose(&surface, name, percent, 5, 24.0).iter().map(|p| (p.vertex, p.frame)).collect::<Vec<_>>()
        };
        assert_eq!(all("a", 5), all("a", 5));
        assert_ne!(all("a", 5), all("b", 5));
        assert_ne!(all("a", 5), all("a", 12));
    }
}
