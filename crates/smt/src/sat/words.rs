//! Bit blasting without Z3: the literals of terms, part by part. Each part has its literals once, however many
//! formulas mention it.
//!
//! A read of memory becomes a choice between the written values and the initial content. What is read of an
//! initial content is a new word for each address; that equal addresses have equal words is only added where an
//! assignment contradicts it (`Words::mend`).

use super::circuits::{Shift, Sign, Word, inverted, widened};
use super::clauses::Literal;
use super::floats::Floats;
use super::gates::{Gates, Refused, TRUE};
use super::goal::Bounds;
use super::simulation::Simulation;
use crate::ast::{instance, is_symbol, numeral_bits, parameters};
use beeline_ir::Bits;
use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};
use z3::ast::{Ast, Bool, Dynamic};
use z3::{AstKind, DeclKind, SortKind};

/// Something whose literals are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Part {
    /// A term.
    Term(Dynamic),
    /// The cell of a map at an address.
    Read(Dynamic, Dynamic),
}

/// The parts of formulas that were looked at.
#[derive(Debug, Default)]
pub(super) struct Seen(FxHashSet<Part>);

/// A read of an initial content.
#[derive(Debug)]
pub(super) struct Read {
    /// The address.
    pub at: Dynamic,
    /// Its literals.
    pub address: Word,
    /// Those of the cell.
    pub cell: Word,
}

/// The reads of an initial content.
#[derive(Debug, Default)]
struct Reads {
    all: Vec<Read>,
    /// For assignments that were found and addresses there, the first of them.
    first: FxHashMap<u32, FxHashMap<u64, usize>>,
}

impl Reads {
    /// Adds a read, which has the value of an earlier one at the same address.
    fn add(&mut self, simulation: &mut Simulation, read: Read) {
        for assignment in simulation.valid() {
            let known = self.first.entry(assignment).or_default();
            let address = simulation.number(&read.address, assignment);
            let first = address.map(|address| *known.entry(address).or_insert(self.all.len()));
            match first.map(|first| self.all.get(first)) {
                Some(None) => {}
                Some(Some(known)) if let Some(value) = simulation.number(&known.cell, assignment) => {
                    simulation.set(&read.cell, assignment, value);
                }
                Some(Some(_)) | None => simulation.forget(assignment),
            }
        }
        self.all.push(read);
    }

    /// Knows the addresses in an assignment that was replaced.
    fn take(&mut self, simulation: &Simulation, assignment: u32) {
        let known = self.first.entry(assignment).or_default();
        known.clear();
        for (index, read) in self.all.iter().enumerate() {
            if let Some(address) = simulation.number(&read.address, assignment) {
                known.entry(address).or_insert(index);
            }
        }
    }
}

/// The literals of terms.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// The literals of a part; `None` if it is not of truth values, bit-vectors and maps of these alone.
    known: FxHashMap<Part, Option<Word>>,
    /// The constants, in the order in which they were met.
    inputs: Vec<(Dynamic, Word)>,
    /// The reads of each initial content.
    reads: FxHashMap<Dynamic, Reads>,
    /// The maps of `reads` in the order in which they were met.
    maps: Vec<Dynamic>,
    /// The terms that read floats.
    floats: Floats,
    /// The results of divisions.
    divisions: FxHashMap<(Word, Word, bool), [Word; 2]>,
}

impl Words {
    /// The literal of a formula; `None` if its terms have no literals.
    pub(super) fn literal(
        &mut self,
        gates: &mut Gates,
        formula: &Dynamic,
    ) -> Result<Option<Literal>, Refused> {
        Ok(self.word(gates, Part::Term(formula.clone()))?.map(|word| word[0]))
    }

    /// The literals of a term that has some.
    pub(super) fn of(&self, term: &Dynamic) -> Option<&Word> {
        self.known.get(&Part::Term(term.clone()))?.as_ref()
    }

    /// The constants with their values in an assignment.
    pub(super) fn values(&self, holds: impl Fn(Literal) -> bool + Copy) -> Vec<(Dynamic, Dynamic)> {
        let mut all: Vec<(Dynamic, Dynamic)> =
            self.inputs.iter().map(|(input, word)| (input.clone(), value(input, word, holds))).collect();
        for (constant, (kind, bits)) in self.floats.constants() {
            let Some(word) = self.of(&Dynamic::from_ast(bits)) else { continue };
            let number = value(&Dynamic::from_ast(bits), word, holds).as_bv();
            let float = number.map(|number| crate::float::from_bits(*kind, &number).simplify());
            all.extend(float.map(|float| (constant.clone(), Dynamic::from_ast(&float))));
        }
        all
    }

