//! How a part begins: as the one before ended, in its own coordinates.

use crate::body::Body;
use supple_elastic::RigidMotion;
use supple_mesh::Vec3;

/// Where the body is at the first frame of a part, and how fast it moves; three numbers per vertex.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// u.
    pub displacement: Vec<f64>,
    /// Per second of the body's own time.
    pub velocity: Vec<f64>,
    /// Seconds of the frame before; none where nothing is before.
    pub step: Option<f64>,
}

/// The same of a body that floats: its rigid motion, and what it is apart from it.
#[derive(Clone, Debug)]
pub(super) struct Afloat {
    pub motion: RigidMotion,
    /// ċ and the spin, about axes of space.
    pub speed: (Vec3, Vec3),
    pub deformation: Vec<f64>,
    /// Of the deformation, in the frame of the body.
    pub rate: Vec<f64>,
}

impl Entry {
    /// What of it is a rigid motion, and the rest.
    pub fn afloat(&self, body: &Body) -> Afloat {
        let (elastic, masses) = (&body.elastic, body.elastic.masses());
        let motion = RigidMotion::nearest(elastic, &self.displacement);
        let places: Vec<Vec3> = (body.positions().iter())
            .zip(self.displacement.chunks_exact(3))
            .map(|(x, u)| x + Vec3::from_column_slice(u) - motion.centre)
            .collect();
        let speeds: Vec<Vec3> = self.velocity.chunks_exact(3).map(Vec3::from_column_slice).collect();
        let total: f64 = masses.iter().sum();
        let speed = speeds.iter().zip(masses).map(|(v, m)| v * *m).sum::<Vec3>() / total;
        let momentum: Vec3 =
            places.iter().zip(&speeds).zip(masses).map(|((x, v), m)| x.cross(&(v - speed)) * *m).sum();
        let inertia: nalgebra::Matrix3<f64> = (places.iter().zip(masses))
            .map(|(x, m)| (nalgebra::Matrix3::identity() * x.norm_squared() - x * x.transpose()) * *m)
            .sum();
        let spin = inertia.try_inverse().map_or(Vec3::zeros(), |inverse| inverse * momentum);
        let own = places
            .iter()
            .zip(&speeds)
            .flat_map(|(x, v)| (motion.turn.transpose() * (v - speed - spin.cross(x))).data.0[0]);
        Afloat {
            deformation: motion.apart(elastic, &self.displacement),
            rate: own.collect(),
            speed: (speed, spin),
            motion,
        }
    }
}
