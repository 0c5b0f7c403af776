//! A handle in another unit and other axes.

use super::Space;
use crate::shot::{Axes, Axis, Distance, Goal, Handle, Move, Orientation, Site, Turn, Zone};

/// From one space to the other.
struct Way<'a> {
    point: &'a dyn Fn([f64; 3]) -> [f64; 3],
    turned: &'a dyn Fn([f64; 3]) -> [f64; 3],
    /// How long what was 1 long is.
    length: f64,
}

impl Space {
    /// A handle in metres with y up that is in the unit and axes of the file. Files of curves and meshes that it names stay
    /// as they are.
    #[must_use]
    pub fn handle_inside(&self, handle: &Handle) -> Handle {
        let turn = Self { unit: 1.0, up: self.up };
        let way = Way { point: &|p| self.inside(p), turned: &|v| turn.inside(v), length: self.unit };
        way.handle(handle)
    }

    /// The way back of [`Self::handle_inside`].
    #[must_use]
    pub fn handle_outside(&self, handle: &Handle) -> Handle {
        let turn = Self { unit: 1.0, up: self.up };
        let way = Way { point: &|p| self.outside(p), turned: &|v| turn.outside(v), length: 1.0 / self.unit };
        way.handle(handle)
    }
}

impl Way<'_> {
    fn handle(&self, handle: &Handle) -> Handle {
        Handle {
            when: handle.when.clone(),
            site: self.site(&handle.site),
            goal: self.goal(&handle.goal),
            axes: handle.axes.map(|axes| self.axes(axes)),
            relative_to: handle.relative_to.as_ref().map(|site| self.site(site)),
            ..handle.clone()
        }
    }

    fn site(&self, site: &Site) -> Site {
        match site {
            Site::Near(near) => Site::Near((self.point)(*near)),
            Site::Joint { name, offset } => {
                Site::Joint { name: name.clone(), offset: offset.map(|x| x * self.length) }
            }
            Site::Vertex(_)
            | Site::BodyVertex(_)
            | Site::Vertices(_)
            | Site::Group(_)
            | Site::CenterOfMass => site.clone(),
        }
    }

    fn goal(&self, goal: &Goal) -> Goal {
        let point = self.point;
        match goal {
            Goal::To(to) => Goal::To(point(*to)),
            Goal::By(by) => Goal::By(point(*by)),
            Goal::Velocity(velocity) => Goal::Velocity(point(*velocity)),
            Goal::Turn { turn, then } => {
                let turn = Turn { about: point(turn.about), axis: (self.turned)(turn.axis), ..*turn };
                Goal::Turn { turn, then: then.map(|then| self.moved(then)) }
            }
            Goal::Plane { point: at, normal } => {
                Goal::Plane { point: point(*at), normal: (self.turned)(*normal) }
            }
            Goal::Stay { at } => Goal::Stay { at: at.map(|at| self.moved(at)) },
            Goal::Distance(Distance::Metres(metres)) => {
                Goal::Distance(Distance::Metres(metres * self.length))
            }
            Goal::Orientation(Orientation::Quaternion([x, y, z, w])) => {
                let [x, y, z] = (self.turned)([*x, *y, *z]);
                Goal::Orientation(Orientation::Quaternion([x, y, z, *w]))
            }
            Goal::Inside(zone) => Goal::Inside(self.zone(zone)),
            Goal::Outside(zone) => Goal::Outside(self.zone(zone)),
            Goal::Path(_)
            | Goal::Along(_)
            | Goal::Distance(Distance::Input)
            | Goal::SameAs(_)
            | Goal::Orientation(Orientation::Input) => goal.clone(),
        }
    }

    fn moved(&self, to: Move) -> Move {
        match to {
            Move::By(by) => Move::By((self.point)(by)),
            Move::To(to) => Move::To((self.point)(to)),
        }
    }

    fn zone(&self, zone: &Zone) -> Zone {
        match zone {
            Zone::Mesh(_) => zone.clone(),
            Zone::Box { min, max } => {
                let (a, b) = ((self.point)(*min), (self.point)(*max));
                let with = |pick: fn(f64, f64) -> f64| std::array::from_fn(|c| pick(a[c], b[c]));
                Zone::Box { min: with(f64::min), max: with(f64::max) }
            }
            Zone::Sphere { center, radius } => {
                Zone::Sphere { center: (self.point)(*center), radius: radius * self.length }
            }
            // Below along an axis that is turned around would be above: no space has its axis up point down, and others
            // are told by a box.
            Zone::Below { axis, at } => {
                let along = (self.turned)(std::array::from_fn(|c| f64::from(u8::from(c == axis.index()))));
                let to = [0, 1, 2].into_iter().find(|c| along[*c] != 0.0).unwrap_or(axis.index());
                let axes = [Axis::X, Axis::Y, Axis::Z];
                if along[to] > 0.0 {
                    return Zone::Below { axis: axes[to], at: at * self.length };
                }
                let (mut min, max) = ([-FAR; 3], [FAR; 3]);
                min[to] = -at * self.length;
                Zone::Box { min, max }
            }
        }
    }

    /// The coordinates that were those of these axes.
    fn axes(&self, axes: Axes) -> Axes {
        let mut turned = [false; 3];
        for c in (0..3).filter(|c| axes.0[*c]) {
            let along = (self.turned)(std::array::from_fn(|k| f64::from(u8::from(k == c))));
            for k in 0..3 {
                turned[k] |= along[k] != 0.0;
            }
        }
        Axes(turned)
    }
}

