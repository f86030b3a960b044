//! What regions hold while a program runs.

use beeline_ir::{Bits, Program, Region, RegionId, Type, Value, cells_of};
use cranelift_entity::SecondaryMap;
use rustc_hash::FxHashMap;

/// The cells of all regions that were written or looked at.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    cells: SecondaryMap<RegionId, FxHashMap<u64, Value>>,
    /// Regions whose initial values are gone.
    havocked: SecondaryMap<RegionId, bool>,
}

/// The addresses of the cells of a value, wrapped at the width of addresses.
fn addresses(region: &Region, addr: u64, count: u32) -> impl Iterator<Item = u64> + use<> {
    let stride = region.stride();
    let width = region.addr.bv_width().unwrap_or(64);
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    (0..u64::from(count)).map(move |index| addr.wrapping_add(index.wrapping_mul(stride)) & mask)
}

/// Is the access inside the region's objects?
pub fn is_inside(region: &Region, addr: u64, ty: Type) -> bool {
    let count = u64::from(cells_of(ty, region.cell).unwrap_or(1));
    region.allows(addr, count * region.stride())
}

impl Memory {
    /// The value of a cell, if it is known.
    pub fn cell(&self, program: &Program, region: RegionId, addr: u64) -> Option<Value> {
        if let Some(value) = self.cells[region].get(&addr) {
            return Some(value.clone());
        }
        if self.havocked[region] {
            return None;
        }
        initial(program, region, addr)
    }

    /// Sets a cell.
    pub fn set_cell(&mut self, region: RegionId, addr: u64, value: Value) {
        self.cells[region].insert(addr, value);
    }

    /// Reads a value; `fresh` gives cells that hold any value one.
    pub fn load(
        &mut self,
        program: &Program,
        region: RegionId,
        addr: u64,
        ty: Type,
        mut fresh: impl FnMut(u64, Type) -> Value,
    ) -> Option<Value> {
        let data = &program.regions[region];
        let count = cells_of(ty, data.cell)?;
        let mut image: Option<Bits> = None;
        for addr in addresses(data, addr, count) {
            let cell = match self.cell(program, region, addr) {
                Some(value) => value,
                None => {
                    let value = fresh(addr, data.cell);
                    self.set_cell(region, addr, value.clone());
                    value
                }
            };
            if count == 1 && data.cell == ty {
                return Some(cell);
            }
            let part = cell.memory_image()?;
            image = Some(match image {
                None => part.clone(),
                Some(low) if !program.big_endian => part.concat(&low),
                Some(high) => high.concat(part),
            });
        }
        Value::from_image(ty, image?)
    }

    /// Writes a value.
    pub fn store(&mut self, program: &Program, region: RegionId, addr: u64, value: &Value) {
        let data = &program.regions[region];
        let Some(count) = cells_of(value.ty(), data.cell) else { return };
        if count == 1 && data.cell == value.ty() {
            return self.set_cell(region, addr, value.clone());
        }
        let Some(image) = value.memory_image() else { return };
        let bits = image.width() / count;
        for (index, addr) in addresses(data, addr, count).enumerate() {
            let index = if program.big_endian { count - 1 - index as u32 } else { index as u32 };
            let part = image.extract((index + 1) * bits - 1, index * bits);
            if let Some(part) = Value::from_image(data.cell, part) {
                self.set_cell(region, addr, part);
            }
        }
    }

    /// All cells of a region hold any values.
    pub fn havoc(&mut self, region: RegionId) {
        self.cells[region].clear();
        self.havocked[region] = true;
    }
}

/// What a cell holds at the start.
pub fn initial(program: &Program, region: RegionId, addr: u64) -> Option<Value> {
    let data = &program.regions[region];
    let after = data.init.partition_point(|run| run.addr <= addr);
    let run = &data.init[after.checked_sub(1)?];
    let offset = addr - run.addr;
    let stride = data.stride();
    (offset.is_multiple_of(stride) && offset / stride < run.count)
        .then(|| program.exprs.value(run.value).clone())
}
