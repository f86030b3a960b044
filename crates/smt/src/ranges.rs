//! Range operations: bytes that are filled or copied in one step.
//!
//! In a small region, the written bytes are moved to their addresses by two shifts over all cells, with a
//! stage for each bit of an address. Where an address is one of a few numbers, a choice between these
//! replaces a shift. In other regions, the resulting map is defined by cases.

use crate::encode::bits;
use crate::memory::Memory;
use crate::shape::{self, Numbers};
use crate::term::{Formula, Term, Unsupported};
use beeline_ir::{Extent, Region};
use std::collections::BTreeMap;
use z3::ast::{Ast, BV, Bool, Dynamic, lambda_const};

/// A range of bytes that is written.
#[derive(Debug, Clone, Copy)]
pub struct Written<'t> {
    /// The address of the first byte.
    pub to: &'t Term,
    /// The content.
    pub source: Source<'t>,
    /// The number of bytes.
    pub size: &'t Term,
}

/// The content of a range.
#[derive(Debug, Clone, Copy)]
pub enum Source<'t> {
    /// This byte, repeated.
    Byte(&'t Term),
    /// The bytes of the same region from this address on, as they were before.
    Copy(&'t Term),
}

/// The content of a region's byte before the operation.
type Cell<'c> = dyn FnMut(u64) -> Result<Term, Unsupported> + 'c;

/// The condition under which all accesses are allowed, in a region whose extents do not touch.
pub fn allowed(region: &Region, written: &Written<'_>) -> Formula {
    let size = bits(written.size);
    let none = match size.as_u64() {
        Some(size) => Formula::constant(size == 0),
        None => size.eq(number(0, size)).into(),
    };
    let from = match written.source {
        Source::Copy(from) => is_inside(region, bits(from), size),
        Source::Byte(_) => Formula::constant(true),
    };
    none.or(&is_inside(region, bits(written.to), size).and(&from))
}

/// The condition that so many bytes from an address on are in one extent.
fn is_inside(region: &Region, at: &BV, size: &BV) -> Formula {
    let fits = |room: &BV| match (size.as_u64(), room.as_u64()) {
        (Some(size), Some(room)) => Formula::constant(size <= room),
        _ => size.bvule(room).into(),
    };
    if let Some(at) = at.as_u64() {
        let room = region.extents.iter().find_map(|extent| room_behind(extent, at)).unwrap_or(0);
        return fits(&number(room, size));
    }
    Formula::any(region.extents.iter().map(|extent| {
        let (offset, whole) = (offset_in(extent, at), number(extent.size, at));
        Formula::from(offset.bvule(&whole)).and(&fits(&whole.bvsub(&offset)))
    }))
}

/// The number of bytes from an address to the end of an extent.
fn room_behind(extent: &Extent, at: u64) -> Option<u64> {
    extent.size.checked_sub(at.checked_sub(extent.base)?)
}

impl Memory {
    /// The map after an allowed range operation.
    pub fn with_range(&self, region: &Region, written: &Written<'_>) -> Memory {
        let width = region.addr.bv_width().unwrap_or(64);
        let addr = BV::fresh_const("addr", width);
        let offset = addr.bvsub(bits(written.to));
        let inside: Bool = offset.bvult(bits(written.size));
        let new = match written.source {
            Source::Byte(byte) => byte.dynamic(),
            Source::Copy(from) => self.0.select(&bits(from).bvadd(&offset)),
        };
        let body: Dynamic = inside.ite(&new, &self.0.select(&addr));
        Memory(lambda_const(&[&addr as &dyn Ast], &body))
    }
}

/// The cells of a small region that an allowed range operation changes.
pub fn write(
    region: &Region,
    written: &Written<'_>,
    cell: &mut Cell<'_>,
) -> Result<Vec<(u64, Term)>, Unsupported> {
    let count = most(region, bits(written.size));
    let mut bytes = Vec::with_capacity(count as usize);
    let source = match written.source {
        Source::Byte(byte) => vec![Some(byte.clone()); count as usize],
        Source::Copy(from) => gather(region, bits(from), count, cell)?,
    };
    for (index, byte) in (0..).zip(source) {
        bytes.push(byte.map(|byte| (byte, is_below(index, bits(written.size), count))));
    }
    scatter(region, bits(written.to), &bytes, cell)
}

/// The greatest number of bytes that can be written.
fn most(region: &Region, size: &BV) -> u64 {
    let room = region.extents.iter().map(|extent| extent.size).max().unwrap_or(0);
    let known = shape::numbers(size).and_then(|sizes| sizes.last().map(|(size, _)| *size));
    known.map_or(room, |known| known.min(room))
}

/// The condition that a number is less than a size, which is at most `most`.
fn is_below(index: u64, size: &BV, most: u64) -> Formula {
    match size.as_u64() {
        Some(size) => Formula::constant(index < size),
        None => {
            let width = (u64::BITS - most.leading_zeros()).clamp(1, size.get_size());
            let size = size.extract(width - 1, 0);
            number(index, &size).bvult(&size).into()
        }
    }
}

/// So many bytes from an address on, as far as they are in the extent of that address.
fn gather(
    region: &Region,
    from: &BV,
    count: u64,
    cell: &mut Cell<'_>,
) -> Result<Vec<Option<Term>>, Unsupported> {
    let mut found: Vec<Option<Term>> = vec![None; count as usize];
    if let Some(places) = few(region, from) {
        for (at, when) in places {
            let room = region.extents.iter().find_map(|extent| room_behind(extent, at)).unwrap_or(0);
            for (byte, place) in found.iter_mut().zip(at..at.saturating_add(room)) {
                *byte = choose(&when, Some(cell(place)?), byte.take());
            }
        }
        return Ok(found);
    }
    for extent in &region.extents {
        let offset = offset_in(extent, from);
        let mut bytes = (extent.base..extent.base + extent.size)
            .map(|at| cell(at).map(Some))
            .collect::<Result<Vec<_>, _>>()?;
        for stage in 0..stages(extent) {
            let shifted = is_set(&offset, stage);
            let next = |index: usize| bytes.get(index + (1 << stage)).cloned().flatten();
            bytes =
                (0..bytes.len()).map(|index| choose(&shifted, next(index), bytes[index].clone())).collect();
        }
        let here = is_here(region, extent, &offset);
        for (byte, new) in found.iter_mut().zip(bytes) {
            *byte = choose(&here, new, byte.take());
        }
    }
    Ok(found)
}

/// The cells that change when bytes are written from an address on. Each byte has a condition under which it
/// is written.
fn scatter(
    region: &Region,
    to: &BV,
    bytes: &[Option<(Term, Formula)>],
    cell: &mut Cell<'_>,
) -> Result<Vec<(u64, Term)>, Unsupported> {
    let mut new: BTreeMap<u64, Term> = BTreeMap::new();
    let mut put = |at: u64, when: &Formula, byte: &(Term, Formula)| {
        let when = when.and(&byte.1);
        if !when.is_constant(false) {
            let old = match new.get(&at) {
                Some(old) => old.clone(),
                None => cell(at)?,
            };
            new.insert(at, Term::ite(&when, &byte.0, &old));
        }
        Ok(())
    };
    if let Some(places) = few(region, to) {
        for (to, when) in places {
            let room = region.extents.iter().find_map(|extent| room_behind(extent, to)).unwrap_or(0);
            for (at, byte) in (to..to.saturating_add(room)).zip(bytes) {
                byte.iter().try_for_each(|byte| put(at, &when, byte))?;
            }
        }
        return Ok(new.into_iter().collect());
    }
    for extent in &region.extents {
        let offset = offset_in(extent, to);
        let mut shifted: Vec<Option<(Term, Formula)>> = bytes.to_vec();
        shifted.resize(extent.size as usize, None);
        for stage in 0..stages(extent) {
            let up = is_set(&offset, stage);
            let before = |index: usize| shifted.get(index.wrapping_sub(1 << stage)).cloned().flatten();
            shifted = (0..shifted.len())
                .map(|index| choose_byte(&up, before(index), shifted[index].clone()))
                .collect();
        }
        let here = is_here(region, extent, &offset);
        for (at, byte) in (extent.base..).zip(&shifted) {
            byte.iter().try_for_each(|byte| put(at, &here, byte))?;
        }
    }
    Ok(new.into_iter().collect())
}

/// The numbers that an address can have, if they are fewer than the stages of a shift.
fn few(region: &Region, at: &BV) -> Option<Numbers> {
    let most = region.extents.iter().map(stages).sum::<u32>().max(1);
    shape::numbers(at).filter(|numbers| numbers.len() <= most as usize)
}

/// The number of bits that distinguish the addresses of an extent.
fn stages(extent: &Extent) -> u32 {
    u64::BITS - extent.size.saturating_sub(1).leading_zeros()
}

fn is_here(region: &Region, extent: &Extent, offset: &BV) -> Formula {
    if region.extents.len() == 1 {
        return Formula::constant(true);
    }
    offset.bvult(number(extent.size, offset)).into()
}

fn is_set(offset: &BV, bit: u32) -> Formula {
    offset.extract(bit, bit).eq(BV::from_u64(1, 1)).into()
}

/// A choice between two bytes. If only one exists, it is chosen: the other may be anything.
fn choose(when: &Formula, then: Option<Term>, otherwise: Option<Term>) -> Option<Term> {
    match (then, otherwise) {
        (Some(then), Some(otherwise)) => Some(Term::ite(when, &then, &otherwise)),
        (then, otherwise) => then.or(otherwise),
    }
}

/// A choice between two bytes with conditions under which they are written. A missing byte is not written.
fn choose_byte(
    when: &Formula,
    then: Option<(Term, Formula)>,
    otherwise: Option<(Term, Formula)>,
) -> Option<(Term, Formula)> {
    let counts = |byte: &Option<(Term, Formula)>| {
        byte.as_ref().map_or(Formula::constant(false), |(_, counts)| counts.clone())
    };
    let counts = when.ite(&counts(&then), &counts(&otherwise));
    let byte = choose(when, then.map(|(byte, _)| byte), otherwise.map(|(byte, _)| byte))?;
    Some((byte, counts))
}

fn offset_in(extent: &Extent, at: &BV) -> BV {
    at.bvsub(number(extent.base, at))
}

fn number(value: u64, like: &BV) -> BV {
    BV::from_u64(value, like.get_size())
}

#[cfg(test)]
mod tests;
