//! Valuations that are tried before a solver is asked: some that it found, and others like them.
//!
//! Whether something may happen is answered by one valuation in which it does. Each part of a formula has its value in
//! all samples at once when it is first met, so that to try them costs next to nothing. Nothing is proved by them.

use crate::ast::{numeral_bits, parameters};
use rustc_hash::FxHashMap;
use z3::ast::{Ast, Dynamic};
use z3::{AstKind, DeclKind, SortKind};

/// How many samples there are.
const SAMPLES: usize = 16;
/// How many of them change when one is found: it itself, and some that differ from it in inputs.
const LIKE_IT: usize = 4;
/// One of so many inputs is another one there.
const CHANGED: u32 = 12;

/// The values of a part in all samples; truth values are 0 and 1.
type Values = [u64; SAMPLES];

/// Samples, and the parts of formulas that have values in them.
#[derive(Debug)]
pub(crate) struct Samples {
    /// The node of a part; nothing for one of anything but truth values and words of up to 64 bits.
    known: FxHashMap<Dynamic, Option<usize>>,
    /// The operands of a node come before it.
    nodes: Vec<Node>,
    values: Vec<Values>,
    random: fastrand::Rng,
    /// The sample that goes next.
    oldest: usize,
}

#[derive(Debug)]
struct Node {
    operation: Operation,
    operands: Vec<usize>,
    width: u32,
}

#[derive(Debug, Clone)]
enum Operation {
    /// What the solver may choose.
    Input(Dynamic),
    Number(u64),
    /// With the lowest bit that is taken, if it takes some of them.
    Operator(DeclKind, u32),
}

impl Default for Samples {
    fn default() -> Samples {
        let (known, nodes, values) = (FxHashMap::default(), Vec::new(), Vec::new());
        Samples { known, nodes, values, random: fastrand::Rng::with_seed(1), oldest: 0 }
    }
}

impl Samples {
    /// Does a formula hold in one of them?
    pub(crate) fn hold(&mut self, formula: &Dynamic) -> bool {
        self.node(formula).is_some_and(|node| self.values[node].contains(&1))
    }

    /// Takes a valuation among them, and some like it, for those that were taken first.
    pub(crate) fn take(&mut self, value: impl Fn(&Dynamic) -> Option<Dynamic>) {
        let changed: Vec<usize> = (0..LIKE_IT).map(|index| (self.oldest + index) % SAMPLES).collect();
        self.oldest = (self.oldest + LIKE_IT) % SAMPLES;
        for index in 0..self.nodes.len() {
            if let Operation::Input(input) = &self.nodes[index].operation {
                let found = value(input).and_then(|value| number(&value)).unwrap_or(0);
                for (turn, &sample) in changed.iter().enumerate() {
                    let is_other = turn > 0 && self.random.u32(0..CHANGED) == 0;
                    let width = self.nodes[index].width;
                    self.values[index][sample] =
                        if is_other { any_value(&mut self.random, width) } else { found };
                }
                continue;
            }
            for &sample in &changed {
                let value = self.value(index, sample);
                self.values[index][sample] = value.expect("it had a value when it was added");
            }
        }
    }

    fn value(&self, node: usize, sample: usize) -> Option<u64> {
        let Node { operation, operands, width } = &self.nodes[node];
        match operation {
            Operation::Input(_) => Some(self.values[node][sample]),
            Operation::Number(number) => Some(*number),
            Operation::Operator(kind, parameter) => {
                let operand = |index: usize| self.values[operands[index]][sample];
                let of_width = |index: usize| self.nodes[operands[index]].width;
                computed(*kind, *parameter, *width, operands.len(), &operand, &of_width)
            }
        }
    }

    fn node(&mut self, term: &Dynamic) -> Option<usize> {
        let mut stack = vec![term.clone()];
        while let Some(part) = stack.last().cloned() {
            if self.known.contains_key(&part) {
                stack.pop();
                continue;
            }
            let operands = if width(&part).is_some() { part.children() } else { Vec::new() };
            let open = stack.len();
            stack.extend(operands.iter().filter(|operand| !self.known.contains_key(operand)).cloned());
            if stack.len() > open {
                continue;
            }
            stack.pop();
            let operands: Option<Vec<usize>> = operands.iter().map(|operand| self.known[operand]).collect();
            let made = operands.and_then(|operands| self.add(&part, operands));
            self.known.insert(part, made);
        }
        self.known[term]
    }

