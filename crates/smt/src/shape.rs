//! Normalisation of terms: words that were stored in parts are reassembled, and the values of a term are
//! listed where they are few.

use crate::ast::{evaluated, parameters};
use crate::term::Formula;
use crate::words::{mask, signed};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use z3::DeclKind;
use z3::ast::{Ast, BV, Bool, Dynamic};

/// The greatest number of choices to search when parts are reassembled, and their greatest nesting.
const MOST_CHOICES: u32 = 2_000;
const DEEPEST: u32 = 500;
/// The greatest number of listed numbers, and of parts of a term that are searched for them.
const MOST_NUMBERS: usize = 128;
/// The greatest number of listed numbers for a comparison.
const FEW_NUMBERS: usize = 24;
/// The greatest number of listed remainders. Beyond it, bits distinguish places in memory at a lower cost.
const MOST_REMAINDERS: u64 = 16;
const MOST_PARTS: u32 = 4_000;

/// Some bits of a term.
pub(crate) fn extract(term: &BV, high: u32, low: u32) -> BV {
    if low == 0 && high + 1 == term.get_size() {
        return term.clone();
    }
    let part = term.extract(high, low);
    evaluated(&part)
}

/// The concatenation of parts, most significant first.
pub(crate) fn concat(parts: &[BV]) -> BV {
    REMEMBERED.with_borrow_mut(|remembered| {
        remembered.forget_if_large();
        Joiner { known: &mut remembered.joined, left: MOST_CHOICES, depth: 0 }.join(parts)
    })
}

thread_local! {
    static REMEMBERED: RefCell<Remembered> = RefCell::default();
}

/// Forgets what is known of terms, because further terms are of another context.
pub(crate) fn forget() {
    REMEMBERED.take();
}

/// What is known of terms, which recur within one program.
#[derive(Default)]
struct Remembered {
    joined: FxHashMap<Vec<BV>, BV>,
    cases: FxHashMap<Dynamic, Cases>,
    /// Cases with fewer listed numbers.
    few: FxHashMap<Dynamic, Cases>,
    /// The number of all listed numbers.
    listed: usize,
}

