//! Where chosen points of a body are on its warped motion, as functions of the modal coordinates.
//!
//! A site is a weighted sum of vertices at one time, read along three axes (rows of A):
//!
//! > W = A Σ_v w_v (x_v + u_v), ∂W/∂z = (Uᵀ Y)ᵀ, Y = ∂W/∂p.
//!
//! u of the few vertices comes from [`WarpPoint`]s, made when the site is: they depend on the contacts their frame
//! keeps, so frames without contacts share theirs and a blended frame has two. Between two frames a site is on the
//! straight line from where the one has it under the edit to where the other has. What is left to pay is a pass over U for
//! p = U z and one for Uᵀ Y, each for all sites together. Along fixed directions ([`Readout::restrict`]) the
//! first is paid once.

use super::motion::WarpedMotion;
use super::shown::ShownFrames;
use super::site::{Reading, Site, Together, beside};
use super::{WarpError, WarpPoint};
use faer::{Mat, MatMut};
use nalgebra::Matrix3;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use supple_mesh::Vec3;
use supple_model::{Along, Ask, Instant, Linearized, Readout, Restricted, VertexId};

/// Numbers of a displacement added up as one task.
const NUMBERS_PER_TASK: usize = 4096;

/// What a site is.
#[derive(Clone, Debug, PartialEq)]
pub struct WarpSite {
    /// Vertices and weights: one vertex, a point in an element, or the difference of two vertices.
    pub vertices: Vec<(VertexId, f64)>,
    /// When it is read: at a frame, counted from 0, or between two.
    pub at: Instant,
    /// The coordinates that are read, a row each; usually the identity.
    pub axes: Matrix3<f64>,
}

/// Sites on a motion that shows its edits warped, or plainly.
#[derive(Clone, Debug)]
pub struct WarpReadout {
    motion: Arc<WarpedMotion>,
    sites: Vec<Option<Arc<Site>>>,
    /// The last edits that were asked for: whoever has seen a value may want the derivative there.
    last: Arc<Mutex<Arc<Edits>>>,
    shown: Arc<ShownFrames>,
}

/// Edits z, and U z one after the other.
#[derive(Debug, Default)]
struct Edits {
    z: Vec<Vec<f64>>,
    displacements: Vec<f64>,
}

impl WarpReadout {
    /// No sites yet.
    #[must_use]
    pub fn new(motion: Arc<WarpedMotion>) -> Self {
        Self { motion, sites: Vec::new(), last: Arc::default(), shown: Arc::default() }
    }

    /// The motion that is read.
    #[must_use]
    pub fn motion(&self) -> &Arc<WarpedMotion> {
        &self.motion
    }

    /// Adds a site and gives its number: that of one removed earlier, or the next.
    ///
    /// # Errors
    /// A vertex or time that does not exist, or numbers that mean nothing.
    pub fn add(&mut self, site: WarpSite) -> Result<usize, WarpError> {
        let made = Some(Arc::new(self.make(site)?));
        let vacant = self.sites.iter().position(Option::is_none);
        let number = vacant.unwrap_or(self.sites.len());
        match vacant {
            Some(number) => self.sites[number] = made,
            None => self.sites.push(made),
        }
        Ok(number)
    }

    /// Removes a site. The others keep their numbers; this one may be given to another.
    ///
    /// # Panics
    /// When there is no such site.
    pub fn remove(&mut self, site: usize) {
        assert!(self.sites[site].take().is_some(), "a site that is there");
    }

    /// The sites by number; none where one was removed.
    pub(super) fn given(&self) -> impl Iterator<Item = Option<&WarpSite>> {
        self.sites.iter().map(|site| site.as_deref().map(|site| &site.given))
    }

    /// The displacements of frames under their edits U z, whole and in the order asked for. The last ones are kept.
    ///
    /// # Panics
    /// When there is no such frame, or a z has not one entry per mode.
    #[must_use]
    pub fn shown(&self, asked: &[(usize, &[f64])]) -> Vec<Arc<Vec<f64>>> {
        self.shown.of(&self.motion, asked)
    }

