//! Scalarised memory: accesses at unknown addresses as terms over single cells, without maps.
//!
//! Z3's theory of arrays considers pairs of accesses, which is expensive where many accesses meet. Where an
//! address is one of a few numbers, a choice between these is cheaper. In a small region it is a choice
//! between all cells by the bits of the address.

use crate::encode::bits;
use crate::memory::{Memory, assemble};
pub use crate::shape::Numbers;
use crate::term::{Formula, Term, Unsupported};
use beeline_ir::{Extent, Region, Type, cells_of};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;
use z3::ast::BV;

/// The greatest number of addresses of a scalarised region.
const MOST_ADDRESSES: u64 = 1024;

/// Whether accesses at unknown addresses of the region are choices between cells.
pub fn is_flat(region: &Region) -> bool {
    (1..=MOST_ADDRESSES).contains(&addresses(region))
}

/// The number of addresses of a region.
pub fn addresses(region: &Region) -> u64 {
    region.extents.iter().fold(0, |sum, extent| sum.saturating_add(extent.size))
}

/// The contents of maps before anything was written to them. As long as possible, the cells of a map are used
/// one by one, each as a constant of its own. If the map is needed later, it agrees with these constants.
#[derive(Debug, Default)]
pub struct Outside(RefCell<FxHashMap<Memory, Seen>>);

/// How a map was used.
#[derive(Debug)]
enum Seen {
    /// These cells of it.
    Cells(BTreeMap<u64, Term>),
    /// The whole map.
    Map,
}

impl Outside {
    /// The cell of a map at an address.
    pub fn cell(&self, region: &Region, base: &Memory, addr: u64) -> Result<Term, Unsupported> {
        if !base.is_symbol() {
            return Ok(base.cell(region, addr));
        }
        match self.0.borrow_mut().entry(base.clone()).or_insert_with(|| Seen::Cells(BTreeMap::new())) {
            Seen::Map => Ok(base.cell(region, addr)),
            Seen::Cells(cells) => {
                let cell = base.single_cell(region, addr)?;
                cells.insert(addr, cell.clone());
                Ok(cell)
            }
        }
    }

    /// Uses a map as a whole from now on. Returns the facts that it agrees with the cells used before.
    pub fn use_map(&mut self, region: &Region, base: &Memory) -> Vec<Formula> {
        if !base.is_symbol() {
            return Vec::new();
        }
        match self.0.get_mut().insert(base.clone(), Seen::Map) {
            Some(Seen::Cells(cells)) => {
                cells.iter().map(|(&addr, cell)| base.cell(region, addr).same(cell)).collect()
            }
            Some(Seen::Map) | None => Vec::new(),
        }
    }
}

/// The value of a type at an address where the access is allowed. The address is one of some numbers, or the
/// region is scalarised.
pub fn read(
    region: &Region,
    big_endian: bool,
    at: &Term,
    among: Option<&Numbers>,
    ty: Type,
    cell: &mut dyn FnMut(u64) -> Result<Term, Unsupported>,
) -> Result<Term, Unsupported> {
    let bytes = u64::from(cells_of(ty, region.cell).unwrap_or(1)) * region.stride();
    if let Some(known) = bits(at).as_u64() {
        let addresses = (0..bytes / region.stride()).map(|index| known.wrapping_add(index * region.stride()));
        let cells = addresses.map(cell).collect::<Result<_, _>>()?;
        return Ok(assemble(region, big_endian, cells, ty).expect("loads are typed"));
    }
    if let Some(numbers) = among {
        return read_among(region, big_endian, numbers, ty, cell);
    }
    let mut found: Option<Term> = None;
    for extent in region.extents.iter().filter(|extent| extent.size >= bytes) {
        let mut leaves = Vec::new();
        for offset in 0..=extent.size - bytes {
            let addresses =
                (0..bytes / region.stride()).map(|index| extent.base + offset + index * region.stride());
            let cells = addresses.map(&mut *cell).collect::<Result<_, _>>()?;
            leaves.push(assemble(region, big_endian, cells, ty).expect("loads are typed"));
        }
        let offset = offset_in(extent, bits(at));
        let chosen = choose(leaves, &offset);
        found = Some(match found {
            Some(other) => Term::ite(&is_inside(extent, &offset), &chosen, &other),
            None => chosen,
        });
    }
    // If no extent is large enough, no access is allowed, and any value will do.
    found.map_or_else(|| Term::fresh("nothing", ty), Ok)
}