    fn add(&mut self, part: &Dynamic, operands: Vec<usize>) -> Option<usize> {
        let width = width(part)?;
        let operation = if part.kind() == AstKind::Numeral {
            Operation::Number(number(part)?)
        } else {
            match part.decl().kind() {
                DeclKind::Uninterpreted if operands.is_empty() => Operation::Input(part.clone()),
                DeclKind::Uninterpreted => return None,
                kind => Operation::Operator(kind, parameters(part).map_or(0, |(_, low)| low)),
            }
        };
        let node = self.nodes.len();
        let mut values = [0; SAMPLES];
        if matches!(operation, Operation::Input(_)) {
            values = std::array::from_fn(|_| any_value(&mut self.random, width));
        }
        self.nodes.push(Node { operation, operands, width });
        self.values.push(values);
        for sample in 0..SAMPLES {
            let Some(value) = self.value(node, sample) else {
                self.nodes.pop();
                self.values.pop();
                return None;
            };
            self.values[node][sample] = value;
        }
        Some(node)
    }
}

/// How many bits a part has, if it is a truth value or a word.
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

/// A value for an input: programs tell small numbers apart.
fn any_value(random: &mut fastrand::Rng, width: u32) -> u64 {
    let any = match random.u32(0..8) {
        0..=2 => 0,
        3..=5 => random.u64(0..8),
        6 => random.u64(0..256),
        _ => random.u64(..),
    };
    any & mask(width)
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// What an operator makes of operands, whose widths are known; nothing if it is none of these.
fn computed(
    kind: DeclKind,
    parameter: u32,
    width: u32,
    count: usize,
    operand: &dyn Fn(usize) -> u64,
    of_width: &dyn Fn(usize) -> u32,
) -> Option<u64> {
    let all =
        |apply: fn(u64, u64) -> u64| (1..count).fold(operand(0), |sum, index| apply(sum, operand(index)));
    let signed = |index: usize| sign_extended(operand(index), of_width(index));
    let (a, b) = (|| operand(0), || operand(1));
    let size = || u64::from(of_width(0));
    let result = match kind {
        DeclKind::True => 1,
        DeclKind::False => 0,
        DeclKind::Not | DeclKind::Bnot => !a(),
        DeclKind::And | DeclKind::Band => all(|a, b| a & b),
        DeclKind::Or | DeclKind::Bor => all(|a, b| a | b),
        DeclKind::Xor | DeclKind::Bxor => all(|a, b| a ^ b),
        DeclKind::Implies => !a() | b(),
        DeclKind::Eq | DeclKind::Iff => u64::from(a() == b()),
        DeclKind::Distinct => {
            u64::from((0..count).all(|first| (0..first).all(|other| operand(first) != operand(other))))
        }
        DeclKind::Ite => operand(if a() == 1 { 1 } else { 2 }),
        DeclKind::Badd => all(u64::wrapping_add),
        DeclKind::Bsub => all(u64::wrapping_sub),
        DeclKind::Bmul => all(u64::wrapping_mul),
        DeclKind::Bneg => a().wrapping_neg(),
        DeclKind::Budiv => a().checked_div(b()).unwrap_or(u64::MAX),
        DeclKind::Burem => a().checked_rem(b()).unwrap_or(a()),
        DeclKind::Bsdiv if b() == 0 => {
            if signed(0) < 0 {
                1
            } else {
                u64::MAX
            }
        }
        DeclKind::Bsdiv => signed(0).wrapping_div(signed(1)) as u64,
        DeclKind::Bsrem if b() == 0 => a(),
        DeclKind::Bsrem => signed(0).wrapping_rem(signed(1)) as u64,
        DeclKind::Bshl => {
            if b() < size() {
                a() << b()
            } else {
                0
            }
        }
        DeclKind::Blshr => {
            if b() < size() {
                a() >> b()
            } else {
                0
            }
        }
        DeclKind::Bashr => (signed(0) >> b().min(size() - 1)) as u64,
        DeclKind::Ult => u64::from(a() < b()),
        DeclKind::Uleq => u64::from(a() <= b()),
        DeclKind::Ugt => u64::from(a() > b()),
        DeclKind::Ugeq => u64::from(a() >= b()),
        DeclKind::Slt => u64::from(signed(0) < signed(1)),
        DeclKind::Sleq => u64::from(signed(0) <= signed(1)),
        DeclKind::Sgt => u64::from(signed(0) > signed(1)),
        DeclKind::Sgeq => u64::from(signed(0) >= signed(1)),
        DeclKind::Concat => (1..count).fold(a(), |high, index| high << of_width(index) | operand(index)),
        DeclKind::Extract => a() >> parameter,
        DeclKind::ZeroExt => a(),
        DeclKind::SignExt => signed(0) as u64,
        _ => return None,
    };
    Some(result & mask(width))
}

fn sign_extended(value: u64, width: u32) -> i64 {
    let unused = 64 - width;
    ((value << unused) as i64) >> unused
}

#[cfg(test)]
mod tests {
    use super::*;
    use z3::ast::{BV, Bool};

    /// Terms of all operators over some inputs.
    fn terms(random: &mut fastrand::Rng, width: u32) -> Vec<Dynamic> {
        let mut words: Vec<BV> = (0..3).map(|index| BV::new_const(format!("x{index}"), width)).collect();
        words.extend([0, 1, 7].map(|number| BV::from_u64(number & mask(width), width)));
        let mut truths: Vec<Bool> = vec![Bool::new_const("p")];
        for _ in 0..120 {
            let word = |random: &mut fastrand::Rng, words: &[BV]| words[random.usize(0..words.len())].clone();
            let (a, b) = (word(random, &words), word(random, &words));
            let (p, q) = (&truths[random.usize(0..truths.len())], &truths[random.usize(0..truths.len())]);
            let truth = match random.u8(0..14) {
                0 => a.bvult(&b),
                1 => a.bvule(&b),
                2 => a.bvugt(&b),
                3 => a.bvuge(&b),
                4 => a.bvslt(&b),
                5 => a.bvsle(&b),
                6 => a.bvsgt(&b),
                7 => a.bvsge(&b),
                8 => a.eq(&b),
                9 => p.implies(q),
                10 => p.xor(q),
                11 => Bool::and(&[p, q, &a.eq(&b)]),
                12 => Bool::or(&[p.not(), q.clone()]),
                _ => BV::distinct(&[&a, &b, &words[0]]),
            };
            let half = (width / 2).max(1);
            let made = match random.u8(0..17) {
                0 => a.bvadd(&b),
                1 => a.bvsub(&b),
                2 => a.bvmul(&b),
                3 => a.bvudiv(&b),
                4 => a.bvurem(&b),
                5 => a.bvsdiv(&b),
                6 => a.bvsrem(&b),
                7 => a.bvshl(&b),
                8 => a.bvlshr(&b),
                9 => a.bvashr(&b),
                10 => a.bvneg().bvxor(&b),
                11 => a.bvnot().bvand(&b).bvor(&words[0]),
                12 => p.ite(&a, &b),
                13 => a.extract(half - 1, 0).sign_ext(width - half),
                14 => a.extract(width - 1, width - half).zero_ext(width - half),
                15 if width > 1 => a.extract(half - 1, 0).concat(b.extract(width - half - 1, 0)),
                _ => a.extract(width - 1, width - 1).sign_ext(width - 1),
            };
            words.push(made);
            truths.push(truth);
        }
        let words = words.iter().map(|word| Dynamic::from_ast(word));
        words.chain(truths.iter().map(|truth| Dynamic::from_ast(truth))).collect()
    }

    #[test]
    fn values_are_those_that_z3_computes() {
        let mut random = fastrand::Rng::with_seed(3);
        for width in [1, 2, 5, 8, 32, 63, 64] {
            let mut samples = Samples::default();
            for term in terms(&mut random, width) {
                let node = samples.node(&term).expect("all operators are known");
                let inputs: Vec<(usize, Dynamic)> = (0..samples.nodes.len())
                    .filter_map(|index| match &samples.nodes[index].operation {
                        Operation::Input(input) => Some((index, input.clone())),
                        _ => None,
                    })
                    .collect();
                let sample = random.usize(0..SAMPLES);
                let values: Vec<Dynamic> = inputs
                    .iter()
                    .map(|(index, input)| {
                        let value = samples.values[*index][sample];
                        match input.as_bv() {
                            Some(bits) => Dynamic::from_ast(&BV::from_u64(value, bits.get_size())),
                            None => Dynamic::from_ast(&Bool::from_bool(value == 1)),
                        }
                    })
                    .collect();
                let pairs: Vec<(&Dynamic, &Dynamic)> =
                    inputs.iter().map(|(_, input)| input).zip(&values).collect();
                let expected = number(&term.substitute(&pairs).simplify());
                assert_eq!(Some(samples.values[node][sample]), expected, "{term:?}");
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
    fn of_maps_and_wider_words_nothing_is_known() {
        let mut samples = Samples::default();
        let wide = BV::new_const("wide", 65);
        assert!(!samples.hold(&Dynamic::from_ast(&wide.eq(wide.bvadd(BV::from_u64(0, 65))))));
        let sort = z3::Sort::bitvector(8);
        let map = z3::ast::Array::new_const("map", &sort, &sort);
        let read = map.select(&BV::from_u64(0, 8));
        assert!(!samples.hold(&Dynamic::from_ast(&read.eq(&read))));
    }
}
