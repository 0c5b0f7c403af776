//! What is under the mouse: the nearest visible vertex along a ray, and the vertices in a box on the screen.

use nalgebra::Vector3;

type Vec3 = Vector3<f64>;

/// A ray from the eye through the mouse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it begins.
    pub origin: [f64; 3],
    /// Where it goes, of any length but 0.
    pub direction: [f64; 3],
}

impl Ray {
    pub(crate) fn parts(&self) -> (Vec3, Vec3) {
        (Vec3::from(self.origin), Vec3::from(self.direction).normalize())
    }
}

/// How near a vertex has to be to the mouse to be meant: a length, growing with the distance from the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// The length at the eye: all of it in a parallel view.
    pub at_eye: f64,
    /// What it grows by per length from the eye: the size of some pixels in a perspective view.
    pub growth: f64,
}

/// What a ray meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picked {
    /// The vertex.
    pub vertex: u32,
    /// How far along the ray it, or the surface beside it, is.
    pub depth: f64,
}

/// The vertex that is meant by a ray: one clearly in front of everything it meets that is right beside it, as on the
/// outline; or a corner of the first triangle it meets; or else, beside the surface, the vertex nearest to it within reach.
#[must_use]
pub fn pick(points: &[[f32; 3]], triangles: &[[u32; 3]], ray: &Ray, reach: Reach) -> Option<Picked> {
    let (origin, direction) = ray.parts();
    let at = |v: u32| points[v as usize].map(f64::from).into();
    let mut first: Option<(f64, &[u32; 3])> = None;
    for triangle in triangles {
        if let Some(depth) = meet(&origin, &direction, triangle.map(at))
            && first.is_none_or(|(nearest, _)| depth < nearest)
        {
            first = Some((depth, triangle));
        }
    }
    let beside = beside(points, triangles, ray, reach);
    let Some((depth, triangle)) = first else { return beside.map(|(_, picked)| picked) };
    let clearly = depth - 2.0 * (reach.at_eye + reach.growth * depth);
    if let Some((0.0, picked)) = beside.filter(|(_, picked)| picked.depth < clearly) {
        return Some(picked);
    }
    let hit = origin + direction * depth;
    let distance = |v: &u32| (at(*v) - hit).norm_squared();
    let vertex = triangle.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
    Some(Picked { vertex, depth })
}

/// The vertex nearest to a ray within reach, and how near it is, in whole quarters of the reach; of those about as near,
/// the one in front.
fn beside(points: &[[f32; 3]], triangles: &[[u32; 3]], ray: &Ray, reach: Reach) -> Option<(f64, Picked)> {
    let (origin, direction) = ray.parts();
    let mut nearest: Option<(f64, Picked)> = None;
    for &vertex in triangles.as_flattened() {
        let away = Vec3::from(points[vertex as usize].map(f64::from)) - origin;
        let depth = away.dot(&direction);
        let aside = (away - direction * depth).norm();
        let part = aside / (reach.at_eye + reach.growth * depth);
        let quarter = (part * 4.0).floor();
        let is_nearer = |(best, picked): (f64, Picked)| [quarter, depth] < [best, picked.depth];
        if depth > 0.0 && part <= 1.0 && nearest.is_none_or(is_nearer) {
            nearest = Some((quarter, Picked { vertex, depth }));
        }
    }
    nearest
}

/// Where a ray meets a triangle, seen from either side (Möller and Trumbore): o + t d = a + u (b − a) + v (c − a).
fn meet(origin: &Vec3, direction: &Vec3, [a, b, c]: [Vec3; 3]) -> Option<f64> {
    let (ab, ac) = (b - a, c - a);
    let p = direction.cross(&ac);
    let determinant = ab.dot(&p);
    if determinant == 0.0 {
        return None;
    }
    let from = origin - a;
    let u = from.dot(&p) / determinant;
    let q = from.cross(&ab);
    let v = direction.dot(&q) / determinant;
    let t = ac.dot(&q) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t > 0.0).then_some(t)
}

/// A box on the screen, by two corners that lie across from each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScreenBox {
    /// One corner.
    pub from: [f32; 2],
    /// The other.
    pub to: [f32; 2],
}

impl ScreenBox {
    fn contains(&self, point: [f32; 2]) -> bool {
        let low = |c: usize| self.from[c].min(self.to[c]);
        let high = |c: usize| self.from[c].max(self.to[c]);
        (0..2).all(|c| (low(c)..=high(c)).contains(&point[c]))
    }
}

/// The vertices of a surface that `project` puts into a box on the screen, ascending. With an eye, only those of
/// triangles that face it; what other parts hide is not left out.
pub fn pick_box(
    points: &[[f32; 3]],
    triangles: &[[u32; 3]],
    area: ScreenBox,
    eye: Option<[f64; 3]>,
    project: impl Fn([f32; 3]) -> Option<[f32; 2]>,
) -> Vec<u32> {
    let at = |v: u32| Vec3::from(points[v as usize].map(f64::from));
    let faces = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(at);
        eye.is_none_or(|eye| (b - a).cross(&(c - a)).dot(&(Vec3::from(eye) - a)) > 0.0)
    };
    let mut seen = vec![false; points.len()];
    for vertex in triangles.iter().filter(|triangle| faces(triangle)).flatten() {
        seen[*vertex as usize] = true;
    }
    let is_inside = |v: &usize| seen[*v] && project(points[*v]).is_some_and(|place| area.contains(place));
    (0..points.len()).filter(is_inside).map(|v| v as u32).collect()
}

/// The unit normal of a surface at a vertex: the mean of its triangles', weighed by their areas.
#[must_use]
pub fn normal_at(points: &[[f32; 3]], triangles: &[[u32; 3]], vertex: u32) -> Option<[f64; 3]> {
    let at = |v: u32| Vec3::from(points[v as usize].map(f64::from));
    let around = triangles.iter().filter(|triangle| triangle.contains(&vertex));
    let sum: Vec3 = around.map(|t| t.map(at)).map(|[a, b, c]| (b - a).cross(&(c - a))).sum();
    sum.try_normalize(0.0).map(Into::into)
}
