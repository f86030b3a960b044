//! Precision: which variables, regions and predicates abstractions track, and where.

use crate::control::Control;
use crate::control::place::{Slot, StackId};
use crate::values::Tracked;
use beeline_ir::{EdgeId, Expr, ExprId, ExprPool, FuncId, LocId, Program, VarId};
use cranelift_entity::{EntityRef, entity_impl};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// How many call strings with one topmost call have to be kept before all of them are.
const MANY_STACKS: usize = 8;

/// The id of a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PredId(u32);
entity_impl!(PredId, "p");

/// A predicate or its negation. The predicate says "true and not stuck".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Literal {
    /// The predicate.
    pub pred: PredId,
    /// Whether it holds.
    pub holds: bool,
}

/// The slots that the variables of the pool of predicates stand for.
#[derive(Debug, Clone, Default)]
struct Slots {
    list: Vec<Slot>,
    vars: FxHashMap<Slot, VarId>,
}

impl Slots {
    fn expr(&mut self, pool: &mut ExprPool, program: &Program, slot: Slot) -> ExprId {
        let next = VarId::new(self.list.len());
        let var = *self.vars.entry(slot).or_insert_with(|| {
            self.list.push(slot);
            next
        });
        pool.var(var, program.vars[slot.var].ty)
    }
}

/// The calls that a predicate is about, at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaks {
    /// The topmost call, or globals. The predicate is named as if that call were the only activation of its
    /// function.
    Top(PredId),
    /// Only calls below the topmost one.
    Below,
    /// The topmost call and calls below it.
    Both,
}

/// All predicates. Their expressions are in a pool of their own, in which a variable stands for a [`Slot`].
#[derive(Debug, Clone, Default)]
pub struct Predicates {
    /// The expressions.
    pub pool: ExprPool,
    slots: Slots,
    exprs: Vec<ExprId>,
    reads: Vec<Vec<Slot>>,
    ids: FxHashMap<ExprId, PredId>,
    /// Predicates of one activation, restated for another activation of the same function.
    at_level: FxHashMap<(PredId, u32), PredId>,
}

impl Predicates {
    /// The expression for a slot.
    pub fn slot_expr(&mut self, program: &Program, slot: Slot) -> ExprId {
        self.slots.expr(&mut self.pool, program, slot)
    }

    /// An expression of the program, as the function on top of a stack sees it.
    pub fn import(
        &mut self,
        program: &Program,
        control: &dyn Control,
        stack: StackId,
        root: ExprId,
    ) -> ExprId {
        self.import_as(program, root, |var| control.slot(program, stack, var))
    }

    /// An expression of the program, with a slot for each variable.
    pub(crate) fn import_as(
        &mut self,
        program: &Program,
        root: ExprId,
        slot: impl Fn(VarId) -> Slot,
    ) -> ExprId {
        let Predicates { pool, slots, .. } = self;
        pool.import(&program.exprs, root, |pool, var| slots.expr(pool, program, slot(var)))
    }

    /// Adds a predicate of another pool, in which variables stand for the given slots.
    pub(crate) fn add_written(
        &mut self,
        program: &Program,
        (from, slots_there): (&ExprPool, &[Slot]),
        root: ExprId,
    ) -> PredId {
        let Predicates { pool, slots, .. } = self;
        let expr = pool.import(from, root, |pool, var| slots.expr(pool, program, slots_there[var.index()]));
        self.add(expr)
    }

    /// The slot that a variable of the pool stands for.
    pub fn slot(&self, var: VarId) -> Slot {
        self.slots.list[var.index()]
    }

    /// Adds a predicate; its negation where that is one already, which tells as much.
    pub(crate) fn add_or_negation(&mut self, expr: ExprId) -> PredId {
        let negation = self.pool.not(expr);
        self.ids.get(&negation).copied().unwrap_or_else(|| self.add(expr))
    }

    /// Adds a predicate.
    pub fn add(&mut self, expr: ExprId) -> PredId {
        if let Some(&id) = self.ids.get(&expr) {
            return id;
        }
        let id = PredId::new(self.exprs.len());
        self.exprs.push(expr);
        self.reads.push(self.slots_of(expr));
        self.ids.insert(expr, id);
        id
    }