/// Farther than anything is.
const FAR: f64 = 1e9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_goes_inside_and_comes_back() {
        let space = Space { unit: 0.01, up: Axis::Z };
        let texts = [
            "[{ frame = 3, vertex = 1, by = [1, 2, 300] }]",
            "[{ frame = 3, near = [100, 0, 50], to = [1, 2, 300], axes = 'z' }]",
            "[{ frame = 3, group = 'g', turn = { about = [1, 2, 3], axis = [0, 0, 1], degrees = 30 }, by = [0, 0, 7] }]",
            "[{ frame = 3, joint = 'Hand', offset = [0, 10, 0], orientation = [0, 0, 1, 0] }]",
            "[{ frame = 3, joint = 'Hand', outside = { below = { axis = 'z', at = 4 } } }]",
            "[{ frame = 3, joint = 'Hand', outside = { box = { min = [0, 0, 0], max = [1, 2, 3] } } }]",
            "[{ frames = [3, 9], joint = 'Hand', stay = true, to = [0, 0, 5] }]",
            "[{ frame = 3, joint = 'Hand', relative_to = { near = [0, 0, 2] }, distance = 20.0 }]",
        ];
        for text in texts {
            let handle = &Handle::list(text).unwrap()[0];
            let inside = space.handle_inside(handle);
            assert_ne!(inside, *handle, "{text}");
            let back = space.handle_outside(&inside);
            assert_eq!(
                format!("{back:.6?}"),
                format!("{handle:.6?}").replace("-0.000000", "0.000000"),
                "{text}"
            );
        }
        let up = space.handle_inside(&Handle::list(texts[0]).unwrap()[0]);
        assert_eq!(up.goal, Goal::By([0.01, 3.0, -0.02]));
        assert_eq!(
            space.handle_inside(&Handle::list(texts[1]).unwrap()[0]).axes,
            Some(Axes([false, true, false]))
        );
    }

    /// Below along an axis that points the other way afterwards is above.
    #[test]
    fn what_is_below_stays_on_its_side() {
        let space = Space { unit: 1.0, up: Axis::Z };
        let handle =
            &Handle::list("[{ frame = 3, joint = 'Hand', outside = { below = { axis = 'y', at = 4 } } }]")
                .unwrap()[0];
        let Goal::Outside(Zone::Box { min, max }) = space.handle_inside(handle).goal else { panic!("a box") };
        // y < 4 outside is z > −4 inside.
        assert_eq!((min[2], max[2]), (-4.0, FAR));
    }
}
