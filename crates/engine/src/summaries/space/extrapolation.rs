//! Affine extrapolation: contexts that know all values of their callers but one number.
//!
//! If contexts differ in one number only, the values that their function returns may depend on it in a simple
//! way: as a multiple of the number plus a constant. Such dependences are guessed from the contexts that have
//! exited, for each location of the function. A call with yet another number enters a context that does not
//! know the number and tracks the guesses like any other predicates. An exit at which they do not hold
//! refutes them; then contexts know all values again. So guesses determine how much is known, never what is
//! true.

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

/// The least number of exited contexts with different numbers for a guess: two points are always on a line.
const LEAST: usize = 5;

/// A class: contexts of a function that differ in one number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::summaries) struct Class {
    func: FuncId,
    /// The parameter or global that holds the number at the entry.
    but: VarId,
    /// The values that all of them know.
    values: Arc<Values>,
}

/// An affine dependence on another number of the same width: a factor times that number, plus a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line {
    width: u32,
    factor: u64,
    number: u64,
}

/// The guess about a context that does not know the number of its class.
#[derive(Debug)]
pub(in crate::summaries) struct Guess {
    class: Class,
    /// The guessed predicates by location.
    preds: BTreeMap<LocId, Vec<PredId>>,
    /// The variables that depend on the number, by location.
    depend: BTreeMap<LocId, Vec<Slot>>,
    /// The values that the function returns.
    given: Vec<(Slot, Line)>,
}

/// The classes of a search.
#[derive(Debug, Default)]
pub(in crate::summaries) struct Extrapolation {
    members: FxHashMap<Class, Vec<ContextId>>,
    /// Guesses by class. Where none was found, the number of members from which it is tried again.
    guesses: FxHashMap<Class, Result<Rc<Guess>, usize>>,
    /// Classes without further guesses.
    refuted: FxHashSet<Class>,
    /// Whether a guess was refuted, so that the search has to restart.
    pub is_refuted: bool,
}

impl Extrapolation {
    /// Forgets contexts, but not what was refuted.
    pub(in crate::summaries) fn restart(&mut self) {
        self.members.clear();
        self.guesses.clear();
        self.is_refuted = false;
    }

    /// Excludes the classes of all guesses from further guesses. Returns whether there was one.
    pub(in crate::summaries) fn refute_all(&mut self) -> bool {
        let guessed = self.guesses.iter().filter(|(_, guess)| guess.is_ok());
        let before = self.refuted.len();
        self.refuted.extend(guessed.map(|(class, _)| class.clone()));
        self.refuted.len() > before
    }
}

/// A number and its width, if the value is a number.
fn number(value: &Value) -> Option<(u64, u32)> {
    let bits = value.as_bits()?;
    Some((bits.to_u64()?, bits.width())).filter(|(_, width)| *width <= u64::BITS)
}

impl Line {
    /// The line through all points, if there is one.
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

    /// The predicate that the current value of a variable depends like this on the entry value of another
    /// one.
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
    /// The classes of a context with these values, one for each number.
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

/// Numbers seen at the locations of a function: for each location the points, and the number of states.
type Seen = BTreeMap<LocId, (BTreeMap<Slot, Vec<(u64, u64)>>, usize)>;

impl Space<'_, '_> {
    /// Adds a context to its classes.
    pub(in crate::summaries) fn classify(&mut self, id: ContextId, values: &Values) {
        for class in Class::all(self.contexts[id].func, values) {
            self.lines.members.entry(class).or_default().push(id);
        }
    }

    /// The values of a context that knows less than a call passes, with the guess about it.
    pub(in crate::summaries) fn less(
        &mut self,
        callee: FuncId,
        passed: &Values,
        known: &mut Knowledge,
    ) -> Option<(Arc<Values>, Rc<Guess>)> {
        let classes = Class::all(callee, passed);
        classes.into_iter().find_map(|class| Some((Arc::clone(&class.values), self.guess(class, known)?)))
    }

    /// The guess about a context that knows only these values.
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
            // It is tried again when there are more members.
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
            // If only one value of the number reaches a location, the guess is just this value.
            let mut only = slots.values().flatten().map(|&(from, _)| from);
            if let Some(from) = only.next().filter(|&first| only.all(|from| from == first)) {
                let line = Line { width, factor: 0, number: from };
                let pred = line.predicate(&mut known.predicates, program, at_entry(class.but), class.but);
                guess.preds.entry(*loc).or_default().push(pred);
            }
            for (&slot, points) in slots.iter().filter(|(_, points)| points.len() == *states) {
                let is_wide = program.vars[slot.var].ty == Type::Bv(width);
                // The other variables of the function end at its exit.
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
        // A guess has to cover everything that is returned. Otherwise knowing the number would tell more.
        let is_all =
            !given.is_empty() && given.iter().all(|var| guess.given.iter().any(|(slot, _)| slot.var == *var));
        debug!(
            function = program.functions[class.func].name,
            but = program.vars[class.but].name,
            is_all,
            given = ?guess.given,
            "affine extrapolation"
        );
        is_all.then_some(guess)
    }

    /// The tracked values that a function returns: its result, and the globals that it may write.
    fn given_back(&self, func: FuncId, known: &Knowledge) -> Vec<VarId> {
        let written = self.effects(func).writes.iter().copied();
        let given = written.chain(self.program.functions[func].ret);
        given.filter(|&var| known.precision.tracked.contains(&Tracked::Var(var))).collect()
    }

    /// The numbers seen in exited members of a class, and the width of the class's number; `None` if there
    /// are too few.
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

    /// Whether the guess about a context holds at an exit of it. If not, its class gets no further guesses.
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

    /// The guessed predicates of a context at a location.
    pub(in crate::summaries) fn guessed(&self, context: ContextId, loc: LocId) -> &[PredId] {
        let guess = self.contexts[context].guess.as_ref();
        guess.and_then(|guess| guess.preds.get(&loc)).map_or(&[][..], Vec::as_slice)
    }

    /// Forgets values in a context that its guess is about. If the function calls itself, each of these
    /// values would lead to another context.
    pub(in crate::summaries) fn leave_to_guess(&self, context: ContextId, loc: LocId, after: &mut Values) {
        let guess = self.contexts[context].guess.as_ref();
        let slots = guess.and_then(|guess| guess.depend.get(&loc)).map_or(&[][..], Vec::as_slice);
        slots.iter().for_each(|&slot| after.remove(Key::Var(slot)));
    }

    /// Adds values at the exit of a context that follow from its guess, where the number that a call passes
    /// is known. Returns whether they are consistent with the values known at the exit.
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
