//! Terms in the shape in which choices are seen: words that were stored in parts are put together again, and what a
//! term can be is listed where that is a few numbers.

use crate::ast::parameters;
use crate::term::Formula;
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use z3::DeclKind;
use z3::ast::{Ast, BV, Bool, Dynamic};

/// How many choices are looked through to put parts together, and how deep they may be.
const MOST_CHOICES: u32 = 2_000;
const DEEPEST: u32 = 500;
/// How many numbers are listed, and how many parts of a term are looked at for that.
const MOST_NUMBERS: usize = 128;
const MOST_PARTS: u32 = 4_000;

/// Some bits of a term.
pub(crate) fn extract(term: &BV, high: u32, low: u32) -> BV {
    if low == 0 && high + 1 == term.get_size() {
        return term.clone();
    }
    let part = term.extract(high, low);
    if is_numeral(term) { part.simplify() } else { part }
}

/// Parts as one term, the most significant one first.
pub(crate) fn concat(parts: &[BV]) -> BV {
    REMEMBERED.with_borrow_mut(|remembered| {
        remembered.forget_if_large();
        Joiner { known: &mut remembered.joined, left: MOST_CHOICES, depth: 0 }.join(parts)
    })
}

thread_local! {
    static REMEMBERED: RefCell<Remembered> = RefCell::default();
}

/// What was found of terms that the same program has again and again.
#[derive(Default)]
struct Remembered {
    joined: FxHashMap<Vec<BV>, BV>,
    numbers: FxHashMap<Dynamic, Option<Numbers>>,
    /// How many numbers there are in all.
    listed: usize,
}

impl Remembered {
    fn forget_if_large(&mut self) {
        const LARGE: usize = 100_000;
        if self.joined.len() + self.numbers.len() + self.listed > LARGE {
            *self = Remembered::default();
        }
    }
}

struct Joiner<'r> {
    known: &'r mut FxHashMap<Vec<BV>, BV>,
    left: u32,
    depth: u32,
}

impl Joiner<'_> {
    fn join(&mut self, parts: &[BV]) -> BV {
        let as_they_are = || {
            let all = parts.iter().cloned().reduce(|high, low| high.concat(&low)).expect("there is a part");
            if parts.iter().all(is_numeral) { all.simplify() } else { all }
        };
        if let Some(whole) = consecutive(parts) {
            return whole;
        }
        if let Some(known) = self.known.get(parts) {
            return known.clone();
        }
        let joined = match chosen(parts) {
            Some((condition, then, otherwise)) if self.left > 0 && self.depth < DEEPEST => {
                self.left -= 1;
                self.depth += 1;
                let joined = condition.ite(&self.join(&then), &self.join(&otherwise));
                self.depth -= 1;
                joined
            }
            _ => as_they_are(),
        };
        self.known.insert(parts.to_vec(), joined.clone());
        joined
    }
}

fn is_numeral(term: &BV) -> bool {
    term.kind() == z3::AstKind::Numeral
}

fn operator(term: &BV) -> Option<DeclKind> {
    (term.kind() == z3::AstKind::App).then(|| term.decl().kind())
}

/// The term of which the parts are consecutive ones.
fn consecutive(parts: &[BV]) -> Option<BV> {
    if let [part] = parts {
        return Some(part.clone());
    }
    let mut whole: Option<(Dynamic, u32, u32)> = None;
    for part in parts {
        if operator(part) != Some(DeclKind::Extract) {
            return None;
        }
        let (high, low) = parameters(&Dynamic::from_ast(part))?;
        let of = part.nth_child(0)?;
        whole = match whole {
            None => Some((of, high, low)),
            Some((known, highest, lowest)) if known == of && lowest == high + 1 => {
                Some((known, highest, low))
            }
            Some(_) => return None,
        };
    }
    let (of, high, low) = whole?;
    Some(extract(&of.as_bv()?, high, low))
}

/// What all parts are where a condition holds, and where not, if all are chosen by one.
fn chosen(parts: &[BV]) -> Option<(Bool, Vec<BV>, Vec<BV>)> {
    let mut condition: Option<Bool> = None;
    let (mut then, mut otherwise) = (Vec::new(), Vec::new());
    for part in parts {
        if is_numeral(part) {
            then.push(part.clone());
            otherwise.push(part.clone());
            continue;
        }
        if operator(part) != Some(DeclKind::Ite) {
            return None;
        }
        let of = part.nth_child(0)?.as_bool()?;
        if condition.as_ref().is_some_and(|known| *known != of) {
            return None;
        }
        condition = Some(of);
        then.push(part.nth_child(1)?.as_bv()?);
        otherwise.push(part.nth_child(2)?.as_bv()?);
    }
    condition.map(|condition| (condition, then, otherwise))
}

