//! The model cache: valuations that are tried before the solver is asked. Some were found by it, others are
//! similar to those.
//!
//! One valuation suffices to show that something is possible. Each part of a formula is evaluated in all
//! valuations at once when it first occurs, so trying them costs next to nothing. They prove nothing.

use crate::ast::{Parts, numeral_bits, parameters, transform};
use crate::words::{mask, signed};
use z3::ast::{Ast, Dynamic};
use z3::{AstKind, DeclKind, SortKind};

/// The number of valuations.
const SAMPLES: usize = 16;
/// The number of valuations that change when one is found: the new one, and some that differ from it in
/// inputs.
const LIKE_IT: usize = 4;
/// One of so many inputs differs there.
const CHANGED: u32 = 12;

/// The values of a part in all valuations. Truth values are 0 and 1.
type Values = [u64; SAMPLES];

/// The valuations, and the parts of formulas with their values.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    /// The node of a part; `None` for a part that is neither a truth value nor a word of up to 64 bits.
    known: Parts<usize>,
    nodes: Nodes,
    /// The valuation that is replaced next.
    oldest: usize,
}

/// The evaluated nodes.
#[derive(Debug)]
struct Nodes {
    /// The nodes. Operands come before their users.
    all: Vec<Node>,
    values: Vec<Values>,
    random: fastrand::Rng,
}

#[derive(Debug)]
struct Node {
    operation: Operation,
    operands: Vec<usize>,
    width: u32,
}

#[derive(Debug)]
enum Operation {
    /// An uninterpreted constant.
    Input(Dynamic),
    Number(u64),
    /// An operator, with the lowest bit of an extraction.
    Operator(DeclKind, u32),
}

impl Default for Nodes {
    fn default() -> Nodes {
        Nodes { all: Vec::new(), values: Vec::new(), random: fastrand::Rng::with_seed(1) }
    }
}

impl Samples {
    /// Whether a formula holds in one of them.
    pub(crate) fn hold(&mut self, formula: &Dynamic) -> bool {
        self.node(formula).is_some_and(|node| self.nodes.values[node].contains(&1))
    }

    fn node(&mut self, term: &Dynamic) -> Option<usize> {
        let nodes = &mut self.nodes;
        transform(term, &mut self.known, &mut |part, operands: &[usize]| nodes.add(part, operands))
    }

    /// Replaces the oldest valuations by a new one and similar ones.
    pub(crate) fn take(&mut self, value: impl Fn(&Dynamic) -> Option<Dynamic>) {
        let changed: Vec<usize> = (0..LIKE_IT).map(|index| (self.oldest + index) % SAMPLES).collect();
        self.oldest = (self.oldest + LIKE_IT) % SAMPLES;
        self.nodes.take(&changed, value);
    }
}

impl Nodes {
    fn add(&mut self, part: &Dynamic, operands: &[usize]) -> Option<usize> {
        let width = width(part)?;
        let operation = if part.kind() == AstKind::Numeral {
            Operation::Number(number(part)?)
        } else {
            match part.decl().kind() {
                DeclKind::Uninterpreted if operands.is_empty() => Operation::Input(part.clone()),
                DeclKind::Extract => Operation::Operator(DeclKind::Extract, parameters(part)?.1),
                kind => Operation::Operator(kind, 0),
            }
        };
        let node = Node { operation, operands: operands.to_vec(), width };
        let mut values = [0; SAMPLES];
        for (sample, value) in values.iter_mut().enumerate() {
            *value = match &node.operation {
                Operation::Input(_) => any_value(&mut self.random, width),
                _ => self.value(&node, sample)?,
            };
        }
        self.all.push(node);
        self.values.push(values);
        Some(self.all.len() - 1)
    }

