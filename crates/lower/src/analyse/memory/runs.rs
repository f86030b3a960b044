//! Cells of an object in the regions of its node.

use super::{Group, Memory};
use crate::analyse::points_to::PointsTo;
use crate::analyse::promote::Object;

/// Cells of an object that follow each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    /// The group that they belong to.
    pub group: Group,
    /// The distance of the first one from the object's start.
    pub offset: u64,
    /// Their number.
    pub count: u64,
}

impl Group {
    /// The cells that lie in an object of so many bytes, which begins at an offset of a node with this modulus.
    fn runs(self, base: i64, size: u64, modulus: u64) -> Vec<Run> {
        let within = |first: i64, end: i64| {
            let word = self.word as i64;
            // Cells that begin before the object are not in it.
            let skipped =
                if first < 0 { (-first).div_euclid(word) + i64::from(first % word != 0) } else { 0 };
            let offset = first + skipped * word;
            let count = (end.min(size as i64) - offset).div_euclid(word);
            (count > 0).then_some(Run { group: self, offset: offset as u64, count: count as u64 })
        };
        let first = self.start.wrapping_sub(base);
        if self.whole && (modulus > 0 || self.len == 0) {
            let first = first.rem_euclid(self.word as i64);
            return within(first, i64::MAX).into_iter().collect();
        }
        if modulus == 0 {
            return within(first, first + self.len as i64).into_iter().collect();
        }
        let start = first.rem_euclid(modulus as i64) - modulus as i64;
        let starts = (0..).map(|period| start + period * modulus as i64);
        let starts = starts.take_while(|&start| start < size as i64);
        starts.filter_map(|start| within(start, start + self.len as i64)).collect()
    }
}

impl Memory {
    /// The cells of an object of so many bytes.
    pub(crate) fn runs(&self, points: &PointsTo, object: Object, size: u64) -> Vec<Run> {
        let Some(start) = points.known_object(object).map(|ptr| points.find(ptr)) else { return Vec::new() };
        let modulus = points.modulus(start);
        let groups = self.groups(points, start).iter();
        groups.flat_map(|&group| group.runs(start.offset, size, modulus)).collect()
    }
}