    fn slots_of(&self, root: ExprId) -> Vec<Slot> {
        let slot = |(_, node)| match node {
            Expr::Var(var) => Some(self.slot(var)),
            _ => None,
        };
        let slots: BTreeSet<Slot> = self.pool.parts([root]).filter_map(slot).collect();
        slots.into_iter().collect()
    }

    /// The expression of a predicate.
    pub fn expr(&self, pred: PredId) -> ExprId {
        self.exprs[pred.index()]
    }

    /// Whether the predicate is only about globals and activations on the stack.
    pub fn is_live(&self, pred: PredId, live: &FxHashSet<(FuncId, u32)>, program: &Program) -> bool {
        self.reads[pred.index()].iter().all(|slot| match program.vars[slot.var].owner {
            Some(owner) => live.contains(&(owner, slot.level)),
            None => true,
        })
    }

    /// The slots that a predicate reads.
    pub fn reads(&self, pred: PredId) -> &[Slot] {
        &self.reads[pred.index()]
    }

    /// The level of the only activation that a predicate is about, if that is one of the given function; an
    /// inner `None` for a predicate about globals alone.
    fn level(&self, program: &Program, func: FuncId, pred: PredId) -> Option<Option<u32>> {
        let mut found = None;
        for slot in self.reads(pred) {
            match program.vars[slot.var].owner {
                None => {}
                Some(owner) if owner == func && found.is_none_or(|level| level == slot.level) => {
                    found = Some(slot.level);
                }
                Some(_) => return None,
            }
        }
        Some(found)
    }

    /// A predicate restated for another activation of a function. A predicate about globals stays as it is.
    fn moved(&mut self, program: &Program, func: FuncId, pred: PredId, level: u32) -> Option<PredId> {
        let known = match self.level(program, func, pred)? {
            Some(known) if known != level => known,
            _ => return Some(pred),
        };
        if let Some(&moved) = self.at_level.get(&(pred, level)) {
            return Some(moved);
        }
        let (from, root) = (self.pool.clone(), self.expr(pred));
        let Predicates { pool, slots, .. } = self;
        let expr = pool.import(&from, root, |pool, var| {
            let slot = slots.list[var.index()];
            let level = if program.vars[slot.var].owner.is_some() { level } else { slot.level };
            slots.expr(pool, program, Slot { level, ..slot })
        });
        let moved = self.add(expr);
        self.at_level.insert((pred, level), moved);
        self.at_level.insert((moved, known), pred);
        Some(moved)
    }

    /// The calls that a predicate is about, where an activation of a function is the topmost call.
    pub(crate) fn kind(&self, program: &Program, func: FuncId, level: u32, pred: PredId) -> Speaks {
        let of_top = match self.level(program, func, pred) {
            Some(None | Some(0)) if level == 0 => Some(pred),
            Some(None) => Some(pred),
            Some(Some(of)) if of == level => self.at_level.get(&(pred, 0)).copied(),
            _ => None,
        };
        let is_below = |slot: &Slot| {
            let owner = program.vars[slot.var].owner;
            owner.is_some_and(|owner| owner != func || slot.level != level)
        };
        let reads_region =
            || self.pool.parts([self.expr(pred)]).any(|(_, node)| matches!(node, Expr::Load { .. }));
        match of_top {
            Some(pred) => Speaks::Top(pred),
            None if self.reads(pred).iter().all(is_below) && !reads_region() => Speaks::Below,
            None => Speaks::Both,
        }
    }

    /// The number of predicates.
    pub fn len(&self) -> usize {
        self.exprs.len()
    }

    /// Whether there is no predicate.
    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }
}

/// The functions and levels that are active on a stack.
pub fn live_activations(control: &dyn Control, stack: StackId) -> FxHashSet<(FuncId, u32)> {
    let mut live = FxHashSet::default();
    let mut next = Some(stack);
    while let Some(id) = next {
        let frame = control.frame(id);
        live.insert((frame.callee, frame.level));
        next = frame.caller.map(|(caller, _)| caller);
    }
    live
}