    /// Sets the first of some valuations to a given one, and the others to variants of it.
    fn take(&mut self, changed: &[usize], value: impl Fn(&Dynamic) -> Option<Dynamic>) {
        for (index, node) in self.all.iter().enumerate() {
            let found = match &node.operation {
                Operation::Input(input) => value(input).and_then(|value| number(&value)),
                _ => None,
            };
            for (turn, &sample) in changed.iter().enumerate() {
                self.values[index][sample] = match &node.operation {
                    Operation::Input(_) if turn > 0 && self.random.u32(0..CHANGED) == 0 => {
                        any_value(&mut self.random, node.width)
                    }
                    // An input that the valuation leaves open is zero.
                    Operation::Input(_) => found.unwrap_or(0),
                    _ => self.value(node, sample).expect("it had a value when it was added"),
                };
            }
        }
    }

    /// The value of a node that is not an input in a valuation, given the values of its operands; `None` if
    /// its operator is unknown.
    fn value(&self, node: &Node, sample: usize) -> Option<u64> {
        match node.operation {
            Operation::Input(_) => None,
            Operation::Number(number) => Some(number),
            Operation::Operator(kind, low) => {
                let operands = Operands { nodes: self, of: &node.operands, sample };
                let compared = || compared(kind, &operands).map(u64::from);
                Some(computed(kind, low, &operands).or_else(compared)? & mask(node.width))
            }
        }
    }
}

/// The operands of a node in a valuation.
struct Operands<'n> {
    nodes: &'n Nodes,
    of: &'n [usize],
    sample: usize,
}

impl Operands<'_> {
    fn word(&self, index: usize) -> u64 {
        self.nodes.values[self.of[index]][self.sample]
    }

    fn width(&self, index: usize) -> u32 {
        self.nodes.all[self.of[index]].width
    }

    fn signed(&self, index: usize) -> i64 {
        signed(self.word(index), self.width(index))
    }

    /// All operands in order.
    fn words(&self) -> impl Iterator<Item = u64> {
        (0..self.of.len()).map(|index| self.word(index))
    }

    fn all(&self, apply: fn(u64, u64) -> u64) -> u64 {
        self.words().reduce(apply).unwrap_or(0)
    }

    /// The first operand shifted by the second one. Shifts by the width or more give zero.
    fn shifted(&self, shift: fn(u64, u32) -> Option<u64>) -> u64 {
        let by = u32::try_from(self.word(1)).ok().filter(|&by| by < self.width(0));
        by.and_then(|by| shift(self.word(0), by)).unwrap_or(0)
    }
}

/// The result of an operator on words; excess bits do not matter. `None` for other operators.
fn computed(kind: DeclKind, low: u32, operands: &Operands<'_>) -> Option<u64> {
    let (a, b) = (|| operands.word(0), || operands.word(1));
    let signed = |index| operands.signed(index);
    Some(match kind {
        DeclKind::Not | DeclKind::Bnot => !a(),
        DeclKind::And | DeclKind::Band => operands.all(|a, b| a & b),
        DeclKind::Or | DeclKind::Bor => operands.all(|a, b| a | b),
        DeclKind::Xor | DeclKind::Bxor => operands.all(|a, b| a ^ b),
        DeclKind::Implies => !a() | b(),
        DeclKind::Ite => operands.word(if a() == 1 { 1 } else { 2 }),
        DeclKind::Badd => operands.all(u64::wrapping_add),
        DeclKind::Bsub => operands.all(u64::wrapping_sub),
        DeclKind::Bmul => operands.all(u64::wrapping_mul),
        DeclKind::Bneg => a().wrapping_neg(),
        DeclKind::Budiv => a().checked_div(b()).unwrap_or(u64::MAX),
        DeclKind::Burem => a().checked_rem(b()).unwrap_or(a()),
        DeclKind::Bsdiv if b() == 0 && signed(0) < 0 => 1,
        DeclKind::Bsdiv if b() == 0 => u64::MAX,
        DeclKind::Bsdiv => signed(0).wrapping_div(signed(1)) as u64,
        DeclKind::Bsrem if b() == 0 => a(),
        DeclKind::Bsrem => signed(0).wrapping_rem(signed(1)) as u64,
        DeclKind::Bshl => operands.shifted(u64::checked_shl),
        DeclKind::Blshr => operands.shifted(u64::checked_shr),
        DeclKind::Bashr => (signed(0) >> b().min(u64::from(operands.width(0) - 1))) as u64,
        DeclKind::Concat => (1..operands.of.len())
            .fold(a(), |high, index| high << operands.width(index) | operands.word(index)),
        DeclKind::Extract => a() >> low,
        DeclKind::ZeroExt => a(),
        DeclKind::SignExt => signed(0) as u64,
        _ => return None,
    })
}

