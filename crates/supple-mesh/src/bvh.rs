//! A tree of boxes that finds the few items near a point or along a ray, and sums over all items
//! with far ones taken together.
//!
//! Every node is split at the median of the item centres along the longest side, so the tree has
//! ⌈log₂ n⌉ levels whatever the items. Nodes are stored depth first: the left child follows its
//! parent. Searches keep a fixed stack on the call stack and allocate nothing.
//!
//! The answer never depends on the shape of the tree: among equally good items the one with the
//! smallest index wins.

use crate::{Aabb, Vec3};

/// Items per leaf; fewer costs more box tests, more costs more exact tests.
const LEAF: usize = 4;
/// More levels than a tree over 2³² items can have.
const STACK: usize = 64;

#[derive(Clone, Debug)]
struct Node {
    bounds: Aabb,
    /// A leaf's first entry in `order`, or an inner node's right child.
    start: u32,
    /// How many items a leaf holds; 0 marks an inner node.
    count: u32,
}

/// A bounding-volume hierarchy over items known only by their boxes.
#[derive(Clone, Debug)]
pub struct Bvh {
    nodes: Vec<Node>,
    order: Vec<u32>,
}

impl Bvh {
    /// Builds the tree; item `i` has the box `boxes[i]`.
    #[must_use]
    pub fn new(boxes: &[Aabb]) -> Self {
        let mut order: Vec<u32> = (0..boxes.len()).map(|i| i as u32).collect();
        let mut nodes = Vec::with_capacity(2 * boxes.len() / LEAF + 1);
        if !boxes.is_empty() {
            build(boxes, &mut order, 0, &mut nodes);
        }
        Self { nodes, order }
    }

    /// The item nearest to `point` and its squared distance. `distance_squared` measures an item
    /// exactly; it is asked only about items whose box is at least as near as the best so far.
    pub fn nearest(
        &self,
        point: &Vec3,
        mut distance_squared: impl FnMut(usize) -> f64,
    ) -> Option<(usize, f64)> {
        self.search(|bounds| bounds.distance_squared(point), |item| Some(distance_squared(item)))
    }

    /// The item the ray `origin + t direction`, t ≥ 0, meets first, and t. `hit` answers t for one
    /// item; it is asked only about items whose box the ray enters before the best so far.
    pub fn first_hit(
        &self,
        origin: &Vec3,
        direction: &Vec3,
        hit: impl FnMut(usize) -> Option<f64>,
    ) -> Option<(usize, f64)> {
        let inverse = direction.map(|d| 1.0 / d);
        self.search(|bounds| ray_enters(bounds, origin, &inverse), hit)
    }

    /// One value per node, from the leaves up: `of` gives an item's, `join` that of two together.
    pub(crate) fn summaries<T>(&self, of: impl Fn(usize) -> T, join: impl Fn(T, &T) -> T) -> Vec<T>
    where
        T: Clone + Default,
    {
        let mut values = vec![T::default(); self.nodes.len()];
        // Children come after their parent, so backwards they come first.
        for (index, node) in self.nodes.iter().enumerate().rev() {
            values[index] = if node.count > 0 {
                self.items(node).fold(T::default(), |sum, item| join(sum, &of(item)))
            } else {
                join(values[index + 1].clone(), &values[node.start as usize])
            };
        }
        values
    }

    /// Walks down from the root: `enter` is told a node's number and box and answers whether to look
    /// inside it, `item` gets what the leaves so entered hold. The order is always the same.
    pub(crate) fn visit(&self, mut enter: impl FnMut(usize, &Aabb) -> bool, mut item: impl FnMut(usize)) {
        let mut stack = [0_u32; STACK];
        let mut depth = usize::from(!self.nodes.is_empty());
        while depth > 0 {
            depth -= 1;
            let index = stack[depth] as usize;
            let node = &self.nodes[index];
            if !enter(index, &node.bounds) {
                continue;
            }
            if node.count > 0 {
                self.items(node).for_each(&mut item);
                continue;
            }
            (stack[depth], stack[depth + 1]) = (node.start, index as u32 + 1);
            depth += 2;
        }
    }

    fn items(&self, leaf: &Node) -> impl Iterator<Item = usize> {
        self.order[leaf.start as usize..][..leaf.count as usize].iter().map(|item| *item as usize)
    }