    /// The cells that were read of each initial content.
    pub(super) fn cells(&self) -> impl Iterator<Item = (&Dynamic, &[Read])> {
        self.maps.iter().map(|map| (map, &self.reads[map].all[..]))
    }

    fn word(&mut self, gates: &mut Gates, root: Part) -> Result<Option<Word>, Refused> {
        let mut stack = vec![root.clone()];
        while let Some(part) = stack.last().cloned() {
            if self.known.contains_key(&part) {
                stack.pop();
                continue;
            }
            let needed = needed(&part);
            let open = stack.len();
            stack.extend(needed.iter().flatten().filter(|part| !self.known.contains_key(part)).cloned());
            if stack.len() > open {
                continue;
            }
            stack.pop();
            let operands: Option<Vec<Word>> =
                needed.and_then(|needed| needed.iter().map(|part| self.known[part].clone()).collect());
            if gates.is_full() {
                return Err(Refused);
            }
            let mut word = match operands {
                Some(operands) => self.made(gates, &part, &operands)?,
                None => None,
            };
            if let (None, Part::Term(term)) = (&word, &part)
                && let Some(constant) = self.floats.stand_in(term)
            {
                word = self.input(gates, &constant);
                self.known.insert(Part::Term(constant), word.clone());
            }
            self.known.insert(part, word);
        }
        Ok(self.known[&root].clone())
    }

    fn made(&mut self, gates: &mut Gates, part: &Part, operands: &[Word]) -> Result<Option<Word>, Refused> {
        match part {
            Part::Term(term) if is_symbol(term) => Ok(self.input(gates, term)),
            Part::Term(term) => self.operator(gates, term, operands),
            Part::Read(map, at) => self.read(gates, map, at, operands),
        }
    }

    fn input(&mut self, gates: &mut Gates, term: &Dynamic) -> Option<Word> {
        let word: Word = (0..width(term)?).map(|_| gates.fresh()).collect();
        self.inputs.push((term.clone(), word.clone()));
        Some(word)
    }

    fn read(
        &mut self,
        gates: &mut Gates,
        map: &Dynamic,
        at: &Dynamic,
        operands: &[Word],
    ) -> Result<Option<Word>, Refused> {
        Ok(match (step(map, at), operands) {
            (Some(Step::Symbol), [address]) => {
                let Some(width) = map.as_array().and_then(|map| width(&map.select(at))) else {
                    return Ok(None);
                };
                let cell: Word = (0..width).map(|_| gates.fresh()).collect();
                gates.define(address)?;
                if !self.reads.contains_key(map) {
                    self.maps.push(map.clone());
                }
                let read = Read { at: at.clone(), address: address.clone(), cell: cell.clone() };
                self.reads.entry(map.clone()).or_default().add(gates.simulation(), read);
                Some(cell)
            }
            (Some(Step::Written), [address, to, value, before]) => {
                let is_here = gates.equal(address, to);
                Some(gates.chosen(is_here, value, before).into())
            }
            (Some(Step::Choice), [condition, then, otherwise]) => {
                Some(gates.chosen(condition[0], then, otherwise).into())
            }
            (Some(Step::Same(_)), [same]) => Some(same.clone()),
            _ => None,
        })
    }

    fn operator(
        &mut self,
        gates: &mut Gates,
        term: &Dynamic,
        operands: &[Word],
    ) -> Result<Option<Word>, Refused> {
        if term.kind() == AstKind::Numeral {
            return Ok(numeral(term));
        }
        let kind = term.decl().kind();
        // What Z3 leaves open, such as the bits of a float that is not a number. Formulas do not depend on it.
        if kind == DeclKind::Uninterpreted {
            return Ok(width(term).map(|width| (0..width).map(|_| gates.fresh()).collect()));
        }
        if let (Some(is_signed), [a, by]) = (division(kind), operands) {
            let [quotient, rest] = self.divided(gates, a, by, is_signed)?;
            let is_quotient =
                matches!(kind, DeclKind::Budiv | DeclKind::BudivI | DeclKind::Bsdiv | DeclKind::BsdivI);
            return Ok(Some(if is_quotient { quotient } else { rest }));
        }
        if kind == DeclKind::Select {
            return Ok(operands.first().cloned());
        }
        let word = truth(gates, kind, operands).map(|literal| vec![literal]);
        Ok(word.or_else(|| computed(gates, term, operands)).map(Word::from))
    }

