//! Contexts that know the values of their callers but for one number.
//!
//! Where contexts differ in one number only, what their function gives back may depend on it in a simple way: a multiple
//! of it and a number that is the same each time. That is guessed from the contexts of values that ended, for each place
//! of the function. A call with yet another number enters a context that does not know it, which looks at the guesses as
//! at any other predicates. An exit that they do not hold at refutes them; then contexts know all values again. So what
//! was guessed decides how much is known, never what is true.

use super::{ContextId, Origin, Space};
use crate::control::affine_hull::{Hull, inverse};
use crate::control::place::Slot;
use crate::state::arg::NodeId;
use crate::state::precision::{Knowledge, Literal, PredId, Predicates};
use crate::summaries::intraprocedural::{at_entry, now, with_ghosts};
use crate::values::{Key, Tracked, Values};
use beeline_ir::{BinOp, EdgeId, FuncId, LocId, Program, Type, Value, VarId};
use beeline_run::AT_ENTRY;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use tracing::debug;

/// How many contexts with different numbers have to have ended for anything to be guessed of others: two are on a line
/// always.
const LEAST: usize = 5;

/// Contexts of a function that differ in one number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::summaries) struct Class {
    func: FuncId,
    /// The parameter or global that holds the number at the entry.
    but: VarId,
    /// What all of them know.
    values: Arc<Values>,
}

/// How a number depends on another one of the same width: so many times that one, and a number more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line {
    width: u32,
    factor: u64,
    number: u64,
}

/// What is guessed of a context that does not know the number of its class.
#[derive(Debug)]
pub(in crate::summaries) struct Guess {
    class: Class,
    /// As predicates, by location.
    preds: BTreeMap<LocId, Vec<PredId>>,
    /// The variables that depend on the number, by location.
    depend: BTreeMap<LocId, Vec<Slot>>,
    /// What the function gives back.
    given: Vec<(Slot, Line)>,
}

/// The classes of a search.
#[derive(Debug, Default)]
pub(in crate::summaries) struct Extrapolation {
    members: FxHashMap<Class, Vec<ContextId>>,
    /// Guesses that were made, and with how many members it was found that there is none to make.
    guesses: FxHashMap<Class, Result<Rc<Guess>, usize>>,
    /// Of these nothing is guessed any more.
    refuted: FxHashSet<Class>,
    /// Was a guess refuted, so that all has to begin anew?
    pub is_refuted: bool,
}

impl Extrapolation {
    /// Forgets contexts, and no more.
    pub(in crate::summaries) fn restart(&mut self) {
        self.members.clear();
        self.guesses.clear();
        self.is_refuted = false;
    }

    /// Guesses nothing any more of the classes that guesses were made of; was there one?
    pub(in crate::summaries) fn refute_all(&mut self) -> bool {
        let guessed = self.guesses.iter().filter(|(_, guess)| guess.is_ok());
        let before = self.refuted.len();
        self.refuted.extend(guessed.map(|(class, _)| class.clone()));
        self.refuted.len() > before
    }
}

/// A number and how wide it is, if it is one.
fn number(value: &Value) -> Option<(u64, u32)> {
    let bits = value.as_bits()?;
    Some((bits.to_u64()?, bits.width())).filter(|(_, width)| *width <= u64::BITS)
}

impl Line {
    /// The line on which all points are, if they are on one.
    fn through(width: u32, points: &[(u64, u64)]) -> Option<Line> {
        let mut hull = Hull::empty(width, 2);
        points.iter().for_each(|&(from, to)| hull.add(&[from, to]));
        let relation = hull.relations().iter().find(|relation| relation[1] % 2 == 1)?;
        let times = inverse(relation[1]).wrapping_neg();
        let cut = |number: u64| number & (u64::MAX >> (u64::BITS - width));
        let (factor, number) = (relation[0].wrapping_mul(times), relation[2].wrapping_mul(times));
        Some(Line { width, factor: cut(factor), number: cut(number) })
    }

    fn at(self, from: u64) -> Value {
        Value::bv(self.width, self.factor.wrapping_mul(from).wrapping_add(self.number))
    }

    /// That what a variable holds now depends so on what another one held at the entry.
    fn predicate(self, predicates: &mut Predicates, program: &Program, to: Slot, from: VarId) -> PredId {
        let (to, from) = (predicates.slot_expr(program, to), predicates.slot_expr(program, at_entry(from)));
        let pool = &mut predicates.pool;
        let (factor, number) = (pool.bv(self.width, self.factor), pool.bv(self.width, self.number));
        let product = pool.binary(BinOp::Mul, factor, from);
        let sum = pool.add(product, number);
        let holds = pool.eq(to, sum);
        predicates.add(holds)
    }
}