/// Numbers, each once, with the condition under which a term is that number.
pub(crate) type Numbers = Vec<(u64, Formula)>;

/// All numbers that a term can be, if these are seen to be few.
pub(crate) fn numbers(term: &BV) -> Option<Numbers> {
    REMEMBERED.with_borrow_mut(|remembered| {
        remembered.forget_if_large();
        let mut lister = Lister { remembered, left: MOST_PARTS, depth: 0 };
        lister.list(&Dynamic::from_ast(term))
    })
}

struct Lister<'r> {
    remembered: &'r mut Remembered,
    left: u32,
    depth: u32,
}

impl Lister<'_> {
    fn list(&mut self, term: &Dynamic) -> Option<Numbers> {
        if let Some(known) = self.remembered.numbers.get(term) {
            return known.clone();
        }
        if self.left == 0 || self.depth == DEEPEST {
            return None;
        }
        self.left -= 1;
        self.depth += 1;
        let found = self.look(term).filter(|numbers| numbers.len() <= MOST_NUMBERS);
        self.depth -= 1;
        self.remembered.listed += found.as_ref().map_or(0, Vec::len);
        self.remembered.numbers.insert(term.clone(), found.clone());
        found
    }

    fn look(&mut self, term: &Dynamic) -> Option<Numbers> {
        let bits = term.as_bv()?;
        let width = bits.get_size();
        if is_numeral(&bits) {
            return Some(vec![(bits.as_u64()?, Formula::constant(true))]);
        }
        if width > 64 {
            return None;
        }
        let mask = u64::MAX >> (64 - width);
        match operator(&bits)? {
            DeclKind::Ite => {
                let condition: Formula = term.nth_child(0)?.as_bool()?.into();
                let then = self.list(&term.nth_child(1)?)?;
                let otherwise = self.list(&term.nth_child(2)?)?;
                let not = condition.not();
                let then = then.into_iter().map(|(number, when)| (number, condition.and(&when)));
                let otherwise = otherwise.into_iter().map(|(number, when)| (number, not.and(&when)));
                Some(once(then.chain(otherwise)))
            }
            DeclKind::Badd => self.combine(term, |a, b| a.wrapping_add(b) & mask),
            DeclKind::Bsub => self.combine(term, |a, b| a.wrapping_sub(b) & mask),
            DeclKind::Bmul => self.combine(term, |a, b| a.wrapping_mul(b) & mask),
            DeclKind::ZeroExt => self.list(&term.nth_child(0)?),
            DeclKind::SignExt => {
                let inner = term.nth_child(0)?;
                let unused = 64 - inner.as_bv()?.get_size();
                let numbers = self.list(&inner)?.into_iter();
                Some(
                    numbers
                        .map(|(number, when)| ((((number << unused) as i64) >> unused) as u64 & mask, when))
                        .collect(),
                )
            }
            DeclKind::Extract => {
                let (_, low) = parameters(term)?;
                let numbers = self.list(&term.nth_child(0)?)?.into_iter();
                Some(once(numbers.map(|(number, when)| (number >> low & mask, when))))
            }
            _ => None,
        }
    }

    fn combine(&mut self, term: &Dynamic, apply: impl Fn(u64, u64) -> u64) -> Option<Numbers> {
        let mut result = self.list(&term.nth_child(0)?)?;
        for operand in 1..term.num_children() {
            let other = self.list(&term.nth_child(operand)?)?;
            if result.len() * other.len() > MOST_NUMBERS {
                return None;
            }
            let pairs = result.iter().flat_map(|(a, when)| {
                other.iter().map(|(b, also)| (apply(*a, *b), when.and(also))).collect::<Vec<_>>()
            });
            result = once(pairs.collect::<Vec<_>>().into_iter());
        }
        Some(result)
    }
}

/// Each number once, in order.
fn once(numbers: impl Iterator<Item = (u64, Formula)>) -> Numbers {
    let mut all: Numbers = numbers.filter(|(_, when)| !when.is_constant(false)).collect();
    all.sort_by_key(|(number, _)| *number);
    let mut result: Numbers = Vec::with_capacity(all.len());
    for (number, when) in all {
        match result.last_mut() {
            Some((last, known)) if *last == number => *known = known.or(&when),
            _ => result.push((number, when)),
        }
    }
    result
}