    fn divided(
        &mut self,
        gates: &mut Gates,
        a: &Word,
        by: &Word,
        is_signed: bool,
    ) -> Result<[Word; 2], Refused> {
        let key = (a.clone(), by.clone(), is_signed);
        if let Some(known) = self.divisions.get(&key) {
            return Ok(known.clone());
        }
        let results = if is_signed { gates.divided_signed(a, by) } else { gates.divided(a, by) };
        let results = results?.map(Word::from);
        self.divisions.insert(key, results.clone());
        Ok(results)
    }

    /// The terms on which a formula depends, and that read floats, as far as it is not known what they are. Parts that
    /// are `known` are left out, and those that are looked at are added to `seen`.
    pub(super) fn unknown(&self, formula: &Dynamic, known: &Seen, seen: &mut Seen) -> Vec<Dynamic> {
        let mut found = Vec::new();
        if self.floats.is_empty() {
            return found;
        }
        let mut stack = vec![Part::Term(formula.clone())];
        while let Some(part) = stack.pop() {
            if known.0.contains(&part) || !seen.0.insert(part.clone()) {
                continue;
            }
            if let Part::Term(term) = &part
                && let Some(inputs) = self.floats.inputs(term)
            {
                stack.extend(inputs.iter().map(|(input, _)| Part::Term(input.clone())));
                found.extend(self.floats.is_unknown(term).then(|| term.clone()));
            } else {
                stack.extend(needed(&part).into_iter().flatten());
            }
        }
        found
    }

    /// The same for what the floats of a term were made of, if that is known by now.
    pub(super) fn unknown_inputs(&self, term: &Dynamic) -> Vec<Dynamic> {
        let inputs = self.floats.inputs(term).unwrap_or_default();
        let unknown = |input| self.unknown(input, &Seen::default(), &mut Seen::default());
        inputs.iter().flat_map(|(input, _)| unknown(input)).collect()
    }

    /// Adds what a term is that reads floats, if that is not known. Returns false if it has no clauses.
    pub(super) fn know(
        &mut self,
        gates: &mut Gates,
        term: &Dynamic,
        bounds: &Bounds,
    ) -> Result<bool, Refused> {
        if !self.floats.is_unknown(term) {
            return Ok(true);
        }
        let Some(facts) = self.floats.know(term, bounds) else { return Ok(false) };
        for (input, constant) in self.floats.inputs(term).unwrap_or_default().to_vec() {
            let Some(word) = self.word(gates, Part::Term(input))? else { return Ok(false) };
            self.known.insert(Part::Term(constant), Some(word));
        }
        for fact in facts {
            let Some(literal) = self.literal(gates, &Dynamic::from_ast(&fact))? else { return Ok(false) };
            gates.clause(&[literal])?;
        }
        Ok(true)
    }

    /// Takes an assignment that was found, for the simulation.
    pub(super) fn take(&mut self, gates: &mut Gates, holds: impl Fn(Literal) -> bool) {
        let simulation = gates.simulation();
        let taken = simulation.take(holds);
        self.reads.values_mut().for_each(|reads| reads.take(simulation, taken));
    }

    /// Adds that equal addresses have equal cells, where an assignment contradicts it. Returns whether it does.
    pub(super) fn mend(&self, gates: &mut Gates, holds: impl Fn(Literal) -> bool) -> Result<bool, Refused> {
        let mut contradicts = false;
        let value = |word: &Word| word.iter().map(|&bit| holds(bit)).collect::<Vec<bool>>();
        for (_, reads) in self.cells() {
            let mut first: FxHashMap<Vec<bool>, &Read> = FxHashMap::default();
            for read in reads {
                let known = *first.entry(value(&read.address)).or_insert(read);
                if value(&known.cell) == value(&read.cell) {
                    continue;
                }
                contradicts = true;
                let same = gates.equal(&known.address, &read.address);
                for (&a, &b) in known.cell.iter().zip(read.cell.iter()) {
                    gates.clause(&[-same, -a, b])?;
                    gates.clause(&[-same, a, -b])?;
                }
            }
        }
        Ok(contradicts)
    }
}

/// The parts whose literals are needed for those of a part; `None` for a part that has none.
fn needed(part: &Part) -> Option<Vec<Part>> {
    match part {
        Part::Term(term) => {
            let is_plain = matches!(term.kind(), AstKind::App | AstKind::Numeral)
                && matches!(term.sort_kind(), SortKind::Bool | SortKind::Bv);
            let children = if is_plain { term.children() } else { return None };
            if term.is_app() && term.decl().kind() == DeclKind::Select {
                return match &children[..] {
                    [map, at] => Some(vec![Part::Read(map.clone(), at.clone())]),
                    _ => None,
                };
            }
            Some(children.into_iter().map(Part::Term).collect())
        }
        Part::Read(map, at) => {
            let child = |index| map.nth_child(index);
            let read = |map| Part::Read(map, at.clone());
            Some(match step(map, at)? {
                Step::Symbol => vec![Part::Term(at.clone())],
                Step::Written => vec![
                    Part::Term(at.clone()),
                    Part::Term(child(1)?),
                    Part::Term(child(2)?),
                    read(child(0)?),
                ],
                Step::Choice => vec![Part::Term(child(0)?), read(child(1)?), read(child(2)?)],
                Step::Same(part) => vec![part],
            })
        }
    }
}

