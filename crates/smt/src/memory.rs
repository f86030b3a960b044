//! Memory regions as arrays from addresses to cells.

use crate::ast::{numeral, parts};
use crate::float;
use crate::shape;
use crate::term::Unsupported;
use crate::term::{Formula, Kind, Term, check_type};
use beeline_ir::{Bits, ExprPool, Region, Type, Value, cells_of};
use z3::Sort;
use z3::ast::{Array, BV, Bool, Dynamic};

/// The content of a region: a term for the whole map.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Memory(pub(crate) Array);

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl Formula {
    /// Does the formula mention a region's content?
    pub fn mentions_memory(&self, memory: &Memory) -> bool {
        let memory = Dynamic::from_ast(&memory.0);
        self.known().is_none() && parts(&self.dynamic()).any(|part| part == memory)
    }
}

pub(crate) fn type_sort(ty: Type) -> Sort {
    match ty {
        Type::Bool => Sort::bool(),
        Type::Bv(width) => Sort::bitvector(width),
        Type::Float(kind) => float::sort(kind),
    }
}

impl Memory {
    /// A map of which nothing is known.
    pub fn fresh(name: &str, region: &Region) -> Result<Memory, Unsupported> {
        check_type(region.cell)?;
        Ok(Memory(Array::fresh_const(name, &type_sort(region.addr), &type_sort(region.cell))))
    }

    /// The map with a name; equal names give equal maps.
    pub fn named(name: &str, region: &Region) -> Result<Memory, Unsupported> {
        check_type(region.cell)?;
        Ok(Memory(Array::new_const(name, &type_sort(region.addr), &type_sort(region.cell))))
    }

    /// The facts about a map that is a region's initial content.
    ///
    /// A long run becomes one quantified fact, a short one a fact for each cell.
    pub fn initially(&self, region: &Region, pool: &ExprPool) -> Result<Formula, Unsupported> {
        const LONG: u64 = 256;
        let width = region.addr.bv_width().unwrap_or(64);
        let stride = region.stride();
        let mut facts = Vec::new();
        for run in &region.init {
            let value = Term::value(pool.value(run.value))?.dynamic();
            if run.count > LONG {
                facts.push(self.long_run(run.addr, run.count, stride, width, &value));
                continue;
            }
            for index in 0..run.count {
                let addr = BV::from_u64(run.addr.wrapping_add(index.wrapping_mul(stride)), width);
                facts.push(self.0.select(&addr).eq(&value).into());
            }
        }
        Ok(Formula::all(facts))
    }

    fn long_run(&self, base: u64, count: u64, stride: u64, width: u32, value: &Dynamic) -> Formula {
        let addr = BV::fresh_const("addr", width);
        let offset = addr.bvsub(BV::from_u64(base, width));
        let bytes = count.saturating_mul(stride);
        let mut inside = vec![offset.bvule(BV::from_u64(bytes - 1, width))];
        if stride > 1 {
            inside.push(offset.bvurem(BV::from_u64(stride, width)).eq(BV::from_u64(0, width)));
        }
        let body = Bool::and(&inside).implies(self.0.select(&addr).eq(value));
        z3::ast::forall_const(&[&addr], &[], &body).into()
    }

    /// A choice between two maps.
    pub fn ite(cond: &Formula, then: &Memory, otherwise: &Memory) -> Memory {
        if cond.is_constant(true) || then == otherwise {
            then.clone()
        } else if cond.is_constant(false) {
            otherwise.clone()
        } else {
            Memory(cond.z3().ite(&then.0, &otherwise.0))
        }
    }

    /// The formula that two maps are equal.
    pub fn same(&self, other: &Memory) -> Formula {
        if self == other { Formula::constant(true) } else { self.0.eq(&other.0).into() }
    }

    /// Whether it is an uninterpreted constant.
    pub fn is_symbol(&self) -> bool {
        crate::ast::is_symbol(&Dynamic::from_ast(&self.0))
    }

    /// The cell at a fixed address.
    pub fn cell(&self, region: &Region, addr: u64) -> Term {
        let width = region.addr.bv_width().unwrap_or(64);
        let cell = self.0.select(&BV::from_u64(addr, width));
        Term::from_dynamic(region.cell, &cell).expect("a cell has the type of cells")
    }

    /// The value of a type at an address.
    pub(crate) fn load(&self, region: &Region, big_endian: bool, addr: &BV, ty: Type) -> Option<Term> {
        let count = u64::from(cells_of(ty, region.cell)?);
        let cells = (0..count).map(|index| self.0.select(&nth(addr, index, region.stride())));
        let cells = cells.map(|cell| Term::from_dynamic(region.cell, &cell)).collect::<Option<_>>()?;
        assemble(region, big_endian, cells, ty)
    }