    fn make(&self, given: WarpSite) -> Result<Site, WarpError> {
        let (motion, warp) = (&self.motion, self.motion.warp());
        warp.check_site(&given, motion.frames())?;
        let rest = given.vertices.iter().map(|(v, w)| warp.positions[v.index()] * *w).sum();
        let reading = if motion.is_plain() { self.plain(&given) } else { self.warped(&given)? };
        Ok(Site { given, rest, reading })
    }

    fn warped(&self, given: &WarpSite) -> Result<Reading, WarpError> {
        let warp = self.motion.warp();
        let point = |input| match self.known(given, input) {
            Some(point) => Ok(point),
            None => Ok(Arc::new(warp.point(input, &given.vertices)?)),
        };
        let (before, after) = beside(given.at);
        let frames = std::iter::once(before).chain(after.map(|(frame, _)| frame));
        let variants = frames.flat_map(|frame| self.motion.variants(frame));
        Ok(Reading::Warped(variants.map(|(input, _)| point(input)).collect::<Result<_, WarpError>>()?))
    }

    /// A point made for another site that serves this one.
    fn known(&self, given: &WarpSite, input: &super::InputFrame) -> Option<Arc<WarpPoint>> {
        let points = self.sites.iter().flatten().flat_map(|site| match &site.reading {
            Reading::Warped(points) => points.as_slice(),
            Reading::Plain { .. } => &[],
        });
        points.filter(|point| point.serves(input, &given.vertices)).map(Arc::clone).next()
    }

    fn plain(&self, given: &WarpSite) -> Reading {
        let (before, after) = beside(given.at);
        let (mut place, mut rows) = self.plain_at(given, before);
        if let Some((frame, share)) = after {
            let (then, later) = self.plain_at(given, frame);
            place = place * (1.0 - share) + then * share;
            for (x, next) in rows.iter_mut().flatten().zip(later.iter().flatten()) {
                *x = (1.0 - share) * *x + share * next;
            }
        }
        Reading::Plain { input: given.axes * place, rows }
    }

    /// Where the input has a site at a frame, and what the modes add to it.
    fn plain_at(&self, given: &WarpSite, frame: usize) -> (Vec3, [Vec<f64>; 3]) {
        // Variants of a frame are the same input with other contacts, which the modes alone do not keep.
        let mut place = Vec3::zeros();
        for (input, weight) in self.motion.variants(frame) {
            for &(v, w) in &given.vertices {
                place += Vec3::from_column_slice(&input.displacement()[3 * v.index()..][..3]) * (w * weight);
            }
        }
        let row = |axis| {
            let direction = given.axes.row(axis).transpose();
            self.motion.edit_row(frame, &given.vertices, direction)
        };
        (place, [0, 1, 2].map(row))
    }

    fn site(&self, site: usize, at: Instant) -> &Site {
        let found = self.sites[site].as_deref().expect("a site that was not removed");
        assert_eq!(found.given.at, at, "the time of this site");
        found
    }

    /// U z of every different edit that is asked for, and which of them each ask means.
    fn edits(&self, asks: &[Ask<'_>]) -> (Arc<Edits>, Vec<usize>) {
        let mut different: Vec<&[f64]> = Vec::new();
        let mut which = Vec::with_capacity(asks.len());
        for ask in asks {
            let known = different.iter().position(|z| *z == ask.z);
            which.push(known.unwrap_or(different.len()));
            if known.is_none() {
                different.push(ask.z);
            }
        }
        let last = self.last.lock().map(|last| last.clone()).unwrap_or_default();
        if last.z == different {
            return (last, which);
        }
        let z = different.iter().map(|z| z.to_vec()).collect();
        let made = Arc::new(Edits { z, displacements: self.motion.edits(&different) });
        if let Ok(mut last) = self.last.lock() {
            *last = made.clone();
        }
        (made, which)
    }
}

impl Readout for WarpReadout {
    fn modes(&self) -> usize {
        self.motion.basis().modes()
    }

