//! Validity of a proof about a tiny program, by enumeration of all execution states.
//!
//! The program has one function, no memory, and so few bits that all valuations of its variables can be
//! listed. Then the rules of `ir-spec/proofs.md` are about sets: no solver, no block formula.

use beeline_ir::{Bits, ExprId, ExprPool, LocId, Op, Program, Region, RegionId, Type, Value, VarId};
use beeline_proof::fold::{Folded, Known, fold};
use beeline_run::{Predicates, RunCuts, RunFormula, RunKey, RunProof, RunState};
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of bits of a tiny program.
const MAX_BITS: u32 = 12;

/// A set of valuations by number: the concatenated bits of all variables.
type Set = BTreeSet<u32>;

/// A valuation, with the names of the program or of predicates.
struct View<'a> {
    values: &'a [Value],
    slots: Option<&'a [(VarId, u32)]>,
}

impl Known for View<'_> {
    fn var(&self, var: VarId) -> Option<Value> {
        let var = self.slots.map_or(var, |slots| slots[var.as_u32() as usize].0);
        Some(self.values[var.as_u32() as usize].clone())
    }
    fn cell(&self, _: RegionId, _: u64) -> Option<Value> {
        None
    }
    fn region(&self, _: RegionId) -> &Region {
        panic!("a tiny program has no memory")
    }
    fn big_endian(&self) -> bool {
        false
    }
}

/// A tiny program with all its steps.
pub(crate) struct Exhaustive<'a> {
    program: &'a Program,
    types: Vec<Type>,
    /// The values of the variables, for each valuation.
    valuations: Vec<Vec<Value>>,
    targets: BTreeSet<LocId>,
    /// From where an execution reaches a target by the edges.
    leading: BTreeSet<LocId>,
}

fn width(ty: Type) -> u32 {
    match ty {
        Type::Bool => 1,
        Type::Bv(width) => width,
        Type::Float(_) => panic!("a tiny program has no floats"),
    }
}

fn value(ty: Type, bits: u64) -> Value {
    if ty == Type::Bool { Value::Bool(bits & 1 == 1) } else { Value::Bv(Bits::new(width(ty), bits)) }
}

/// All values of a type.
pub(crate) fn values_of(ty: Type) -> impl Iterator<Item = Value> {
    (0..1u64 << width(ty)).map(move |bits| value(ty, bits))
}

