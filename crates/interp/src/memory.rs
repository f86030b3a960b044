//! The memory of a running program: the contents of regions.
//!
//! Cells of at most 64 bits are in pages, which are allocated when one of their cells is accessed. The
//! initial value of a cell is looked up when the cell is first read. So the cost of a large object depends on
//! how much of it is used.

use crate::word;
use beeline_ir::{Bits, Program, Region, RegionId, Type, Value};
use cranelift_entity::PrimaryMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// The number of cells of a page.
const PAGE: usize = 512;
/// The accounted size of a cell in a hash map, in bytes.
const WIDE_CELL: usize = 128;

/// Cells of at most 64 bits, with addresses one stride apart.
#[derive(Debug, Clone)]
struct Page {
    cells: Vec<u8>,
    known: [bool; PAGE],
}

#[derive(Debug, Clone)]
struct Cells {
    stride: u64,
    /// The mask of address bits.
    mask: u64,
    cell: Type,
    /// The bytes of a cell in a page: 1, 2, 4 or 8; zero if cells are in `wide`.
    bytes: usize,
    pages: Vec<Page>,
    page_ids: FxHashMap<u64, u32>,
    /// The last used page.
    last: Option<(u64, u32)>,
    wide: FxHashMap<u64, Value>,
    /// Whether the initial values are gone.
    havocked: bool,
}

/// The cells of all regions.
#[derive(Debug, Clone)]
pub(crate) struct Memory<'a> {
    program: &'a Program,
    regions: PrimaryMap<RegionId, Cells>,
    /// The approximate size of the cells in bytes.
    pub used: usize,
}

/// An access to consecutive cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Access {
    pub region: RegionId,
    pub addr: u64,
    pub cells: u32,
}

impl Cells {
    fn new(region: &Region) -> Cells {
        let bytes = match region.cell.memory_bits() {
            Some(bits @ 1..=64) => (bits.div_ceil(8) as usize).next_power_of_two(),
            _ => 0,
        };
        Cells {
            stride: region.stride(),
            mask: u64::MAX >> (64 - region.addr.bv_width().unwrap_or(64).clamp(1, 64)),
            cell: region.cell,
            bytes,
            pages: Vec::new(),
            page_ids: FxHashMap::default(),
            last: None,
            wide: FxHashMap::default(),
            havocked: false,
        }
    }

    /// The address of the cell that comes so many cells later.
    fn behind(&self, addr: u64, index: u32) -> u64 {
        addr.wrapping_add(u64::from(index).wrapping_mul(self.stride)) & self.mask
    }

    /// A hash of the cells that have values, whichever came first.
    fn digest(&self) -> u64 {
        let mut sum = 0_u64;
        for (key, &id) in &self.page_ids {
            let page = &self.pages[id as usize];
            let known = page.known.iter().enumerate().filter(|(_, known)| **known);
            for (index, _) in known {
                sum = sum.wrapping_add(FxBuildHasher.hash_one((key, index, page.get(index, self.bytes))));
            }
        }
        for cell in &self.wide {
            sum = sum.wrapping_add(FxBuildHasher.hash_one(cell));
        }
        sum
    }

    /// The page of an address, and the index in it. Cells with overlapping addresses, as those of a word at 0
    /// and at 1, are different cells in different pages.
    fn page(&mut self, addr: u64, used: &mut usize) -> (&mut Page, usize) {
        let (number, rest) =
            if self.stride == 1 { (addr, 0) } else { (addr / self.stride, addr % self.stride) };
        let key = (number / PAGE as u64) * self.stride + rest;
        let id = match self.last {
            Some((last, id)) if last == key => id,
            _ => {
                let pages = &mut self.pages;
                let id = *self.page_ids.entry(key).or_insert_with(|| {
                    pages.push(Page { cells: vec![0; PAGE * self.bytes], known: [false; PAGE] });
                    *used += PAGE * (self.bytes + 1);
                    pages.len() as u32 - 1
                });
                self.last = Some((key, id));
                id
            }
        };
        (&mut self.pages[id as usize], (number % PAGE as u64) as usize)
    }
}