    /// Best-first descent: `bound` never exceeds the cost of anything in a box, `cost` is an item's
    /// own. Returns the smallest cost and the smallest index that has it.
    fn search(
        &self,
        bound: impl Fn(&Aabb) -> f64,
        mut cost: impl FnMut(usize) -> Option<f64>,
    ) -> Option<(usize, f64)> {
        let root = self.nodes.first()?;
        let mut best: Option<(usize, f64)> = None;
        let mut limit = f64::INFINITY;
        let mut stack = [(0_u32, 0.0); STACK];
        stack[0].1 = bound(&root.bounds);
        let mut depth = if stack[0].1 < f64::INFINITY { 1 } else { 0 };
        while depth > 0 {
            depth -= 1;
            let (index, lower) = stack[depth];
            if lower > limit {
                continue;
            }
            let node = &self.nodes[index as usize];
            if node.count > 0 {
                for item in self.items(node) {
                    let Some(found) = cost(item) else { continue };
                    if found < limit || (found == limit && best.is_some_and(|(other, _)| item < other)) {
                        limit = found;
                        best = Some((item, found));
                    }
                }
                continue;
            }
            let (left, right) = (index + 1, node.start);
            let near = (left, bound(&self.nodes[left as usize].bounds));
            let far = (right, bound(&self.nodes[right as usize].bounds));
            let (near, far) = if far.1 < near.1 { (far, near) } else { (near, far) };
            for child in [far, near] {
                if child.1 <= limit && child.1 < f64::INFINITY {
                    stack[depth] = child;
                    depth += 1;
                }
            }
        }
        best
    }
}

/// Appends the subtree over `items`, the part of the order that begins at `start`.
fn build(boxes: &[Aabb], items: &mut [u32], start: usize, nodes: &mut Vec<Node>) {
    let bounds = items.iter().fold(Aabb::EMPTY, |b, &i| b.union(&boxes[i as usize]));
    let index = nodes.len();
    if items.len() <= LEAF {
        nodes.push(Node { bounds, start: start as u32, count: items.len() as u32 });
        return;
    }
    let centres = items.iter().fold(Aabb::EMPTY, |b, &i| {
        let c = boxes[i as usize].center();
        Aabb { min: b.min.inf(&c), max: b.max.sup(&c) }
    });
    let axis = centres.size().imax();
    let middle = items.len() / 2;
    // The index breaks ties, so that the tree is the same on every run.
    items.select_nth_unstable_by(middle, |&i, &j| {
        let key = |k: u32| boxes[k as usize].min[axis] + boxes[k as usize].max[axis];
        key(i).total_cmp(&key(j)).then(i.cmp(&j))
    });
    nodes.push(Node { bounds, start: 0, count: 0 });
    let (left, right) = items.split_at_mut(middle);
    build(boxes, left, start, nodes);
    nodes[index].start = nodes.len() as u32;
    build(boxes, right, start + middle, nodes);
}

/// The t at which the ray enters the box, 0 from inside, infinite when it misses. `inverse` holds the
/// reciprocals of the direction: infinite across slabs the ray is parallel to, which it is then in for
/// good, borders included, or never.
pub(crate) fn ray_enters(bounds: &Aabb, origin: &Vec3, inverse: &Vec3) -> f64 {
    // One part in 10¹² wider, against the rounding of the products below.
    const SLACK: f64 = 1e-12;
    let (mut enter, mut leave) = (0.0_f64, f64::INFINITY);
    for i in 0..3 {
        if inverse[i].is_infinite() {
            if origin[i] < bounds.min[i] || origin[i] > bounds.max[i] {
                return f64::INFINITY;
            }
            continue;
        }
        let t0 = (bounds.min[i] - origin[i]) * inverse[i];
        let t1 = (bounds.max[i] - origin[i]) * inverse[i];
        enter = enter.max(t0.min(t1));
        leave = leave.min(t0.max(t1));
    }
    if enter <= leave * (1.0 + SLACK) { enter * (1.0 - SLACK) } else { f64::INFINITY }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 · ∞ once made such rays miss boxes they run along: a fall straight onto a vertex of a ball
    /// was not noticed.
    #[test]
    fn a_ray_along_the_border_of_a_box_meets_it() {
        let bounds = Aabb { min: Vec3::zeros(), max: Vec3::repeat(1.0) };
        for zero in [0.0, -0.0] {
            let inverse = Vec3::new(1.0, 1.0 / zero, 1.0);
            for (y, expected) in
                [(0.0, 2.0), (0.5, 2.0), (1.0, 2.0), (-0.1, f64::INFINITY), (1.1, f64::INFINITY)]
            {
                let t = ray_enters(&bounds, &Vec3::new(-2.0, y, -1.5), &inverse);
                assert!((t - expected).abs() < 1e-9 || t == expected, "{zero} {y} {t}");
            }
        }
    }
}