impl Class {
    /// The classes of a context that knows these values, each with its number.
    fn all(func: FuncId, values: &Values) -> Vec<Class> {
        let ghosts = values.entries().filter_map(|(key, value)| match key {
            Key::Var(Slot { var, level: AT_ENTRY }) if number(value?).is_some() => Some(var),
            _ => None,
        });
        let class = |but| {
            let mut values = values.clone();
            values.remove(Key::Var(at_entry(but)));
            Class { func, but, values: Arc::new(values) }
        };
        ghosts.map(class).collect()
    }
}

/// What was seen of numbers at the places of a function: for each the points, and how many states there were.
type Seen = BTreeMap<LocId, (BTreeMap<Slot, Vec<(u64, u64)>>, usize)>;

impl Space<'_, '_> {
    /// Adds a context to its classes.
    pub(in crate::summaries) fn classify(&mut self, id: ContextId, values: &Values) {
        for class in Class::all(self.contexts[id].func, values) {
            self.lines.members.entry(class).or_default().push(id);
        }
    }

    /// What a context may know less for a call that passes these values, and what is guessed then.
    pub(in crate::summaries) fn less(
        &mut self,
        callee: FuncId,
        passed: &Values,
        known: &mut Knowledge,
    ) -> Option<(Arc<Values>, Rc<Guess>)> {
        let classes = Class::all(callee, passed);
        classes.into_iter().find_map(|class| Some((Arc::clone(&class.values), self.guess(class, known)?)))
    }

    /// What is guessed of a context that knows no more than these values.
    pub(in crate::summaries) fn guess_of(
        &mut self,
        func: FuncId,
        values: &Arc<Values>,
        known: &mut Knowledge,
    ) -> Option<Rc<Guess>> {
        let ghosts: Vec<VarId> = with_ghosts(self.program, func).collect();
        ghosts.into_iter().find_map(|but| self.guess(Class { func, but, values: Arc::clone(values) }, known))
    }

    fn guess(&mut self, class: Class, known: &mut Knowledge) -> Option<Rc<Guess>> {
        let members = self.lines.members.get(&class).map_or(0, Vec::len);
        match self.lines.guesses.get(&class) {
            Some(Ok(guess)) => return Some(Rc::clone(guess)),
            // It is tried again when there are more of them.
            Some(&Err(tried)) if members <= tried => return None,
            _ if members < LEAST || self.lines.refuted.contains(&class) => return None,
            _ => {}
        }
        let found = self.lines_of(&class, known).map(Rc::new);
        let kept = found.as_ref().map(Rc::clone).ok_or(members + members / 4);
        self.lines.guesses.insert(class, kept);
        found
    }

    fn lines_of(&self, class: &Class, known: &mut Knowledge) -> Option<Guess> {
        let (program, exit) = (self.program, self.program.functions[class.func].exit);
        let (seen, width) = self.seen(class)?;
        let given = self.given_back(class.func, known);
        let mut guess = Guess {
            class: class.clone(),
            preds: BTreeMap::new(),
            depend: BTreeMap::new(),
            given: Vec::new(),
        };
        for (loc, (slots, states)) in &seen {
            // Where only one number gets, nothing more is known than that it is this one.
            let mut only = slots.values().flatten().map(|&(from, _)| from);
            if let Some(from) = only.next().filter(|&first| only.all(|from| from == first)) {
                let line = Line { width, factor: 0, number: from };
                let pred = line.predicate(&mut known.predicates, program, at_entry(class.but), class.but);
                guess.preds.entry(*loc).or_default().push(pred);
            }
            for (&slot, points) in slots.iter().filter(|(_, points)| points.len() == *states) {
                let is_wide = program.vars[slot.var].ty == Type::Bv(width);
                // Where the function ends, its other variables do.
                let is_there = *loc != exit || given.contains(&slot.var);
                let Some(line) = Line::through(width, points).filter(|_| is_wide && is_there) else {
                    continue;
                };
                guess.preds.entry(*loc).or_default().push(line.predicate(
                    &mut known.predicates,
                    program,
                    slot,
                    class.but,
                ));
                if line.factor != 0 {
                    guess.depend.entry(*loc).or_default().push(slot);
                }
                if *loc == exit {
                    guess.given.push((slot, line));
                }
            }
        }
        // Of all that is given back something has to be guessed: else to know the number tells more.
        let is_all =
            !given.is_empty() && given.iter().all(|var| guess.given.iter().any(|(slot, _)| slot.var == *var));
        debug!(function = program.functions[class.func].name, but = program.vars[class.but].name, is_all, given = ?guess.given, "guessing");
        is_all.then_some(guess)
    }

