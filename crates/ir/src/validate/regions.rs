//! The rules about regions of memory.

use super::Validator;
use crate::program::Region;
use crate::types::Type;
use rustc_hash::FxHashSet;

impl Validator<'_> {
    /// Checks all regions.
    pub(super) fn regions(&mut self) {
        let program = self.program;
        let mut names = FxHashSet::default();
        for region in program.regions.values() {
            let place = format!("region {}", region.name);
            self.name(&place, &region.name);
            if !names.insert(&region.name) {
                self.fault(&place, "another region has the same name");
            }
            let Type::Bv(width @ 1..=64) = region.addr else {
                self.fault(
                    &place,
                    format!("addresses of type {} are not supported, only i1 to i64", region.addr),
                );
                continue;
            };
            self.type_width(&place, region.cell);
            if region.cell.memory_bits().is_none_or(|bits| bits == 0 || bits % 8 != 0) {
                self.fault(&place, format!("cells of type {} are not a whole number of bytes", region.cell));
                continue;
            }
            let limit = 1u128 << width;
            self.extents(&place, region, limit);
            self.initial_values(&place, region, limit);
        }
    }

    /// Checks that extents are in order and end before a limit.
    fn extents(&mut self, place: &str, region: &Region, limit: u128) {
        let mut end = 0u128;
        for extent in &region.extents {
            let next = u128::from(extent.base) + u128::from(extent.size);
            if u128::from(extent.base) < end || extent.size == 0 {
                self.fault(
                    place,
                    format!("the extent at {:#x} is empty or does not follow the previous one", extent.base),
                );
            }
            if next > limit {
                self.fault(place, format!("the extent at {:#x} ends beyond the last address", extent.base));
            }
            end = next;
        }
    }

    /// Checks that initial values are in order, end before a limit and have the type of cells.
    fn initial_values(&mut self, place: &str, region: &Region, limit: u128) {
        let mut end = 0u128;
        for run in &region.init {
            let next = u128::from(run.addr) + u128::from(run.count) * u128::from(region.stride());
            if u128::from(run.addr) < end || run.count == 0 {
                self.fault(
                    place,
                    format!(
                        "the initial values at {:#x} are empty or do not follow the previous ones",
                        run.addr
                    ),
                );
            }
            if next > limit {
                self.fault(
                    place,
                    format!("the initial values at {:#x} end beyond the last address", run.addr),
                );
            }
            let ty = self.program.exprs.value(run.value).ty();
            if ty != region.cell {
                self.fault(
                    place,
                    format!("the initial value at {:#x} is {ty}, the cells are {}", run.addr, region.cell),
                );
            }
            end = next;
        }
    }
}