impl<'a> Exhaustive<'a> {
    pub(crate) fn new(program: &'a Program) -> Exhaustive<'a> {
        assert_eq!((program.functions.len(), program.regions.len()), (1, 0), "the program is not tiny");
        let types: Vec<Type> = program.vars.values().map(|var| var.ty).collect();
        let bits: u32 = types.iter().map(|&ty| width(ty)).sum();
        assert!(bits <= MAX_BITS, "{bits} bits are too many");
        let valuation = |number: u64| {
            let mut rest = number;
            let mut next = |&ty: &Type| {
                let own = value(ty, rest);
                rest >>= width(ty);
                own
            };
            types.iter().map(&mut next).collect()
        };
        let valuations = (0..1u64 << bits).map(valuation).collect();
        let targets: BTreeSet<LocId> = program.targets.iter().map(|target| target.loc).collect();
        let mut leading = targets.clone();
        loop {
            let known = leading.len();
            let edges = program.edges.values();
            let sources: Vec<LocId> =
                edges.filter(|edge| leading.contains(&edge.dst)).map(|edge| edge.src).collect();
            leading.extend(sources);
            if leading.len() == known {
                return Exhaustive { program, types, valuations, targets, leading };
            }
        }
    }

    /// Whether edges lead from the location to a target.
    pub(crate) fn matters(&self, loc: LocId) -> bool {
        self.leading.contains(&loc)
    }

    fn number(&self, values: &[Value]) -> u32 {
        let bits = |value: &Value| match value {
            Value::Bool(truth) => u64::from(*truth),
            value => value.as_bits().and_then(Bits::to_u64).expect("the value is small"),
        };
        let (mut number, mut shift) = (0, 0);
        for (value, &ty) in values.iter().zip(&self.types) {
            number |= bits(value) << shift;
            shift += width(ty);
        }
        number as u32
    }

    fn all(&self) -> impl Iterator<Item = u32> {
        0..self.valuations.len() as u32
    }

    fn eval(&self, number: u32, expr: ExprId) -> Option<Value> {
        let view = View { values: &self.valuations[number as usize], slots: None };
        folded(&self.program.exprs, expr, &view)
    }

    /// The valuations after an operation.
    fn after(&self, number: u32, op: &Op) -> Vec<u32> {
        let mut values = self.valuations[number as usize].clone();
        match op {
            Op::Skip => vec![number],
            Op::Assume(cond, _) => {
                if self.eval(number, *cond) == Some(Value::Bool(true)) {
                    vec![number]
                } else {
                    vec![]
                }
            }
            Op::Assign(list) => {
                for &(var, expr) in list {
                    let Some(value) = self.eval(number, expr) else { return vec![] };
                    values[var.as_u32() as usize] = value;
                }
                vec![self.number(&values)]
            }
            Op::Havoc(var, _) => {
                let index = var.as_u32() as usize;
                let with = |value| {
                    values[index] = value;
                    self.number(&values)
                };
                values_of(self.types[index]).map(with).collect()
            }
            _ => panic!("a tiny program has neither memory nor calls"),
        }
    }

    /// What a state of the proof describes.
    fn described(&self, proof: &RunProof, predicates: &Predicates, state: &RunState) -> Set {
        let includes = |number: &u32| {
            let values = &self.valuations[*number as usize];
            let right = |(key, value): &(RunKey, Option<Value>)| match key {
                RunKey::Var(var, 0) => value.as_ref() == Some(&values[var.as_u32() as usize]),
                _ => panic!("a tiny program has no memory and one activation"),
            };
            let view = View { values, slots: Some(&predicates.slots) };
            let mut formula = state.formula;
            while let Some(node) = formula.node() {
                let node = proof.nodes[node as usize];
                let pred = folded(&predicates.pool, predicates.exprs[node.pred as usize], &view);
                formula = if pred == Some(Value::Bool(true)) { node.yes } else { node.no };
            }
            state.values.iter().all(right) && formula == RunFormula::TRUE
        };
        self.all().filter(includes).collect()
    }

    /// The valuations with which executions start.
    fn starts(&self) -> Set {
        let globals = || self.program.globals().filter_map(|(id, var)| Some((id, var.init?)));
        let right = |number: &u32| {
            let values = &self.valuations[*number as usize];
            globals().all(|(id, init)| &values[id.as_u32() as usize] == self.program.exprs.value(init))
        };
        self.all().filter(right).collect()
    }

    /// Whether the proof is valid.
    pub(crate) fn valid(&self, proof: &RunProof) -> bool {
        let (Ok(()), Ok(predicates)) = (proof.well_formed(), proof.predicates_over(self.program)) else {
            return false;
        };
        let first = &proof.states[0];
        if first.loc != self.program.functions[self.program.entry].entry() || first.covered_by.is_some() {
            return false;
        }
        let described: Vec<Set> =
            proof.states.iter().map(|state| self.described(proof, &predicates, state)).collect();
        if !self.starts().is_subset(&described[0]) {
            return false;
        }
        (0..proof.states.len()).all(|index| {
            let state = &proof.states[index];
            if !self.matters(state.loc) {
                return true;
            }
            if self.targets.contains(&state.loc) {
                return described[index].is_empty();
            }
            match state.covered_by.map(|covering| covering as usize) {
                Some(covering) => {
                    let other = &proof.states[covering];
                    covering != 0
                        && other.loc == state.loc
                        && other.covered_by.is_none()
                        && described[index].is_subset(&described[covering])
                }
                None => self.expanded(proof, index, &described),
            }
        })
    }

    /// Whether all paths out of an uncovered state lead to its children.
    fn expanded(&self, proof: &RunProof, index: usize, described: &[Set]) -> bool {
        let state = &proof.states[index];
        let children_at = |loc: LocId| {
            let children = state.children.iter().map(|&child| child as usize);
            children.filter(move |&child| proof.states[child].loc == loc)
        };
        let ends = |loc: LocId| {
            let cut = match &proof.cuts {
                RunCuts::Everywhere => true,
                RunCuts::At(locs) => locs.contains(&loc),
            };
            cut || self.targets.contains(&loc) || children_at(loc).next().is_some()
        };
        if state.children.contains(&0) || self.circular(state.loc, &ends, &mut BTreeMap::new()) {
            return false;
        }
        let start = if index == 0 { self.starts() } else { described[index].clone() };
        let mut work: Vec<(LocId, u32)> = start.into_iter().map(|number| (state.loc, number)).collect();
        let mut seen: BTreeSet<(LocId, u32)> = work.iter().copied().collect();
        while let Some((loc, number)) = work.pop() {
            for edge in self.program.out_edges(loc) {
                let edge = &self.program.edges[edge];
                if !self.matters(edge.dst) {
                    continue;
                }
                for next in self.after(number, &edge.op) {
                    if !ends(edge.dst) {
                        work.extend(Some((edge.dst, next)).filter(|&new| seen.insert(new)));
                    } else if self.targets.contains(&edge.dst)
                        || !children_at(edge.dst).any(|child| described[child].contains(&next))
                    {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Whether a path from the location returns to a location before it reaches an end.
    fn circular(&self, loc: LocId, ends: &impl Fn(LocId) -> bool, done: &mut BTreeMap<LocId, bool>) -> bool {
        if let Some(&done) = done.get(&loc) {
            return !done;
        }
        done.insert(loc, false);
        let next: Vec<LocId> = self.program.out_edges(loc).map(|edge| self.program.edges[edge].dst).collect();
        let found =
            next.into_iter().any(|next| self.matters(next) && !ends(next) && self.circular(next, ends, done));
        done.insert(loc, true);
        found
    }
}

fn folded(pool: &ExprPool, expr: ExprId, view: &View<'_>) -> Option<Value> {
    match fold(pool, expr, view) {
        Folded::Value(value) => Some(value),
        _ => None,
    }
}