/// The value of a type at one of some addresses.
fn read_among(
    region: &Region,
    big_endian: bool,
    numbers: &Numbers,
    ty: Type,
    cell: &mut dyn FnMut(u64) -> Result<Term, Unsupported>,
) -> Result<Term, Unsupported> {
    let count = u64::from(cells_of(ty, region.cell).unwrap_or(1));
    let mut found: Option<Term> = None;
    for (addr, when) in numbers.iter().filter(|(addr, _)| region.allows(*addr, count * region.stride())) {
        let addresses = (0..count).map(|index| addr + index * region.stride());
        let cells = addresses.map(&mut *cell).collect::<Result<_, _>>()?;
        let value = assemble(region, big_endian, cells, ty).expect("loads are typed");
        found = Some(match found {
            Some(other) => Term::ite(when, &value, &other),
            None => value,
        });
    }
    found.map_or_else(|| Term::fresh("nothing", ty), Ok)
}

/// The cells that an allowed store of a value changes. The address is one of some numbers, or the region is
/// scalarised.
pub fn write(
    region: &Region,
    big_endian: bool,
    at: &Term,
    among: Option<&Numbers>,
    value: &Term,
    cell: &mut dyn FnMut(u64) -> Result<Term, Unsupported>,
) -> Result<Vec<(u64, Term)>, Unsupported> {
    let parts = Memory::split(region, big_endian, value).expect("stores are typed");
    if let Some(numbers) = among {
        return write_among(region, numbers, &parts, cell);
    }
    let several = region.extents.len() > 1;
    let mut written = Vec::new();
    for extent in &region.extents {
        let offset = offset_in(extent, bits(at));
        let inside = if several { is_inside(extent, &offset) } else { Formula::constant(true) };
        for place in 0..extent.size {
            let old = cell(extent.base + place)?;
            let mut new = old.clone();
            for (index, part) in (0..).zip(&parts) {
                let Some(start) = place.checked_sub(index * region.stride()) else { break };
                let here = low_bits(&offset, extent.size).eq(number(start, &low_bits(&offset, extent.size)));
                new = Term::ite(&inside.and(&here.into()), part, &new);
            }
            if new != old {
                written.push((extent.base + place, new));
            }
        }
    }
    Ok(written)
}

/// The cells that change when some are stored from one of several addresses on.
fn write_among(
    region: &Region,
    numbers: &Numbers,
    parts: &[Term],
    cell: &mut dyn FnMut(u64) -> Result<Term, Unsupported>,
) -> Result<Vec<(u64, Term)>, Unsupported> {
    let mut written: BTreeMap<u64, Term> = BTreeMap::new();
    let bytes = parts.len() as u64 * region.stride();
    for (addr, when) in numbers.iter().filter(|(addr, _)| region.allows(*addr, bytes)) {
        for (index, part) in (0..).zip(parts) {
            let place = addr + index * region.stride();
            let old = match written.get(&place) {
                Some(old) => old.clone(),
                None => cell(place)?,
            };
            written.insert(place, Term::ite(when, part, &old));
        }
    }
    Ok(written.into_iter().collect())
}

fn offset_in(extent: &Extent, at: &BV) -> BV {
    at.bvsub(BV::from_u64(extent.base, at.get_size()))
}

fn is_inside(extent: &Extent, offset: &BV) -> Formula {
    offset.bvult(number(extent.size, offset)).into()
}

fn number(value: u64, like: &BV) -> BV {
    BV::from_u64(value, like.get_size())
}

/// The low bits of an offset that distinguish offsets below a size.
fn low_bits(offset: &BV, size: u64) -> BV {
    let width = u64::BITS - (size - 1).leading_zeros();
    offset.extract(width.clamp(1, offset.get_size()) - 1, 0)
}

/// The leaf that an offset selects.
fn choose(mut leaves: Vec<Term>, offset: &BV) -> Term {
    let mut bit = 0;
    while leaves.len() > 1 {
        let is_odd: Formula = offset.extract(bit, bit).eq(BV::from_u64(1, 1)).into();
        let pairs = leaves.chunks(2).map(|pair| match pair {
            [even, odd] => Term::ite(&is_odd, odd, even),
            [even] => even.clone(),
            _ => unreachable!("there are one or two"),
        });
        leaves = pairs.collect();
        bit += 1;
    }
    leaves.pop().expect("there is a leaf")
}

#[cfg(test)]
mod tests;