    fn sites(&self) -> usize {
        self.sites.len()
    }

    fn values(&self, asks: &[Ask<'_>]) -> Vec<[f64; 3]> {
        let sites: Vec<&Site> = asks.iter().map(|ask| self.site(ask.site, ask.at)).collect();
        if self.motion.is_plain() {
            return sites.iter().zip(asks).map(|(site, ask)| site.plain_value(ask.z)).collect();
        }
        let (edits, which) = self.edits(asks);
        let size = 3 * self.motion.warp().vertices();
        let groups = together(&sites, &which, |edit| &edits.displacements[edit * size..][..size]);
        let read: Vec<Vec<[f64; 3]>> =
            groups.par_iter().map(|(_, group)| group.values(&self.motion)).collect();
        let mut values = vec![[f64::NAN; 3]; sites.len()];
        for ((members, _), read) in groups.iter().zip(read) {
            members.iter().zip(read).for_each(|(member, value)| values[*member] = value);
        }
        values
    }

    fn linearized(&self, asks: &[Ask<'_>]) -> Vec<Linearized> {
        let sites: Vec<&Site> = asks.iter().map(|ask| self.site(ask.site, ask.at)).collect();
        if self.motion.is_plain() {
            return sites.iter().zip(asks).map(|(site, ask)| site.plain_linearized(ask.z)).collect();
        }
        let (edits, which) = self.edits(asks);
        let size = 3 * self.motion.warp().vertices();
        linearize(&self.motion, &sites, &which, |edit| &edits.displacements[edit * size..][..size])
    }

    fn inverted(&self, frame: usize, z: &[f64]) -> usize {
        self.inverted_at(&[(frame, z)])
    }

    fn inverted_at(&self, asked: &[(usize, &[f64])]) -> usize {
        let cells = &self.motion.warp().cells;
        if !cells.has_inside() {
            return 0;
        }
        let before = |frame: usize| self.motion.frame(frame).displacement();
        let turned = asked.iter().zip(self.shown(asked));
        turned.map(|((frame, _), after)| cells.inverted(before(*frame), &after)).sum()
    }

    fn restrict(&self, along: &[Along<'_>]) -> Option<Box<dyn Restricted>> {
        if self.motion.is_plain() {
            return None;
        }
        let modes = self.modes();
        let mut columns = Vec::new();
        for along in along {
            columns.push(along.z);
            columns.extend(along.directions.chunks_exact(modes));
        }
        let all = self.motion.edits(&columns);
        let mut fields = all.chunks_exact(3 * self.motion.warp().vertices());
        let entry = |along: &Along<'_>| {
            let mut next = || fields.next().map(<[f64]>::to_vec).unwrap_or_default();
            let found = |site: &usize| {
                self.site(*site, along.at);
                self.sites[*site].clone()
            };
            Entry {
                sites: along.sites.iter().filter_map(found).collect(),
                edit: next(),
                directions: (0..along.directions.len() / modes).map(|_| next()).collect(),
            }
        };
        let entries = along.iter().map(entry).collect();
        Some(Box::new(Fields { motion: self.motion.clone(), entries }))
    }
}

/// Displacements of fixed directions.
#[derive(Debug)]
struct Fields {
    motion: Arc<WarpedMotion>,
    entries: Vec<Entry>,
}

/// Sites at one time, and U z, U d_i there.
#[derive(Debug)]
struct Entry {
    sites: Vec<Arc<Site>>,
    edit: Vec<f64>,
    directions: Vec<Vec<f64>>,
}

impl Entry {
    /// U (z + Σ c_i d_i).
    fn edit(&self, coefficients: &[f64]) -> Vec<f64> {
        assert_eq!(coefficients.len(), self.directions.len(), "a coefficient per direction");
        let mut sum = self.edit.clone();
        sum.par_chunks_mut(NUMBERS_PER_TASK).enumerate().for_each(|(task, sum)| {
            for (direction, c) in self.directions.iter().zip(coefficients) {
                for (sum, d) in sum.iter_mut().zip(&direction[task * NUMBERS_PER_TASK..]) {
                    *sum += c * d;
                }
            }
        });
        sum
    }
}

impl Restricted for Fields {
    fn values(&self, coefficients: &[&[f64]]) -> Vec<[f64; 3]> {
        let read = self.entries.par_iter().zip(coefficients).map(|(entry, c)| {
            let edit = entry.edit(c);
            let sites: Vec<&Site> = entry.sites.iter().map(|site| &**site).collect();
            let Some(first) = sites.first() else { return Vec::new() };
            Together { at: first.given.at, edit: &edit, sites }.values(&self.motion)
        });
        read.collect::<Vec<Vec<[f64; 3]>>>().concat()
    }

    fn linearized(&self, coefficients: &[&[f64]]) -> Vec<Linearized> {
        let edits: Vec<Vec<f64>> =
            self.entries.par_iter().zip(coefficients).map(|(entry, c)| entry.edit(c)).collect();
        let each = self.entries.iter().enumerate();
        let (sites, which): (Vec<&Site>, Vec<usize>) =
            each.flat_map(|(k, entry)| entry.sites.iter().map(move |site| (&**site, k))).unzip();
        linearize(&self.motion, &sites, &which, |entry| &edits[entry])
    }
}

/// Sites that are read at the same time under the same edit, and their numbers; `which` numbers their edits.
fn together<'a>(
    sites: &[&'a Site],
    which: &[usize],
    edit: impl Fn(usize) -> &'a [f64],
) -> Vec<(Vec<usize>, Together<'a>)> {
    let mut groups: Vec<(Vec<usize>, Together<'a>)> = Vec::new();
    let mut known: BTreeMap<(Instant, usize), usize> = BTreeMap::new();
    for (member, (site, which)) in sites.iter().zip(which).enumerate() {
        let at = site.given.at;
        let group = *known.entry((at, *which)).or_insert(groups.len());
        if group == groups.len() {
            groups.push((Vec::new(), Together { at, edit: edit(*which), sites: Vec::new() }));
        }
        groups[group].0.push(member);
        groups[group].1.sites.push(site);
    }
    groups
}

/// Values and derivatives of sites under their edits p, with one pass over U.
fn linearize<'a>(
    motion: &WarpedMotion,
    sites: &[&'a Site],
    which: &[usize],
    edit: impl Fn(usize) -> &'a [f64],
) -> Vec<Linearized> {
    let groups = together(sites, which, edit);
    // The columns of a group's sites are neighbours.
    let mut Y = Mat::zeros(3 * motion.warp().vertices(), 3 * sites.len());
    let mut columns = Y.par_col_chunks_mut(3).collect::<Vec<_>>().into_iter();
    let rooms: Vec<Vec<MatMut<'_, f64>>> =
        groups.iter().map(|(members, _)| columns.by_ref().take(members.len()).collect()).collect();
    let made = groups.par_iter().zip(rooms);
    let values: Vec<[f64; 3]> =
        made.flat_map_iter(|((_, group), mut out)| group.linearize(motion, &mut out)).collect();
    let J = motion.basis().project(Y.as_ref());
    let order: Vec<usize> = groups.into_iter().flat_map(|(members, _)| members).collect();
    let mut found: Vec<(usize, Linearized)> = order
        .par_iter()
        .zip(values)
        .enumerate()
        .map(|(k, (member, value))| {
            let rows = sites[*member].along_axes(J.as_ref().subcols(3 * k, 3));
            (*member, Linearized { value, rows })
        })
        .collect();
    found.sort_by_key(|(member, _)| *member);
    found.into_iter().map(|(_, found)| found).collect()
}
