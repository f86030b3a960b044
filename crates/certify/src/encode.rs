//! From formulas to circuits.
//!
//! Written for the check of proofs alone: the engine's queries go through Z3 and `beeline_smt::sat`, and an error there must
//! not be repeated here.

use crate::gates::{FALSE, Gates, TRUE, TooLarge, Word};
use crate::words::complement;
use beeline_lrat::Literal;
use beeline_smt::parts::{Node, Op, OrderOp, Parts, Sort, WordOp};
use rustc_hash::FxHashMap;
use std::rc::Rc;

mod floats;

/// The reason why formulas have no circuit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoCircuit {
    /// It would be too large.
    TooLarge,
    /// Something has no encoding.
    Unsupported(&'static str),
}

impl From<TooLarge> for NoCircuit {
    fn from(_: TooLarge) -> NoCircuit {
        NoCircuit::TooLarge
    }
}

/// The bits of a term; a truth value has one.
pub(crate) type Bits = Rc<[Literal]>;

/// The cells of maps that are read.
#[derive(Debug, Default)]
pub(crate) struct Maps {
    /// The cells of maps of which nothing is known, with their addresses.
    pub(crate) cells: FxHashMap<usize, Vec<(Bits, Bits)>>,
    /// Reads of all maps.
    pub(crate) known: FxHashMap<(usize, Bits), Bits>,
    /// Comparisons: two maps, and whether they are the same.
    pub(crate) compared: Vec<(usize, usize, Literal)>,
    /// Whether something was stated for the addresses that are read only: there may be no real map like a model's.
    pub(crate) partial: bool,
}

/// The circuits of terms.
pub(crate) struct Encoding<'p> {
    pub(crate) parts: &'p Parts,
    pub(crate) gates: Gates,
    /// The bits of the terms that have any.
    values: Vec<Option<Bits>>,
    /// The bits of terms that depend on a bound variable, for its values.
    bound: FxHashMap<(usize, Bits), Bits>,
    pub(crate) maps: Maps,
}