/// How a map defines its cell at an address.
enum Step {
    /// Nothing is known of it.
    Symbol,
    /// It is the written value at another address, which may be the same.
    Written,
    /// One of two maps has it.
    Choice,
    /// It is this.
    Same(Part),
}

fn step(map: &Dynamic, at: &Dynamic) -> Option<Step> {
    if map.kind() == AstKind::Quantifier {
        return instance(map, at).map(|cell| Step::Same(Part::Term(cell)));
    }
    if is_symbol(map) {
        return Some(Step::Symbol);
    }
    match map.is_app().then(|| map.decl().kind())? {
        DeclKind::Store if map.num_children() == 3 => {
            let to = map.nth_child(1)?;
            Some(match distance(&to, at) {
                Some(0) => Step::Same(Part::Term(map.nth_child(2)?)),
                Some(_) => Step::Same(Part::Read(map.nth_child(0)?, at.clone())),
                None => Step::Written,
            })
        }
        DeclKind::Ite => Some(Step::Choice),
        DeclKind::ConstArray => Some(Step::Same(Part::Term(map.nth_child(0)?))),
        _ => None,
    }
}

/// The distance of two addresses, if it is the same in all valuations.
fn distance(from: &Dynamic, to: &Dynamic) -> Option<u64> {
    let ((base, start), (other, end)) = (offset(from)?, offset(to)?);
    let width = from.as_bv()?.get_size();
    (base == other).then(|| end.wrapping_sub(start) & crate::words::mask(width))
}

/// An address as a term, if it is not a number, and a number that is added.
fn offset(at: &Dynamic) -> Option<(Option<Dynamic>, u64)> {
    let number = |term: &Dynamic| term.as_bv().filter(|_| term.kind() == AstKind::Numeral)?.as_u64();
    let (mut base, mut sum) = (at.clone(), 0_u64);
    at.as_bv().filter(|bits| bits.get_size() <= 64)?;
    while base.is_app() && base.decl().kind() == DeclKind::Badd && base.num_children() == 2 {
        let (a, b) = (base.nth_child(0)?, base.nth_child(1)?);
        let (next, added) = match (number(&a), number(&b)) {
            (_, Some(added)) => (a, added),
            (Some(added), None) => (b, added),
            (None, None) => break,
        };
        (base, sum) = (next, sum.wrapping_add(added));
    }
    Some(match number(&base) {
        Some(start) => (None, sum.wrapping_add(start)),
        None => (Some(base), sum),
    })
}

/// The value that a term has in an assignment.
pub(super) fn value(of: &Dynamic, word: &[Literal], holds: impl Fn(Literal) -> bool) -> Dynamic {
    if of.as_bool().is_some() {
        return Dynamic::from_ast(&Bool::from_bool(holds(word[0])));
    }
    let mut value = BigUint::default();
    for (index, &bit) in word.iter().enumerate() {
        value.set_bit(index as u64, holds(bit));
    }
    Dynamic::from_ast(&crate::ast::numeral(&Bits::from_big(word.len() as u32, value)))
}

/// The number of literals of a term.
fn width(term: &Dynamic) -> Option<u32> {
    match term.sort_kind() {
        SortKind::Bool => Some(1),
        SortKind::Bv => term.as_bv().map(|bits| bits.get_size()),
        _ => None,
    }
}

fn numeral(term: &Dynamic) -> Option<Word> {
    let bits = numeral_bits(&term.as_bv()?)?;
    Some((0..bits.width()).map(|index| if bits.bit(index) { TRUE } else { -TRUE }).collect())
}

/// Whether an operator is a signed or an unsigned division.
fn division(kind: DeclKind) -> Option<bool> {
    use DeclKind::{Bsdiv, BsdivI, Bsrem, BsremI, Budiv, BudivI, Burem, BuremI};
    match kind {
        Budiv | BudivI | Burem | BuremI => Some(false),
        Bsdiv | BsdivI | Bsrem | BsremI => Some(true),
        _ => None,
    }
}

