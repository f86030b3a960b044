//! Maps, by what is read of them.
//!
//! A read of a map after a store is the stored value if the addresses are the same, and otherwise a read of the map before.
//! So all reads come down to reads of maps of which nothing is known, and such a map is known by its cells that are read: cells
//! at the same address are the same (Ackermann's reduction). A fact about all addresses is stated for those that are read. Both
//! state less than is true of the maps, so that what is contradictory here is contradictory there.
//!
//! Two maps are the same if their cells are; a truth value stands for it. If it does not hold, they differ at some address. If
//! it holds, they have the same cells at the addresses that are read or written.

use crate::encode::{Bits, Encoding, NoCircuit};
use crate::gates::{FALSE, TRUE};
use beeline_lrat::Literal;
use beeline_smt::parts::{Op, Sort};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::rc::Rc;

impl Encoding<'_> {
    /// The cell of a map at an address.
    pub(crate) fn read(&mut self, map: usize, at: &Bits) -> Result<Bits, NoCircuit> {
        let key = (map, Rc::clone(at));
        if let Some(known) = self.maps.known.get(&key) {
            return Ok(Rc::clone(known));
        }
        self.gates.fits()?;
        let node = &self.parts.nodes[map];
        if node.open {
            return Err(NoCircuit::Unsupported("a map that depends on a bound variable"));
        }
        let cell: Bits = match (&node.op, &node.args[..]) {
            (Op::Symbol, []) => self.cell(map, at)?,
            (Op::Store, &[before, addr, value]) => {
                let (addr, value) = (self.value(addr, None)?, self.value(value, None)?);
                let here = self.gates.equal(at, &addr);
                if here == TRUE {
                    value
                } else {
                    let other = self.read(before, at)?;
                    self.gates.choose(here, &value, &other).into()
                }
            }
            (Op::Ite, &[c, a, b]) => match self.value(c, None)?[0] {
                TRUE => self.read(a, at)?,
                FALSE => self.read(b, at)?,
                c => {
                    let (a, b) = (self.read(a, at)?, self.read(b, at)?);
                    self.gates.choose(c, &a, &b).into()
                }
            },
            (Op::Lambda, &[body]) => self.value(body, Some(at))?,
            _ => return Err(NoCircuit::Unsupported("a map of another kind")),
        };
        self.maps.known.insert(key, Rc::clone(&cell));
        Ok(cell)
    }

    /// The cell of a map of which nothing is known.
    fn cell(&mut self, map: usize, at: &Bits) -> Result<Bits, NoCircuit> {
        let Sort::Map(_, sort) = &self.parts.nodes[map].sort else {
            return Err(NoCircuit::Unsupported("a cell of what is no map"));
        };
        let cell: Bits = self.any(sort)?.into();
        let others = self.maps.cells.entry(map).or_default().clone();
        for (addr, other) in others {
            let same = self.gates.equal(at, &addr);
            for (&a, &b) in cell.iter().zip(&*other) {
                self.gates.assert(&[-same, -a, b]);
                self.gates.assert(&[-same, a, -b]);
            }
            self.gates.fits()?;
        }
        self.maps.cells.entry(map).or_default().push((Rc::clone(at), Rc::clone(&cell)));
        Ok(cell)
    }

    /// Whether two maps are the same.
    pub(crate) fn same_maps(&mut self, a: usize, b: usize) -> Result<Literal, NoCircuit> {
        if a == b {
            return Ok(TRUE);
        }
        let Sort::Map(width, _) = self.parts.nodes[a].sort else {
            return Err(NoCircuit::Unsupported("maps of different sorts"));
        };
        let same = self.gates.input();
        let at: Bits = self.gates.word(width as usize).into();
        let (x, y) = (self.read(a, &at)?, self.read(b, &at)?);
        let equal = self.gates.equal(&x, &y);
        self.gates.assert(&[same, -equal]);
        self.maps.compared.push((a, b, same));
        self.maps.partial = true;
        Ok(same)
    }

    /// States facts about all addresses for those that are read.
    pub(crate) fn instantiate(&mut self, facts: Vec<usize>) -> Result<(), NoCircuit> {
        self.maps.partial |= !facts.is_empty();
        let mut stated: FxHashSet<(usize, Bits)> = FxHashSet::default();
        loop {
            let before = stated.len();
            for &fact in &facts {
                let body = self.parts.nodes[fact].args[0];
                for at in self.read_at(&self.read_within(body)) {
                    if stated.insert((fact, Rc::clone(&at))) {
                        let holds = self.value(body, Some(&at))?[0];
                        self.gates.assert(&[holds]);
                    }
                }
            }
            for (index, (a, b, same)) in self.maps.compared.clone().into_iter().enumerate() {
                let (mut maps, mut written) = (BTreeSet::new(), Vec::new());
                self.below(&[a, b], &mut maps, &mut written)?;
                for at in self.read_at(&maps).into_iter().chain(written) {
                    // Facts have other numbers than comparisons.
                    if stated.insert((self.parts.nodes.len() + index, Rc::clone(&at))) {
                        let (x, y) = (self.read(a, &at)?, self.read(b, &at)?);
                        let equal = self.gates.equal(&x, &y);
                        self.gates.assert(&[-same, equal]);
                    }
                }
            }
            self.gates.fits()?;
            if stated.len() == before {
                return Ok(());
            }
        }
    }

    /// The addresses at which some maps of which nothing is known are read.
    fn read_at(&self, maps: &BTreeSet<usize>) -> Vec<Bits> {
        let mut found = FxHashSet::default();
        let cells = maps.iter().filter_map(|map| self.maps.cells.get(map)).flatten();
        cells.filter(|(at, _)| found.insert(Rc::clone(at))).map(|(at, _)| Rc::clone(at)).collect()
    }

    /// The maps of which a term that depends on a bound variable reads cells.
    fn read_within(&self, body: usize) -> BTreeSet<usize> {
        let (mut found, mut seen, mut waiting) = (BTreeSet::new(), FxHashSet::default(), vec![body]);
        while let Some(index) = waiting.pop() {
            let node = &self.parts.nodes[index];
            if seen.insert(index) {
                waiting.extend(node.args.iter().filter(|&&arg| self.parts.nodes[arg].open));
                if node.op == Op::Select {
                    found.insert(node.args[0]);
                }
            }
        }
        found
    }

    /// The maps of which nothing is known that some maps are made from, and the addresses at which these were written.
    fn below(
        &mut self,
        maps: &[usize],
        found: &mut BTreeSet<usize>,
        written: &mut Vec<Bits>,
    ) -> Result<(), NoCircuit> {
        let (mut waiting, mut seen) = (maps.to_vec(), FxHashSet::default());
        while let Some(index) = waiting.pop() {
            let node = &self.parts.nodes[index];
            if !seen.insert(index) {
                continue;
            }
            match (&node.op, &node.args[..]) {
                (Op::Store, &[before, at, _]) => {
                    written.push(self.value(at, None)?);
                    waiting.push(before);
                }
                (Op::Ite, &[_, a, b]) => waiting.extend([a, b]),
                (Op::Symbol, _) => drop(found.insert(index)),
                (Op::Lambda, &[body]) => waiting.extend(self.read_within(body)),
                _ => {}
            }
        }
        Ok(())
    }
}