impl Remembered {
    fn forget_if_large(&mut self) {
        const LARGE: usize = 100_000;
        if self.joined.len() + self.cases.len() + self.few.len() + self.listed > LARGE {
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
            let are_numbers = parts.iter().all(is_numeral);
            let join = |high: BV, low: BV| {
                let both = high.concat(&low);
                if are_numbers { evaluated(&both) } else { both }
            };
            parts.iter().cloned().reduce(join).expect("there is a part")
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

/// The term whose consecutive bits the parts are.
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

/// The condition of a choice, with the parts where it holds and where it does not, if the same condition
/// chooses all parts.
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

/// Numbers, each once, with the condition under which a term has that value.
pub type Numbers = Vec<(u64, Formula)>;

/// The possible values of a term.
#[derive(Debug, Clone)]
pub(crate) struct Cases {
    /// Listed numbers.
    pub numbers: Numbers,
    /// The condition under which it has none of these values, and may have any.
    pub rest: Formula,
}

impl Cases {
    /// Nothing is known.
    fn unknown() -> Cases {
        Cases { numbers: Vec::new(), rest: Formula::constant(true) }
    }

    /// The numbers, if there are no other values.
    fn all(self) -> Option<Numbers> {
        self.rest.is_constant(false).then_some(self.numbers)
    }

    /// Applies a function to each number.
    fn map(self, apply: impl Fn(u64) -> u64) -> Cases {
        let numbers = once(self.numbers.into_iter().map(|(number, when)| (apply(number), when)));
        Cases { numbers, ..self }
    }
}

/// All possible values of a term, if they are found to be few.
pub(crate) fn numbers(term: &BV) -> Option<Numbers> {
    cases(term).all()
}

/// The possible values of a term.
pub(crate) fn cases(term: &BV) -> Cases {
    REMEMBERED.with_borrow_mut(|remembered| {
        remembered.forget_if_large();
        let Remembered { cases: known, listed, .. } = remembered;
        Lister { known, listed, most: MOST_NUMBERS, left: MOST_PARTS, depth: 0 }
            .list(&Dynamic::from_ast(term))
    })
}

/// The few possible values of an operand of a comparison.
fn few_numbers(term: &BV) -> Option<Numbers> {
    REMEMBERED.with_borrow_mut(|remembered| {
        remembered.forget_if_large();
        let Remembered { few: known, listed, .. } = remembered;
        Lister { known, listed, most: FEW_NUMBERS, left: MOST_PARTS, depth: 0 }
            .list(&Dynamic::from_ast(term))
            .all()
    })
}

/// The term that has one of some values, each under its condition. The conditions exclude each other, and one
/// of them holds.
pub(crate) fn choice(mut numbers: Numbers, width: u32) -> BV {
    let number = |number: u64| BV::from_u64(number, width);
    let (last, _) = numbers.pop().expect("there is a number");
    let mut chosen = number(last);
    for (other, when) in &numbers {
        chosen = when.z3().ite(&number(*other), &chosen);
    }
    let none = Formula::any(numbers.iter().map(|(_, when)| when.clone())).not();
    numbers.push((last, none));
    let cases = Cases { numbers, rest: Formula::constant(false) };
    REMEMBERED.with_borrow_mut(|remembered| {
        remembered.listed += 2 * cases.numbers.len();
        if cases.numbers.len() <= FEW_NUMBERS {
            remembered.few.insert(Dynamic::from_ast(&chosen), cases.clone());
        }
        remembered.cases.insert(Dynamic::from_ast(&chosen), cases);
    });
    chosen
}

/// The greatest number of pairs in the formula of a comparison.
const MOST_EQUAL: usize = 32;

/// The condition under which a relation holds between two terms, if both have few possible values.
pub(crate) fn compare(a: &BV, b: &BV, holds: impl Fn(u64, u64) -> bool) -> Option<Formula> {
    if ![a, b].into_iter().all(can_be_few) {
        return None;
    }
    let (a, b) = (few_numbers(a)?, few_numbers(b)?);
    let pairs = || a.iter().flat_map(|x| b.iter().map(move |y| (x, y)));
    let holding = pairs().filter(|((x, _), (y, _))| holds(*x, *y)).count();
    let truth = 2 * holding <= a.len() * b.len();
    let fewer = if truth { holding } else { a.len() * b.len() - holding };
    if fewer > MOST_EQUAL {
        return None;
    }
    let chosen = pairs().filter(|((x, _), (y, _))| holds(*x, *y) == truth);
    let any = Formula::any(chosen.map(|((_, when), (_, also))| when.and(also)));
    Some(if truth { any } else { any.not() })
}

/// The condition under which a property holds of a term, if it has few possible values.
pub(crate) fn among(term: &BV, holds: impl Fn(u64) -> bool) -> Option<Formula> {
    compare(term, &BV::from_u64(0, term.get_size()), |number, _| holds(number))
}

/// The term that another one extends by at least one zero bit, so that the sign is known.
pub(crate) fn widened(term: &BV) -> Option<BV> {
    let narrow = (operator(term) == Some(DeclKind::ZeroExt)).then(|| term.nth_child(0)?.as_bv())??;
    (narrow.get_size() < term.get_size()).then_some(narrow)
}

/// Whether a term may have few possible values, as far as its outermost operator tells.
fn can_be_few(term: &BV) -> bool {
    use DeclKind::{Badd, Band, Blshr, Bmul, Bor, Bshl, Bsub, Burem, Extract, Ite, SignExt, ZeroExt};
    is_numeral(term)
        || matches!(
            operator(term),
            Some(Ite | Badd | Bsub | Bmul | Band | Bor | Bshl | Blshr | Burem | ZeroExt | SignExt | Extract)
        )
}

struct Lister<'r> {
    known: &'r mut FxHashMap<Dynamic, Cases>,
    listed: &'r mut usize,
    most: usize,
    left: u32,
    depth: u32,
}

impl Lister<'_> {
    fn list(&mut self, term: &Dynamic) -> Cases {
        if let Some(known) = self.known.get(term) {
            return known.clone();
        }
        if self.left == 0 || self.depth == DEEPEST {
            return Cases::unknown();
        }
        self.left -= 1;
        self.depth += 1;
        let found = self.look(term).filter(|cases| (1..=self.most).contains(&cases.numbers.len()));
        let found = found.unwrap_or_else(Cases::unknown);
        self.depth -= 1;
        *self.listed += found.numbers.len();
        self.known.insert(term.clone(), found.clone());
        found
    }

    fn look(&mut self, term: &Dynamic) -> Option<Cases> {
        let bits = term.as_bv()?;
        let width = bits.get_size();
        if is_numeral(&bits) {
            let numbers = vec![(bits.as_u64()?, Formula::constant(true))];
            return Some(Cases { numbers, rest: Formula::constant(false) });
        }
        if width > 64 {
            return None;
        }
        let mask = mask(width);
        let shifted = |by: u64, shift: fn(u64, u32) -> u64, a: u64| {
            if by < u64::from(width) { shift(a, by as u32) & mask } else { 0 }
        };
        match operator(&bits)? {
            DeclKind::Ite => {
                let condition: Formula = term.nth_child(0)?.as_bool()?.into();
                let (then, otherwise) = (self.list(&term.nth_child(1)?), self.list(&term.nth_child(2)?));
                let rest = condition.ite(&then.rest, &otherwise.rest);
                let not = condition.not();
                let then = then.numbers.into_iter().map(|(number, when)| (number, condition.and(&when)));
                let otherwise = otherwise.numbers.into_iter().map(|(number, when)| (number, not.and(&when)));
                Some(Cases { numbers: once(then.chain(otherwise)), rest })
            }
            DeclKind::Badd => self.combine(term, |a, b| a.wrapping_add(b) & mask),
            DeclKind::Bsub => self.combine(term, |a, b| a.wrapping_sub(b) & mask),
            DeclKind::Bmul => self.combine(term, |a, b| a.wrapping_mul(b) & mask),
            DeclKind::Band => self.combine(term, |a, b| a & b),
            DeclKind::Burem => self.remainder(term, &bits),
            DeclKind::Bor => self.combine(term, |a, b| a | b),
            DeclKind::Bshl => self.combine(term, |a, by| shifted(by, |a, by| a << by, a)),
            DeclKind::Blshr => self.combine(term, |a, by| shifted(by, |a, by| a >> by, a)),
            DeclKind::ZeroExt => Some(self.list(&term.nth_child(0)?)),
            DeclKind::SignExt => {
                let inner = term.nth_child(0)?;
                let narrow = inner.as_bv()?.get_size();
                Some(self.list(&inner).map(|number| signed(number, narrow) as u64 & mask))
            }
            DeclKind::Extract => {
                let (_, low) = parameters(term)?;
                Some(self.list(&term.nth_child(0)?).map(|number| number >> low & mask))
            }
            _ => None,
        }
    }

    /// The remainder of a division by a constant: it is less than the divisor, whatever the dividend is.
    fn remainder(&mut self, term: &Dynamic, bits: &BV) -> Option<Cases> {
        let divisor = term.nth_child(1)?.as_bv().filter(is_numeral)?.as_u64()?;
        let divided = self.list(&term.nth_child(0)?);
        if divisor == 0 {
            return None;
        }
        if divided.rest.is_constant(false) {
            return Some(divided.map(|number| number % divisor));
        }
        let is = |number: u64| Formula::from(bits.eq(BV::from_u64(number, bits.get_size())));
        let numbers = (0..divisor).map(|number| (number, is(number)));
        (divisor <= MOST_REMAINDERS)
            .then(|| Cases { numbers: numbers.collect(), rest: Formula::constant(false) })
    }

    fn combine(&mut self, term: &Dynamic, apply: impl Fn(u64, u64) -> u64) -> Option<Cases> {
        let mut result = self.list(&term.nth_child(0)?);
        for operand in 1..term.num_children() {
            let other = self.list(&term.nth_child(operand)?);
            if result.numbers.len() * other.numbers.len() > self.most {
                return None;
            }
            let pairs = result.numbers.iter().flat_map(|(a, when)| {
                other.numbers.iter().map(|(b, also)| (apply(*a, *b), when.and(also))).collect::<Vec<_>>()
            });
            let numbers = once(pairs.collect::<Vec<_>>().into_iter());
            result = Cases { numbers, rest: result.rest.or(&other.rest) };
        }
        Some(result)
    }
}

/// Numbers in order, each once.
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