/// The literal of an operator that yields a truth value; `None` for other operators.
fn truth(gates: &mut Gates, kind: DeclKind, operands: &[Word]) -> Option<Literal> {
    let bits = || operands.iter().map(|operand| operand[0]).collect::<Vec<Literal>>();
    Some(match (kind, operands) {
        (DeclKind::True, []) => TRUE,
        (DeclKind::False, []) => -TRUE,
        (DeclKind::Not, [a]) => -a[0],
        (DeclKind::And, _) => gates.and(bits()),
        (DeclKind::Or, _) => gates.or(&bits()),
        (DeclKind::Implies, [a, b]) => gates.or(&[-a[0], b[0]]),
        (DeclKind::Xor, [a, b]) => gates.xor(a[0], b[0]),
        (DeclKind::Eq | DeclKind::Iff, [a, b]) => gates.equal(a, b),
        (DeclKind::Distinct, [a, b]) => -gates.equal(a, b),
        (DeclKind::Ult, [a, b]) => gates.less(a, b, Sign::Unsigned),
        (DeclKind::Uleq, [a, b]) => -gates.less(b, a, Sign::Unsigned),
        (DeclKind::Ugt, [a, b]) => gates.less(b, a, Sign::Unsigned),
        (DeclKind::Ugeq, [a, b]) => -gates.less(a, b, Sign::Unsigned),
        (DeclKind::Slt, [a, b]) => gates.less(a, b, Sign::Signed),
        (DeclKind::Sleq, [a, b]) => -gates.less(b, a, Sign::Signed),
        (DeclKind::Sgt, [a, b]) => gates.less(b, a, Sign::Signed),
        (DeclKind::Sgeq, [a, b]) => -gates.less(a, b, Sign::Signed),
        _ => return None,
    })
}

/// The literals of an operator that yields a word; `None` for other operators.
fn computed(gates: &mut Gates, term: &Dynamic, operands: &[Word]) -> Option<Vec<Literal>> {
    let kind = term.decl().kind();
    if let Some(word) = bitwise(gates, kind, operands) {
        return Some(word);
    }
    Some(match (kind, operands) {
        (DeclKind::Ite, [c, a, b]) => gates.chosen(c[0], a, b),
        (DeclKind::Badd, [first, others @ ..]) => {
            others.iter().fold(first.to_vec(), |sum, other| gates.sum(&sum, other, -TRUE))
        }
        (DeclKind::Bsub, [a, b]) => gates.difference(a, b),
        (DeclKind::Bmul, [first, others @ ..]) => {
            others.iter().fold(first.to_vec(), |product, other| gates.product(&product, other))
        }
        (DeclKind::Bneg, [a]) => gates.negative(a),
        (DeclKind::Bshl, [a, by]) => gates.shifted(a, by, Shift::Left),
        (DeclKind::Blshr, [a, by]) => gates.shifted(a, by, Shift::Logical),
        (DeclKind::Bashr, [a, by]) => gates.shifted(a, by, Shift::Arithmetic),
        (DeclKind::Bcomp, [a, b]) => vec![gates.equal(a, b)],
        (DeclKind::Bredor, [a]) => vec![gates.or(a)],
        (DeclKind::Bredand, [a]) => vec![gates.and(a.to_vec())],
        (DeclKind::Concat, _) => operands.iter().rev().flat_map(|part| part.iter().copied()).collect(),
        (DeclKind::Extract, [a]) => {
            let (high, low) = parameters(term)?;
            a[low as usize..=high as usize].to_vec()
        }
        (DeclKind::ZeroExt, [a]) => widened(a, width(term)? as usize, -TRUE),
        (DeclKind::SignExt, [a]) => widened(a, width(term)? as usize, a[a.len() - 1]),
        _ => return None,
    })
}

fn bitwise(gates: &mut Gates, kind: DeclKind, operands: &[Word]) -> Option<Vec<Literal>> {
    let combine = |gate: &mut dyn FnMut(Literal, Literal) -> Literal| {
        let (first, others) = operands.split_first()?;
        Some(others.iter().fold(first.to_vec(), |word, other| {
            word.iter().zip(other.iter()).map(|(&a, &b)| gate(a, b)).collect()
        }))
    };
    match (kind, operands) {
        (DeclKind::Bnot, [a]) => Some(inverted(a)),
        (DeclKind::Band, _) => combine(&mut |a, b| gates.and(vec![a, b])),
        (DeclKind::Bor, _) => combine(&mut |a, b| gates.or(&[a, b])),
        (DeclKind::Bxor, _) => combine(&mut |a, b| gates.xor(a, b)),
        _ => None,
    }
}