/// The scope in which a predicate is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The location for which it was found.
    Location,
    /// The function of that location.
    Function,
    /// The whole program.
    Global,
}

/// A part of the program in which a predicate is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Part {
    Location(LocId),
    Function(FuncId),
    Program,
}

/// The kind of predicate abstraction at the end of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Abstraction {
    /// Cartesian: each predicate on its own.
    Cartesian,
    /// Boolean: all possible combinations, unless there are too many.
    Boolean,
}

/// The effort of an abstraction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Care {
    /// The kind of abstraction.
    pub abstraction: Abstraction,
    /// The ticks of one query to the solver.
    pub query_ticks: u64,
}

/// What a search knows of a program: its precision, and the predicates of that precision.
#[derive(Debug, Clone)]
pub struct Knowledge {
    /// The precision.
    pub precision: Precision,
    /// The predicates.
    pub predicates: Predicates,
    /// The effort of their abstraction.
    pub care: Care,
}

impl Knowledge {
    /// What another search learned, for a search with this scope and effort.
    pub fn handed_on(self, scope: Scope, care: Care) -> Knowledge {
        let Knowledge { mut precision, predicates, .. } = self;
        // The ids of stacks are those of one search.
        precision.kept_stacks.clear();
        if precision.scope != scope {
            precision.forget_preds();
        }
        precision.scope = scope;
        Knowledge { precision, predicates, care }
    }

    /// Makes what is known at a location of one activation known of another activation of the same function.
    pub(crate) fn spread(&mut self, program: &Program, loc: LocId, level: u32) {
        let func = program.function_of(loc);
        let preds: Vec<PredId> = self.precision.preds_at(program, loc).collect();
        for pred in preds {
            let outermost = self.predicates.moved(program, func, pred, 0);
            if let Some(moved) = outermost.and_then(|pred| self.predicates.moved(program, func, pred, level))
            {
                self.precision.add_pred(program, loc, moved);
            }
        }
    }

    /// Knowledge of nothing.
    pub fn new(scope: Scope, care: Care) -> Knowledge {
        Knowledge { precision: Precision::new(scope), predicates: Predicates::default(), care }
    }
}

/// What is tracked, and where. It only grows, except that a variable may lose its tracking for good.
#[derive(Debug, Clone)]
pub struct Precision {
    scope: Scope,
    /// Tracked values.
    pub tracked: FxHashSet<Tracked>,
    /// What is no longer tracked because it had too many values.
    pub banned: FxHashSet<Tracked>,
    /// Predicates by the part in which they are used.
    preds: FxHashMap<Part, BTreeSet<PredId>>,
    /// Locations at which the solver is asked whether an execution reaches them.
    pub checked: FxHashSet<LocId>,
    /// Stacks whose topmost call is never popped, by that call.
    pub kept_stacks: FxHashMap<EdgeId, FxHashSet<StackId>>,
    /// The number of changes.
    pub version: u32,
}

impl Precision {
    /// The precision that tracks nothing.
    pub fn new(scope: Scope) -> Precision {
        Precision {
            scope,
            tracked: FxHashSet::default(),
            banned: FxHashSet::default(),
            preds: FxHashMap::default(),
            checked: FxHashSet::default(),
            kept_stacks: FxHashMap::default(),
            version: 0,
        }
    }

    fn part(&self, program: &Program, loc: LocId) -> Part {
        match self.scope {
            Scope::Location => Part::Location(loc),
            Scope::Function => Part::Function(program.function_of(loc)),
            Scope::Global => Part::Program,
        }
    }