impl<'p> Encoding<'p> {
    /// The circuit of all formulas together, with a limit on its size.
    pub(crate) fn of(parts: &'p Parts, most: usize) -> Result<Encoding<'p>, NoCircuit> {
        let values = vec![None; parts.nodes.len()];
        let gates = Gates::new(most);
        let mut encoding =
            Encoding { parts, gates, values, bound: FxHashMap::default(), maps: Maps::default() };
        for (index, node) in parts.nodes.iter().enumerate().filter(|(_, node)| !node.open) {
            if !matches!(node.sort, Sort::Map(..)) && encoding.has_circuit(node) {
                encoding.values[index] = Some(encoding.node(node, None)?);
                encoding.gates.fits()?;
            }
        }
        let facts = encoding.facts();
        for &fact in facts.iter().filter(|&&fact| parts.nodes[fact].op != Op::Forall) {
            let holds = encoding.value(fact, None)?[0];
            encoding.gates.assert(&[holds]);
        }
        let all = facts.into_iter().filter(|&fact| parts.nodes[fact].op == Op::Forall).collect();
        encoding.instantiate(all)?;
        Ok(encoding)
    }

    /// A quantified fact has instances and no circuit, nor has a conjunction that states it.
    fn has_circuit(&self, node: &Node) -> bool {
        let is_quantified = |&arg: &usize| {
            let arg_node = &self.parts.nodes[arg];
            !arg_node.open && arg_node.sort == Sort::Bool && self.values[arg].is_none()
        };
        node.op != Op::Forall && !(node.op == Op::And && node.args.iter().any(is_quantified))
    }

    /// The parts of the formulas, which are conjunctions.
    fn facts(&self) -> Vec<usize> {
        let mut facts = Vec::new();
        let mut waiting = self.parts.roots.clone();
        while let Some(index) = waiting.pop() {
            match &self.parts.nodes[index] {
                Node { op: Op::And, args, .. } => waiting.extend(args),
                _ => facts.push(index),
            }
        }
        facts
    }

    /// The bits of a term, for a value of the bound variable if it depends on one.
    pub(crate) fn value(&mut self, index: usize, bound: Option<&Bits>) -> Result<Bits, NoCircuit> {
        let node = &self.parts.nodes[index];
        if !node.open {
            let known = self.values[index].clone();
            return known.ok_or(NoCircuit::Unsupported("a quantifier within a formula"));
        }
        let at = bound.ok_or(NoCircuit::Unsupported("a variable that nothing binds"))?;
        let key = (index, Rc::clone(at));
        if let Some(known) = self.bound.get(&key) {
            return Ok(Rc::clone(known));
        }
        let made = self.node(node, bound)?;
        self.gates.fits()?;
        self.bound.insert(key, Rc::clone(&made));
        Ok(made)
    }

    fn node(&mut self, node: &'p Node, bound: Option<&Bits>) -> Result<Bits, NoCircuit> {
        let of_map = |&arg: &usize| matches!(self.parts.nodes[arg].sort, Sort::Map(..));
        match node.op {
            Op::Select => {
                let at = self.value(node.args[1], bound)?;
                return self.read(node.args[0], &at);
            }
            Op::Same if of_map(&node.args[0]) => {
                return self.same_maps(node.args[0], node.args[1]).map(|same| Rc::from([same]));
            }
            Op::Distinct if of_map(&node.args[0]) => {
                return Err(NoCircuit::Unsupported("maps that differ"));
            }
            _ => {}
        }
        let args = node.args.iter().map(|&arg| self.value(arg, bound));
        let args: Vec<Bits> = args.collect::<Result<_, _>>()?;
        let args: Vec<&[Literal]> = args.iter().map(|arg| &arg[..]).collect();
        let width = width_of(&node.sort)?;
        if node.op == Op::Bound {
            return bound.cloned().ok_or(NoCircuit::Unsupported("a variable that nothing binds"));
        }
        let made = match node.op {
            Op::Float(op) => self.float_operator(op, node, &args)?,
            Op::Symbol => self.any(&node.sort)?,
            _ => self.operator(&node.op, &args, width)?,
        };
        if made.len() != width {
            return Err(NoCircuit::Unsupported("operands that do not fit"));
        }
        Ok(made.into())
    }

    /// A value of a sort of which nothing is known.
    pub(crate) fn any(&mut self, sort: &Sort) -> Result<Word, NoCircuit> {
        let word = self.gates.word(width_of(sort)?);
        Ok(match floats::format(sort) {
            Some(format) => self.gates.canonical(format, &word),
            None => word,
        })
    }

    /// The circuit of an operator on truth values and numbers.
    fn operator(&mut self, op: &Op, args: &[&[Literal]], width: usize) -> Result<Word, NoCircuit> {
        let gates = &mut self.gates;
        let truths = || args.iter().map(|arg| arg[0]).collect::<Vec<Literal>>();
        Ok(match (op, args) {
            (Op::Known(truth), []) => vec![if *truth { TRUE } else { FALSE }],
            (Op::Numeral(bits), []) => {
                (0..bits.width()).map(|bit| if bits.bit(bit) { TRUE } else { FALSE }).collect()
            }
            (Op::Rounding(_), []) => Word::new(),
            (Op::Not, [a]) => complement(a),
            (Op::And, _) => vec![gates.all(&truths())],
            (Op::Or, _) => vec![gates.any(&truths())],
            (Op::Xor, _) => vec![truths().into_iter().fold(FALSE, |all, part| gates.xor(all, part))],
            (Op::Implies, [a, b]) => vec![gates.or(-a[0], b[0])],
            (Op::Same, [a, b]) => vec![gates.equal(a, b)],
            (Op::Distinct, _) => {
                let mut differ = Vec::new();
                for (index, a) in args.iter().enumerate() {
                    differ.extend(args[..index].iter().map(|b| -gates.equal(a, b)));
                }
                vec![gates.all(&differ)]
            }
            (Op::Ite, [c, a, b]) => gates.choose(c[0], a, b),
            (Op::Concat, _) => args.iter().rev().flat_map(|part| part.iter().copied()).collect(),
            (&Op::Extract(high, low), [a]) if low <= high && (high as usize) < a.len() => {
                a[low as usize..=high as usize].to_vec()
            }
            (Op::ZeroExt, [a]) => extended(a, FALSE, width),
            (Op::SignExt, [a]) => extended(a, a.last().copied().unwrap_or(FALSE), width),
            (Op::Order(op), [a, b]) => vec![order(gates, *op, a, b)],
            (Op::Word(op), [a]) => unary(gates, *op, a)?,
            (Op::Word(op), [first, rest @ ..]) => {
                let first = Ok(first.to_vec());
                rest.iter().fold(first, |a, b| binary(gates, *op, &a?, b))?
            }
            _ => return Err(NoCircuit::Unsupported("an operator with these operands")),
        })
    }
}

/// The number of bits of a sort.
pub(crate) fn width_of(sort: &Sort) -> Result<usize, NoCircuit> {
    Ok(match *sort {
        Sort::Bool => 1,
        Sort::Bits(width) => width as usize,
        Sort::Float(exponent, precision) => (exponent + precision) as usize,
        Sort::Rounding => 0,
        Sort::Map(..) => return Err(NoCircuit::Unsupported("a map of maps")),
    })
}

fn extended(word: &[Literal], by: Literal, width: usize) -> Word {
    word.iter().copied().chain(std::iter::repeat(by)).take(width.max(word.len())).collect()
}

fn order(gates: &mut Gates, op: OrderOp, a: &[Literal], b: &[Literal]) -> Literal {
    match op {
        OrderOp::Ult => gates.less(a, b),
        OrderOp::Ule => -gates.less(b, a),
        OrderOp::Slt => gates.less_signed(a, b),
        OrderOp::Sle => -gates.less_signed(b, a),
    }
}

fn unary(gates: &mut Gates, op: WordOp, a: &[Literal]) -> Result<Word, NoCircuit> {
    match op {
        WordOp::Not => Ok(complement(a)),
        WordOp::Neg => Ok(gates.negated(a)),
        _ => Err(NoCircuit::Unsupported("an operator with one operand")),
    }
}

fn binary(gates: &mut Gates, op: WordOp, a: &[Literal], b: &[Literal]) -> Result<Word, NoCircuit> {
    if a.len() != b.len() {
        return Err(NoCircuit::Unsupported("operands that do not fit"));
    }
    let pairs = || a.iter().copied().zip(b.iter().copied());
    Ok(match op {
        WordOp::Add => gates.sum(a, b, FALSE).0,
        WordOp::Sub => gates.difference(a, b).0,
        WordOp::Mul => gates.product(a, b),
        WordOp::UDiv => gates.divided(a, b).0,
        WordOp::URem => gates.divided(a, b).1,
        WordOp::SDiv => gates.divided_signed(a, b).0,
        WordOp::SRem => gates.divided_signed(a, b).1,
        WordOp::And => pairs().map(|(a, b)| gates.and(a, b)).collect(),
        WordOp::Or => pairs().map(|(a, b)| gates.or(a, b)).collect(),
        WordOp::Xor => pairs().map(|(a, b)| gates.xor(a, b)).collect(),
        WordOp::Shl => gates.shifted_left(a, b),
        WordOp::LShr => gates.shifted_right(a, b, FALSE),
        WordOp::AShr => gates.shifted_right(a, b, a.last().copied().unwrap_or(FALSE)),
        WordOp::Not | WordOp::Neg => return Err(NoCircuit::Unsupported("an operator with two operands")),
    })
}