    /// The cell at a fixed address of an uninterpreted map, as a constant of its own. Where all cells are
    /// used like this, there is no map.
    pub fn single_cell(&self, region: &Region, addr: u64) -> Result<Term, Unsupported> {
        Term::named(&format!("{}[{addr:#x}]", self.0), region.cell)
    }

    /// The map after a store of a value at an address.
    pub(crate) fn store(&self, region: &Region, big_endian: bool, addr: &BV, value: &Term) -> Option<Memory> {
        let mut array = self.0.clone();
        for (index, cell) in (0..).zip(Memory::split(region, big_endian, value)?) {
            array = array.store(&nth(addr, index, region.stride()), &cell.dynamic());
        }
        Some(Memory(array))
    }

    /// The map with another cell at an address.
    pub fn with_cell(&self, region: &Region, addr: u64, cell: &Term) -> Memory {
        let width = region.addr.bv_width().unwrap_or(64);
        Memory(self.0.store(&BV::from_u64(addr, width), &cell.dynamic()))
    }

    /// The cells of a value, the one at the lowest address first.
    pub fn split(region: &Region, big_endian: bool, value: &Term) -> Option<Vec<Term>> {
        if value.ty() == region.cell {
            return Some(vec![value.clone()]);
        }
        let image = match &value.0 {
            Kind::Bv(bits) => bits.clone(),
            Kind::Float(kind, float) => float::to_bits(*kind, float),
            Kind::Bool(_) => return None,
        };
        let (count, width) = (cells_of(value.ty(), region.cell)?, region.cell.bv_width()?);
        let cell =
            |index: u32| Term(Kind::Bv(shape::extract(&image, index * width + width - 1, index * width)));
        let mut cells: Vec<Term> = (0..count).map(cell).collect();
        if big_endian {
            cells.reverse();
        }
        Some(cells)
    }
}

/// The value of a type in some cells, the one at the lowest address first.
pub(crate) fn assemble(region: &Region, big_endian: bool, cells: Vec<Term>, ty: Type) -> Option<Term> {
    if ty == region.cell {
        return cells.into_iter().next();
    }
    let as_bits = |cell: Term| if let Kind::Bv(bits) = cell.0 { Some(bits) } else { None };
    let mut parts = cells.into_iter().map(as_bits).collect::<Option<Vec<BV>>>()?;
    // From here on the most significant cell comes first.
    if !big_endian {
        parts.reverse();
    }
    let image = shape::concat(&parts);
    Some(match ty {
        Type::Float(kind) => Term(Kind::Float(kind, float::from_bits(kind, &image))),
        _ => Term(Kind::Bv(image)),
    })
}

fn nth(addr: &BV, index: u64, stride: u64) -> BV {
    if index == 0 { addr.clone() } else { addr.bvadd(BV::from_u64(index * stride, addr.get_size())) }
}

/// The condition under which a value of a type may be accessed at an address.
pub(crate) fn allowed(region: &Region, addr: &BV, ty: Type) -> Formula {
    if region.extents.is_empty() {
        return Formula::constant(true);
    }
    let bytes = u64::from(cells_of(ty, region.cell).unwrap_or(1)) * region.stride();
    if let Some(known) = addr.as_u64() {
        return Formula::constant(region.allows(known, bytes));
    }
    let width = addr.get_size();
    let inside = region.extents.iter().filter(|extent| extent.size >= bytes).map(|extent| {
        let offset = addr.bvsub(BV::from_u64(extent.base, width));
        offset.bvule(numeral(&Bits::new(width, extent.size - bytes))).into()
    });
    Formula::any(inside)
}

/// For a region without extents: the condition that an address is aligned, above the first pages, and far
/// below the end of an address space of its width.
pub(crate) fn plausible(region: &Region, addr: &BV) -> Option<Formula> {
    if !region.extents.is_empty() {
        return None;
    }
    let width = addr.get_size();
    let top: u64 = if width >= 48 { 1 << 46 } else { 0xb000_0000 };
    let number = |value: u64| BV::from_u64(value, width);
    let aligned = addr.bvurem(number(region.stride().next_power_of_two())).eq(number(0));
    let (above, below) = (addr.bvuge(number(1 << 16)), addr.bvult(number(top)));
    Some(Formula::all([aligned.into(), above.into(), below.into()]))
}

/// The initial value of a cell, if it is fixed.
pub fn initial_cell<'a>(region: &Region, pool: &'a ExprPool, addr: u64) -> Option<&'a Value> {
    let after = region.init.partition_point(|run| run.addr <= addr);
    let run = &region.init[after.checked_sub(1)?];
    let (offset, stride) = (addr - run.addr, region.stride());
    (offset.is_multiple_of(stride) && offset / stride < run.count).then(|| pool.value(run.value))
}