/// The truth value of an operator on words; `None` for other operators.
fn compared(kind: DeclKind, operands: &Operands<'_>) -> Option<bool> {
    let (a, b) = (|| operands.word(0), || operands.word(1));
    let signed = |index| operands.signed(index);
    Some(match kind {
        DeclKind::True => true,
        DeclKind::False => false,
        DeclKind::Eq | DeclKind::Iff => a() == b(),
        DeclKind::Distinct => {
            let words: Vec<u64> = operands.words().collect();
            (0..words.len()).all(|index| !words[..index].contains(&words[index]))
        }
        DeclKind::Ult => a() < b(),
        DeclKind::Uleq => a() <= b(),
        DeclKind::Ugt => a() > b(),
        DeclKind::Ugeq => a() >= b(),
        DeclKind::Slt => signed(0) < signed(1),
        DeclKind::Sleq => signed(0) <= signed(1),
        DeclKind::Sgt => signed(0) > signed(1),
        DeclKind::Sgeq => signed(0) >= signed(1),
        _ => return None,
    })
}

/// The width of a part, if it is a truth value or a word.
fn width(part: &Dynamic) -> Option<u32> {
    if !matches!(part.kind(), AstKind::App | AstKind::Numeral) {
        return None;
    }
    match part.sort_kind() {
        SortKind::Bool => Some(1),
        SortKind::Bv => part.as_bv().map(|bits| bits.get_size()).filter(|&width| width <= 64),
        _ => None,
    }
}

/// The value of a numeral or a truth value.
fn number(value: &Dynamic) -> Option<u64> {
    match value.as_bool() {
        Some(truth) => truth.as_bool().map(u64::from),
        None => numeral_bits(&value.as_bv()?)?.to_u64(),
    }
}