    /// The predicates at a location.
    pub fn preds_at(&self, program: &Program, loc: LocId) -> impl Iterator<Item = PredId> + '_ {
        self.preds.get(&self.part(program, loc)).into_iter().flatten().copied()
    }

    /// All predicates by the part in which they are used, in order.
    pub(crate) fn looks(&self) -> BTreeMap<Part, &BTreeSet<PredId>> {
        self.preds.iter().map(|(&part, preds)| (part, preds)).collect()
    }

    /// Adds predicates for a part of the program, if the part fits the scope.
    pub(crate) fn look(&mut self, part: Part, preds: impl Iterator<Item = PredId>) {
        let fits = match part {
            Part::Location(_) => self.scope == Scope::Location,
            Part::Function(_) => self.scope == Scope::Function,
            Part::Program => self.scope == Scope::Global,
        };
        if fits {
            self.preds.entry(part).or_default().extend(preds);
        }
    }

    /// Whether two locations have the same predicates.
    pub fn alike(&self, program: &Program, a: LocId, b: LocId) -> bool {
        self.part(program, a) == self.part(program, b)
    }

    /// Forgets which values are tracked, and which are no longer.
    pub(crate) fn forget_values(&mut self) {
        self.tracked.clear();
        self.banned.clear();
        self.version += 1;
    }

    /// Forgets all predicates.
    pub fn forget_preds(&mut self) {
        self.preds.clear();
        self.checked.clear();
    }

    /// Tracks more. Returns whether anything was new.
    pub fn track(&mut self, what: impl IntoIterator<Item = Tracked>) -> bool {
        let mut new = false;
        for what in what {
            new |= !self.banned.contains(&what) && self.tracked.insert(what);
        }
        self.version += u32::from(new);
        new
    }

    /// Stops tracking for good.
    pub fn ban(&mut self, what: Tracked) {
        self.tracked.remove(&what);
        self.banned.insert(what);
        self.version += 1;
    }

    /// Tracks no value at all.
    pub(crate) fn ban_all(&mut self, program: &Program) {
        program.vars.keys().map(Tracked::Var).for_each(|what| self.ban(what));
        program.regions.keys().map(Tracked::Region).for_each(|what| self.ban(what));
    }

    /// Never again pops the call on top of a stack.
    pub(crate) fn keep_stack(&mut self, call: EdgeId, stack: StackId) {
        self.kept_stacks.entry(call).or_default().insert(stack);
    }

    /// Whether the call on top of a stack must not be popped. Once many stacks with this call had to be kept,
    /// all of them are: the call alone distinguishes them from the others.
    pub(crate) fn keeps_stack(&self, call: EdgeId, stack: StackId) -> bool {
        let kept = self.kept_stacks.get(&call);
        kept.is_some_and(|kept| kept.len() >= MANY_STACKS || kept.contains(&stack))
    }

    /// Has the solver asked whether executions reach a location. Returns whether that is new.
    pub fn check_at(&mut self, loc: LocId) -> bool {
        let new = self.checked.insert(loc);
        self.version += u32::from(new);
        new
    }

    /// Adds a predicate at a location. Returns whether it is new there.
    pub fn add_pred(&mut self, program: &Program, loc: LocId, pred: PredId) -> bool {
        let part = self.part(program, loc);
        let new = self.preds.entry(part).or_default().insert(pred);
        self.version += u32::from(new);
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_ir::BinOp;

    #[test]
    fn a_comparison_is_no_predicate_where_its_negation_is_one() {
        let text = "beeline 1.0\nglobal a: i8\nglobal b: i8\nfn main() {\n  done: exit\n}\n";
        let program = beeline_ir::text::parse(text).unwrap_or_else(|faults| panic!("{faults:?}"));
        let mut predicates = Predicates::default();
        let vars: Vec<VarId> = program.vars.keys().collect();
        let [a, b] = [vars[0], vars[1]].map(|var| predicates.slot_expr(&program, Slot { var, level: 0 }));
        let mut compare = |op, a, b| {
            let expr = predicates.pool.binary(op, a, b);
            predicates.add_or_negation(expr)
        };
        let less = compare(BinOp::Ult, a, b);
        assert_eq!(compare(BinOp::Ule, b, a), less);
        assert_eq!(compare(BinOp::Ult, a, b), less);
        assert_ne!(compare(BinOp::Ule, a, b), less);
        assert_ne!(compare(BinOp::Sle, b, a), less);
    }
}