impl Page {
    fn get(&self, index: usize, bytes: usize) -> u64 {
        let at = index * bytes;
        match (bytes, &self.cells[at..at + bytes]) {
            (1, cell) => u64::from(cell[0]),
            (2, &[a, b]) => u64::from(u16::from_le_bytes([a, b])),
            (4, &[a, b, c, d]) => u64::from(u32::from_le_bytes([a, b, c, d])),
            (_, cell) => cell.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
        }
    }

    fn set(&mut self, index: usize, bytes: usize, word: u64) {
        let at = index * bytes;
        self.cells[at..at + bytes].copy_from_slice(&word.to_le_bytes()[..bytes]);
        self.known[index] = true;
    }
}

impl<'a> Memory<'a> {
    /// The memory at the start of a program.
    pub(crate) fn new(program: &'a Program) -> Memory<'a> {
        Memory { program, regions: program.regions.values().map(Cells::new).collect(), used: 0 }
    }

    /// A cell that is a word. `fresh` determines its value if it may have any.
    fn word(&mut self, region: RegionId, addr: u64, fresh: &mut dyn FnMut(u64, Type) -> Value) -> u64 {
        let cells = &mut self.regions[region];
        let (bytes, cell, havocked) = (cells.bytes, cells.cell, cells.havocked);
        let (page, index) = cells.page(addr, &mut self.used);
        if page.known[index] {
            return page.get(index, bytes);
        }
        let value = match initial(self.program, region, addr).filter(|_| !havocked) {
            Some(value) => word::of_value(value),
            None => word::of_value(&fresh(addr, cell)),
        };
        page.set(index, bytes, value);
        value
    }

    /// A cell that is not a word.
    fn wide(&mut self, region: RegionId, addr: u64, fresh: &mut dyn FnMut(u64, Type) -> Value) -> Value {
        let cells = &mut self.regions[region];
        if let Some(value) = cells.wide.get(&addr) {
            return value.clone();
        }
        let value = match initial(self.program, region, addr).filter(|_| !cells.havocked) {
            Some(value) => value.clone(),
            None => fresh(addr, cells.cell),
        };
        cells.wide.insert(addr, value.clone());
        self.used += WIDE_CELL;
        value
    }

    /// The value of a cell, if it was written or read before, or has one from the start.
    pub(crate) fn known(&mut self, region: RegionId, addr: u64) -> Option<Value> {
        let cells = &mut self.regions[region];
        let (bytes, cell, havocked) = (cells.bytes, cells.cell, cells.havocked);
        if bytes == 0 {
            if let Some(value) = cells.wide.get(&addr) {
                return Some(value.clone());
            }
        } else {
            let (page, index) = cells.page(addr, &mut self.used);
            if page.known[index] {
                return Some(word::to_value(cell, page.get(index, bytes)));
            }
        }
        initial(self.program, region, addr).filter(|_| !havocked).cloned()
    }

    /// Reads a value that is a word.
    pub(crate) fn load_word(
        &mut self,
        access: Access,
        ty: Type,
        mut fresh: impl FnMut(u64, Type) -> Value,
    ) -> u64 {
        let Access { region, addr, cells: count } = access;
        let cell = self.regions[region].cell;
        if count == 1 {
            let word = self.word(region, addr, &mut fresh);
            return if cell == ty { word } else { word::of_image(ty, word) };
        }
        let bits = cell.memory_bits().unwrap_or(8);
        let mut image = 0;
        for index in 0..count {
            let addr = self.regions[region].behind(addr, index);
            let part = self.word(region, addr, &mut fresh);
            let place = if self.program.big_endian { count - 1 - index } else { index };
            image |= part << (place * bits);
        }
        word::of_image(ty, image)
    }

    /// Reads any value.
    pub(crate) fn load(
        &mut self,
        access: Access,
        ty: Type,
        mut fresh: impl FnMut(u64, Type) -> Value,
    ) -> Value {
        if word::fits(ty) {
            return word::to_value(ty, self.load_word(access, ty, fresh));
        }
        let Access { region, addr, cells: count } = access;
        let (cell, is_word) = (self.regions[region].cell, self.regions[region].bytes > 0);
        if cell == ty {
            return self.wide(region, addr, &mut fresh);
        }
        let size = cell.memory_bits().unwrap_or(8).div_ceil(8) as usize;
        let mut image = vec![0; size * count as usize];
        for index in 0..count {
            let addr = self.regions[region].behind(addr, index);
            let place = if self.program.big_endian { count - 1 - index } else { index };
            let part = &mut image[place as usize * size..][..size];
            if is_word {
                part.copy_from_slice(&self.word(region, addr, &mut fresh).to_le_bytes()[..size]);
            } else if let Some(bits) = self.wide(region, addr, &mut fresh).memory_image() {
                part.copy_from_slice(&bits.to_le_bytes()[..size]);
            }
        }
        let bits = Bits::from_le_bytes(ty.memory_bits().unwrap_or(0), &image);
        Value::from_image(ty, bits).unwrap_or_else(|| Value::zero(ty))
    }

    /// Writes a value that is a word.
    pub(crate) fn store_word(&mut self, access: Access, value: u64) {
        let Access { region, addr, cells: count } = access;
        let big_endian = self.program.big_endian;
        let cells = &mut self.regions[region];
        let bytes = cells.bytes;
        if count == 1 {
            let value = word::of_image(cells.cell, value);
            let (page, index) = cells.page(addr, &mut self.used);
            return page.set(index, bytes, value);
        }
        let bits = cells.cell.memory_bits().unwrap_or(8);
        for index in 0..count {
            let addr = cells.behind(addr, index);
            let place = if big_endian { count - 1 - index } else { index };
            let part = value >> (place * bits) & (u64::MAX >> (64 - bits));
            let (page, index) = cells.page(addr, &mut self.used);
            page.set(index, bytes, part);
        }
    }

    /// Writes any value.
    pub(crate) fn store(&mut self, access: Access, value: &Value) {
        if word::fits(value.ty()) {
            return self.store_word(access, word::of_value(value));
        }
        let Access { region, addr, cells: count } = access;
        let big_endian = self.program.big_endian;
        let cells = &mut self.regions[region];
        if cells.cell == value.ty() {
            self.used += if cells.wide.insert(addr, value.clone()).is_none() { WIDE_CELL } else { 0 };
            return;
        }
        let Some(image) = value.memory_image() else { return };
        let (image, size) = (image.to_le_bytes(), cells.cell.memory_bits().unwrap_or(8).div_ceil(8) as usize);
        for index in 0..count {
            let addr = cells.behind(addr, index);
            let place = if big_endian { count - 1 - index } else { index };
            let part = Bits::from_le_bytes(size as u32 * 8, &image[place as usize * size..][..size]);
            if cells.bytes > 0 {
                let bytes = cells.bytes;
                let (page, index) = cells.page(addr, &mut self.used);
                page.set(index, bytes, part.to_u64().unwrap_or(0));
            } else if let Some(part) = Value::from_image(cells.cell, part) {
                self.used += if cells.wide.insert(addr, part).is_none() { WIDE_CELL } else { 0 };
            }
        }
    }

    /// A hash of all cells that have values, whichever came first.
    pub(crate) fn digest(&self) -> u64 {
        let mut sum = 0_u64;
        for (region, cells) in &self.regions {
            let part = (region, cells.havocked, cells.digest());
            sum = sum.wrapping_add(FxBuildHasher.hash_one(part));
        }
        sum
    }

    /// Gives all cells of a region any value.
    pub(crate) fn havoc(&mut self, region: RegionId) {
        let fresh = Cells { havocked: true, ..Cells::new(&self.program.regions[region]) };
        let old = std::mem::replace(&mut self.regions[region], fresh);
        let freed = old.pages.len() * PAGE * (old.bytes + 1) + old.wide.len() * WIDE_CELL;
        self.used = self.used.saturating_sub(freed);
    }
}

/// The initial value of a cell.
fn initial(program: &Program, region: RegionId, addr: u64) -> Option<&Value> {
    let data = &program.regions[region];
    let after = data.init.partition_point(|run| run.addr <= addr);
    let run = &data.init[after.checked_sub(1)?];
    let (offset, stride) = (addr - run.addr, data.stride());
    (offset.is_multiple_of(stride) && offset / stride < run.count).then(|| program.exprs.value(run.value))
}
