//! The affine hull of points: the affine relations that hold of all points seen, modulo a power of two.
//!
//! After Karr, and Müller-Olm and Seidl: the relations are a module with a few generators. A point that
//! refutes some of the generators leaves the combinations of them that it satisfies.

/// An affine relation: the sum of a point's coordinates, each times a factor, and of a constant is zero. The
/// constant comes last.
pub(crate) type Relation = Vec<u64>;

/// The relations that hold of all points added so far.
#[derive(Debug, Clone)]
pub(crate) struct Hull {
    width: u32,
    generators: Vec<Relation>,
}

impl Hull {
    /// The hull of no point: all relations hold, also that the constant 1 is zero.
    pub(crate) fn empty(width: u32, coordinates: usize) -> Hull {
        let unit = |at| (0..=coordinates).map(|index| u64::from(index == at)).collect();
        Hull { width, generators: (0..=coordinates).map(unit).collect() }
    }

    /// Generators of all relations.
    pub(crate) fn relations(&self) -> &[Relation] {
        &self.generators
    }

    /// Adds a point: keeps the relations that it satisfies.
    pub(crate) fn add(&mut self, point: &[u64]) {
        let of_point = |relation: &Relation| {
            let parts = relation.iter().zip(point.iter().chain([&1]));
            self.cut(parts.fold(0, |sum: u64, (factor, at)| sum.wrapping_add(factor.wrapping_mul(*at))))
        };
        let sums: Vec<u64> = self.generators.iter().map(of_point).collect();
        let wrong = (0..sums.len()).filter(|&index| sums[index] != 0);
        // The other sums are multiples of the one with the fewest factors of two.
        let Some(pivot) = wrong.min_by_key(|&index| sums[index].trailing_zeros()) else { return };
        let twos = sums[pivot].trailing_zeros();
        let inverse = inverse(sums[pivot] >> twos);
        let removed = self.generators[pivot].clone();
        for (index, &sum) in sums.iter().enumerate() {
            let times = (sum >> twos).wrapping_mul(inverse);
            for (at, removed) in removed.iter().enumerate().filter(|_| index != pivot) {
                let less = self.generators[index][at].wrapping_sub(times.wrapping_mul(*removed));
                self.generators[index][at] = self.cut(less);
            }
        }
        let multiple = |factor: &u64| self.cut(factor.checked_shl(self.width - twos).unwrap_or(0));
        self.generators[pivot] = removed.iter().map(multiple).collect();
        self.generators.retain(|relation| relation.iter().any(|&factor| factor != 0));
        for index in 0..self.generators.len() {
            self.generators[index] = self.simple(&self.generators[index]);
        }
    }

    /// The same relation, scaled so that the factor of its last coordinate is a power of two.
    fn simple(&self, relation: &Relation) -> Relation {
        let coordinates = &relation[..relation.len() - 1];
        let last = coordinates.iter().rev().find(|factor| **factor != 0).copied().unwrap_or(1);
        let times = inverse(last >> last.trailing_zeros());
        relation.iter().map(|factor| self.cut(factor.wrapping_mul(times))).collect()
    }

    fn cut(&self, number: u64) -> u64 {
        number & (u64::MAX >> (64 - self.width))
    }
}

/// The inverse of an odd number, modulo 2^64.
pub(crate) fn inverse(odd: u64) -> u64 {
    // Each step doubles the number of correct bits, three at first.
    (0..5).fold(odd, |found, _| found.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(found))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hull(width: u32, points: &[&[u64]]) -> Hull {
        let mut hull = Hull::empty(width, points[0].len());
        points.iter().for_each(|point| hull.add(point));
        hull
    }

    /// All points of two coordinates that satisfy the relations of a hull.
    fn satisfying(hull: &Hull) -> Vec<[u64; 2]> {
        let points = (0..1 << hull.width).flat_map(|a| (0..1 << hull.width).map(move |b| [a, b]));
        let holds = |point: &[u64; 2], relation: &Relation| {
            hull.cut(relation[0] * point[0] + relation[1] * point[1] + relation[2]) == 0
        };
        points.filter(|point| hull.relations().iter().all(|relation| holds(point, relation))).collect()
    }

    #[test]
    fn no_point_satisfies_all_relations() {
        assert!(satisfying(&Hull::empty(3, 2)).is_empty());
    }

    #[test]
    fn a_line_is_found_from_two_points() {
        let line = hull(32, &[&[0, 5], &[1, 7]]);
        assert_eq!(line.relations(), [vec![u64::from(u32::MAX) - 1, 1, u64::from(u32::MAX) - 4]]);
    }

    #[test]
    fn a_hull_of_even_numbers_knows_that_they_are_even() {
        let even = hull(4, &[&[2], &[6], &[8]]);
        assert_eq!(even.relations(), [vec![8, 0]]);
    }

    #[test]
    fn inverses_of_odd_numbers() {
        for odd in [1, 3, 5, 0xffff_ffff, u64::MAX, 0x1234_5678_9abc_def1] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1, "{odd}");
        }
    }

    /// Over all sets of three small points, exactly the affine combinations of the points satisfy the
    /// relations.
    #[test]
    fn hulls_of_few_points_are_exact() {
        let points: Vec<[u64; 2]> = (0..64).map(|index| [index % 8, index / 8]).collect();
        for a in points.iter().step_by(7) {
            for b in points.iter().step_by(3) {
                for c in points.iter().step_by(5) {
                    let found = satisfying(&hull(3, &[a, b, c]));
                    let mut combined = Vec::new();
                    for (s, t) in (0..8).flat_map(|s| (0..8).map(move |t| (s, t))) {
                        let at = |i: usize| (a[i] + s * (b[i] + 8 - a[i]) + t * (c[i] + 8 - a[i])) % 8;
                        combined.push([at(0), at(1)]);
                    }
                    combined.sort_unstable();
                    combined.dedup();
                    assert_eq!(found, combined, "{a:?} {b:?} {c:?}");
                }
            }
        }
    }
}