/// A value for an input. Programs distinguish small numbers.
fn any_value(random: &mut fastrand::Rng, width: u32) -> u64 {
    let any = match random.u32(0..8) {
        0..=2 => 0,
        3..=5 => random.u64(0..8),
        6 => random.u64(0..256),
        _ => random.u64(..),
    };
    any & mask(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::parts;
    use crate::random::{condition, term};
    use z3::ast::{BV, Bool};

    /// The inputs with their values in a valuation.
    fn inputs(samples: &Samples, sample: usize) -> Vec<(Dynamic, Dynamic)> {
        let nodes = samples.nodes.all.iter().zip(&samples.nodes.values);
        let input = |(node, values): (&Node, &Values)| {
            let Operation::Input(input) = &node.operation else { return None };
            let value = match input.as_bv() {
                Some(bits) => Dynamic::from_ast(&BV::from_u64(values[sample], bits.get_size())),
                None => Dynamic::from_ast(&Bool::from_bool(values[sample] == 1)),
            };
            Some((input.clone(), value))
        };
        nodes.filter_map(input).collect()
    }

    /// Checks that a value in a valuation is what Z3 computes from the inputs. Returns whether there is one.
    fn agrees(samples: &mut Samples, sample: usize, term: &Dynamic) -> bool {
        let Some(node) = samples.node(term) else { return false };
        let inputs = inputs(samples, sample);
        let pairs: Vec<(&Dynamic, &Dynamic)> = inputs.iter().map(|(input, value)| (input, value)).collect();
        let expected = number(&term.substitute(&pairs).simplify());
        assert_eq!(Some(samples.nodes.values[node][sample]), expected, "{term:?}");
        true
    }

    /// Comparisons that Z3 rewrites when they are created.
    fn others(random: &mut fastrand::Rng, width: u32) -> [Bool; 6] {
        let (a, b) = (term(random, width, 2), term(random, width, 1));
        let p = Bool::new_const("p");
        let distinct = BV::distinct(&[&a, &b, &BV::new_const("x1", width)]);
        [a.bvugt(&b), a.bvuge(&b), a.bvsgt(&b), a.bvsge(&b), distinct, p.implies(a.eq(&b))]
    }

    #[test]
    fn values_are_those_that_z3_computes() {
        let mut random = fastrand::Rng::with_seed(3);
        let (mut known, mut count) = (0, 0);
        for width in [2, 5, 8, 31, 32, 63, 64] {
            let mut samples = Samples::default();
            for turn in 0..100 {
                let mut made = vec![Dynamic::from_ast(&term(&mut random, width, 3))];
                made.push(Dynamic::from_ast(&condition(&mut random, width, 3)));
                made.extend(others(&mut random, width).iter().map(|other| Dynamic::from_ast(other)));
                for part in made.iter().flat_map(parts) {
                    count += 1;
                    known += usize::from(agrees(&mut samples, random.usize(0..SAMPLES), &part));
                }
                // After a replacement, values are those of the new inputs.
                if turn % 10 == 9 {
                    samples.take(|_| None);
                }
            }
        }
        assert!(known * 4 > count * 3, "{known} of {count} parts have values");
    }

    #[test]
    fn each_operator_is_known() {
        let (x, y) = (BV::new_const("x", 8), BV::new_const("y", 8));
        let (p, q) = (Bool::new_const("p"), Bool::new_const("q"));
        let words = [
            x.bvadd(&y),
            x.bvsub(&y),
            x.bvmul(&y),
            x.bvudiv(&y),
            x.bvurem(&y),
            x.bvsdiv(&y),
            x.bvsrem(&y),
            x.bvshl(&y),
            x.bvlshr(&y),
            x.bvashr(&y),
            x.bvneg(),
            x.bvnot(),
            x.bvand(&y),
            x.bvor(&y),
            x.bvxor(&y),
            x.concat(&y),
            x.extract(6, 2),
            x.zero_ext(3),
            x.sign_ext(3),
            p.ite(&x, &y),
        ];
        let truths = [
            x.bvult(&y),
            x.bvule(&y),
            x.bvugt(&y),
            x.bvuge(&y),
            x.bvslt(&y),
            x.bvsle(&y),
            x.bvsgt(&y),
            x.bvsge(&y),
            x.eq(&y),
            BV::distinct(&[&x, &y]),
            p.not(),
            Bool::and(&[&p, &q]),
            Bool::or(&[&p, &q]),
            p.xor(&q),
            p.implies(&q),
            p.iff(&q),
            Bool::from_bool(true),
            Bool::from_bool(false),
        ];
        let mut samples = Samples::default();
        let words = words.iter().map(|word| Dynamic::from_ast(word));
        for term in words.chain(truths.iter().map(|truth| Dynamic::from_ast(truth))) {
            for sample in 0..SAMPLES {
                assert!(agrees(&mut samples, sample, &term), "{term:?}");
            }
        }
    }

    #[test]
    fn a_valuation_is_among_them_once_it_was_taken() {
        let mut samples = Samples::default();
        let x = BV::new_const("x", 64);
        let number = BV::from_u64(0x1234_5678_9abc_def0, 64);
        let product = Dynamic::from_ast(&x.bvmul(&number).eq(number.bvmul(&number)));
        assert!(!samples.hold(&product));
        samples.take(|input| (*input == Dynamic::from_ast(&x)).then(|| Dynamic::from_ast(&number)));
        assert!(samples.hold(&product));
    }

    #[test]
    fn maps_and_wider_words_have_no_values() {
        let mut samples = Samples::default();
        let wide = BV::new_const("wide", 65);
        assert!(!samples.hold(&Dynamic::from_ast(&wide.eq(wide.bvadd(BV::from_u64(0, 65))))));
        let sort = z3::Sort::bitvector(8);
        let map = z3::ast::Array::new_const("map", &sort, &sort);
        let read = map.select(&BV::from_u64(0, 8));
        assert!(!samples.hold(&Dynamic::from_ast(&read.eq(&read))));
    }
}