    /// What a function gives back that is tracked: its result and globals that it may write.
    fn given_back(&self, func: FuncId, known: &Knowledge) -> Vec<VarId> {
        let written = self.effects(func).writes.iter().copied();
        let given = written.chain(self.program.functions[func].ret);
        given.filter(|&var| known.precision.tracked.contains(&Tracked::Var(var))).collect()
    }

    /// What was seen in the members of a class that ended, and how wide its number is; `None` if these are too few.
    fn seen(&self, class: &Class) -> Option<(Seen, u32)> {
        let (mut seen, mut numbers, mut width) = (Seen::new(), BTreeSet::new(), 0);
        for &id in &self.lines.members[class] {
            let context = &self.contexts[id];
            let passed = self.nodes[context.entry].values.get(Key::Var(at_entry(class.but)))?;
            let (from, of_width) = number(passed.as_ref()?)?;
            if !context.has_ended() {
                continue;
            }
            numbers.insert(from);
            width = of_width;
            for &state in &context.states {
                let node = &self.nodes[state];
                if matches!(node.origin, Origin::Entry) {
                    continue;
                }
                let (slots, states) = seen.entry(node.loc).or_default();
                *states += 1;
                for (key, value) in node.values.entries() {
                    let Key::Var(slot @ Slot { level: 0, .. }) = key else { continue };
                    if let Some((to, _)) = value.and_then(number) {
                        slots.entry(slot).or_default().push((from, to));
                    }
                }
            }
        }
        (numbers.len() >= LEAST).then_some((seen, width))
    }

    /// Does what is guessed of a context hold at this exit of it? If not, nothing is guessed of its class any more.
    pub(in crate::summaries) fn keeps_guess(&mut self, exit: NodeId) -> bool {
        let node = &self.nodes[exit];
        let Some(guess) = self.contexts[node.context].guess.clone() else { return true };
        let preds = guess.preds.get(&node.loc).map_or(&[][..], Vec::as_slice);
        let literals: Vec<Literal> = preds.iter().map(|&pred| Literal { pred, holds: true }).collect();
        let claim = self.bdds.conjunction(&literals);
        let holds = self.bdds.implies(node.formula, claim);
        if !holds {
            debug!(but = self.program.vars[guess.class.but].name, "a guess is refuted");
            self.lines.refuted.insert(guess.class.clone());
            self.lines.is_refuted = true;
        }
        holds
    }

    /// The predicates that are guessed of a context at a location.
    pub(in crate::summaries) fn guessed(&self, context: ContextId, loc: LocId) -> &[PredId] {
        let guess = self.contexts[context].guess.as_ref();
        guess.and_then(|guess| guess.preds.get(&loc)).map_or(&[][..], Vec::as_slice)
    }

    /// Forgets values in a context that predicates of its guess are about: where the function calls itself, each of them
    /// would lead to another one.
    pub(in crate::summaries) fn leave_to_guess(&self, context: ContextId, loc: LocId, after: &mut Values) {
        let guess = self.contexts[context].guess.as_ref();
        let slots = guess.and_then(|guess| guess.depend.get(&loc)).map_or(&[][..], Vec::as_slice);
        slots.iter().for_each(|&slot| after.remove(Key::Var(slot)));
    }

    /// Adds values that the exit of a context has by what was guessed of it, where the number is known that a call passes.
    /// Says whether this can be: another value may be known.
    pub(in crate::summaries) fn regain(
        &self,
        (edge, passed): (EdgeId, &Values),
        exit: NodeId,
        known: &Knowledge,
        after: &mut Values,
    ) -> bool {
        let Some(guess) = self.contexts[self.nodes[exit].context].guess.as_ref() else { return true };
        let passed = passed.get(Key::Var(at_entry(guess.class.but)));
        let Some((from, _)) = passed.and_then(Option::as_ref).and_then(number) else { return true };
        let result = self.program.functions[guess.class.func].ret;
        let receives = self.program.edges[edge].op.as_call().and_then(|call| call.ret);
        let (results, globals): (Vec<_>, Vec<_>) =
            guess.given.iter().partition(|(slot, _)| Some(slot.var) == result);
        for (slot, line) in globals.into_iter().chain(results) {
            let to = if Some(slot.var) == result { receives } else { Some(slot.var) };
            let value = line.at(from);
            if self.nodes[exit].values.get(Key::Var(slot)).is_some_and(|known| known.as_ref() != Some(&value))
            {
                return false;
            }
            if let Some(to) = to.filter(|&to| known.precision.tracked.contains(&Tracked::Var(to))) {
                after.set(Key::Var(now(to)), Some(value));
            }
        }
        true
    }
}
