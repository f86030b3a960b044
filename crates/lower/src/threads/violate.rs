//! Violations by threads: access the same memory at once, or all wait.

use super::flow::{Passed, Step};
use super::product::{Place, Product};
use super::shorten::replaced;
use super::{Access, Accesses};
use beeline_ir::{BinOp, Does, Expr, ExprId, LocId, Op, Span, UnOp, Value, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// An address, and what is accessed there.
type Where = (ExprId, Access);

/// The most steps of a model that are searched for what it waits for.
const MOST_STEPS: usize = 64;

impl Product<'_> {
    /// Adds a race where two threads are about to access the same memory.
    pub(super) fn races(&mut self, place: &Place, living: &[usize], loc: LocId) {
        for (index, &first) in living.iter().enumerate() {
            for &second in &living[index + 1..] {
                if self.reduction.collide(place.at[first] as usize, place.at[second] as usize) {
                    self.race(loc, place, (first, second));
                }
            }
        }
    }

    fn race(&mut self, loc: LocId, place: &Place, threads: (usize, usize)) {
        let nodes = (place.at[threads.0] as usize, place.at[threads.1] as usize);
        let (Some(one), Some(other)) = (self.accesses(nodes.0), self.accesses(nodes.1)) else { return };
        let is_atomic = |found: &(Accesses, Vec<Where>)| found.0 == Accesses::Atomic;
        let is_none = |found: &(Accesses, Vec<Where>)| match &found.0 {
            Accesses::None => true,
            Accesses::Plain(list) => list.is_empty(),
            Accesses::Atomic | Accesses::Library(_) => false,
        };
        if is_atomic(&one) && is_atomic(&other) || is_none(&one) || is_none(&other) {
            return;
        }
        let mut overlap = self.flows.out.exprs().bool(false);
        let mut is_doubtful = [&one, &other].iter().any(|found| matches!(found.0, Accesses::Library(_)));
        for &(at, a) in &one.1 {
            for &(other_at, b) in &other.1 {
                if a.atomic && b.atomic {
                    continue;
                }
                // A comparison that fails is a read.
                let writes = |access: Access| access.write && !access.may_fail;
                is_doubtful |= (a.write || b.write) && !writes(a) && !writes(b);
                if writes(a) || writes(b) {
                    let both = self.overlap((at, &a), (other_at, &b));
                    overlap = self.flows.out.exprs().or(overlap, both);
                }
            }
        }
        let overlap = self.neither_waits(place, nodes, overlap);
        if is_doubtful {
            let span = self.next_span(nodes.0);
            self.stop(
                loc,
                "the accesses of the library, or of an exchange that may fail, are a data race here",
                span,
            );
        }
        let exprs = &self.flows.out.program().exprs;
        if exprs.as_const(overlap).and_then(Value::as_bool) == Some(false) {
            return;
        }
        let (mut span, mut other_span) = (self.next_span(nodes.0), self.next_span(nodes.1));
        if other_span < span {
            std::mem::swap(&mut span, &mut other_span);
        }
        let shown = |span: Option<Span>| {
            span.map_or("code without a line".into(), |span| self.flows.out.program().show_span(span))
        };
        let name = format!("data-race between {} and {}", shown(span), shown(other_span));
        let met = self.flows.out.loc(self.flows.func);
        self.tell(met, threads.0, Does::Races(threads.1 as u32 + 1));
        self.edge(loc, met, Op::assume(overlap), span, None);
        self.violate(met, Op::Skip, ("no-data-race", &name, &name, span));
    }

    /// A condition under which two accesses are a race, where none of them is behind a wait that goes on.
    fn neither_waits(&mut self, place: &Place, nodes: (usize, usize), condition: ExprId) -> ExprId {
        let mut all = condition;
        for node in [nodes.0, nodes.1] {
            if self.flows.out.program().exprs.as_const(all).is_none_or(|value| value.as_bool() != Some(false))
                && self.reduction.may_wait(node)
            {
                let waits = self.waits(place, node);
                let exprs = self.flows.out.exprs();
                let goes_on = exprs.unary(UnOp::Not, waits);
                all = exprs.and(all, goes_on);
            }
        }
        all
    }

    /// The accesses of a thread after the point where it is, with their addresses.
    fn accesses(&mut self, node: usize) -> Option<(Accesses, Vec<Where>)> {
        let edge = self.flows.nodes[node].edges.first()?;
        let Step::Point(Passed::Program(number), at) = &edge.step else { return None };
        let accesses = self.threads.points[*number].accesses.clone();
        let found = match &accesses {
            Accesses::Plain(list) | Accesses::Library(list) => {
                at.iter().copied().zip(list.iter().copied()).collect()
            }
            Accesses::Atomic => match self.atomic_accesses(edge.to) {
                Some(found) => found,
                None => return Some((Accesses::Library(Vec::new()), Vec::new())),
            },
            Accesses::None => Vec::new(),
        };
        Some((accesses, found))
    }

    /// The accesses of an atomic part, if no branch decides about them and the addresses are known.
    fn atomic_accesses(&mut self, from: usize) -> Option<Vec<Where>> {
        let mut found = Vec::new();
        let mut node = from;
        let mut met: FxHashSet<usize> = FxHashSet::default();
        while let [edge] = self.flows.nodes[node].edges.as_slice() {
            match &edge.step {
                Step::Access(number, at) => match &self.threads.points[*number].accesses {
                    Accesses::Plain(list) => found.extend(at.iter().copied().zip(list.iter().copied())),
                    Accesses::Library(_) => return None,
                    Accesses::None | Accesses::Atomic => {}
                },
                Step::Point(..) => break,
                _ => {}
            }
            node = edge.to;
            if !met.insert(node) {
                return None;
            }
        }
        // An address that is computed within the part is not known here.
        let exprs = &self.flows.out.program().exprs;
        let is_known = found.iter().all(|(addr, _)| exprs.as_const(*addr).is_some());
        (is_known && !self.may_access(node)).then_some(found)
    }

    /// Whether an atomic part makes an access from a node to the next scheduling point.
    fn may_access(&self, from: usize) -> bool {
        let mut open = vec![from];
        let mut met: FxHashSet<usize> = open.iter().copied().collect();
        while let Some(node) = open.pop() {
            for edge in &self.flows.nodes[node].edges {
                match &edge.step {
                    Step::Point(..) => {}
                    Step::Access(number, _) if self.threads.points[*number].accesses != Accesses::None => {
                        return true;
                    }
                    _ if met.insert(edge.to) => open.push(edge.to),
                    _ => {}
                }
            }
        }
        false
    }

    fn overlap(&mut self, (a, one): (ExprId, &Access), (b, other): (ExprId, &Access)) -> ExprId {
        let exprs = self.flows.out.exprs();
        let width = exprs.width(a);
        let (size, other_size) = (exprs.bv(width, one.size), exprs.bv(width, other.size));
        let (behind, before) = (exprs.sub(b, a), exprs.sub(a, b));
        let behind = exprs.binary(BinOp::Ult, behind, size);
        let before = exprs.binary(BinOp::Ult, before, other_size);
        exprs.or(behind, before)
    }

    /// Adds a deadlock where all threads wait, and none can go on.
    pub(super) fn deadlock(&mut self, place: &Place, living: &[usize], loc: LocId) {
        let mut all = self.flows.out.exprs().bool(true);
        for &thread in living {
            let node = place.at[thread] as usize;
            let waits = self.waits(place, node);
            all = self.flows.out.exprs().and(all, waits);
        }
        let exprs = &self.flows.out.program().exprs;
        if exprs.as_const(all).and_then(Value::as_bool) == Some(false) {
            return;
        }
        let met = self.flows.out.loc(self.flows.func);
        let thread = living[0];
        let span = self.next_span(place.at[thread] as usize);
        self.tell(met, thread, Does::Races(0));
        self.edge(loc, met, Op::assume(all), span, None);
        let shown = span.map_or("somewhere".into(), |span| self.flows.out.program().show_span(span));
        let name = format!("deadlock: thread {} and all others wait at {shown}", thread + 1);
        self.violate(met, Op::Skip, ("no-deadlock", &name, &name, span));
    }

    /// The condition under which a thread is stuck in its next wait: what its next step asks for before it does
    /// anything that others see.
    fn waits(&mut self, place: &Place, node: usize) -> ExprId {
        let first = match self.point(node) {
            Some(_) => self.flows.nodes[node].edges[0].to,
            None => node,
        };
        let yes = self.flows.out.exprs().bool(true);
        let mut waits = self.flows.out.exprs().bool(false);
        let mut open: Vec<(usize, ExprId, FxHashMap<VarId, ExprId>)> =
            vec![(first, yes, FxHashMap::default())];
        let mut steps = 0;
        while let Some((node, so_far, values)) = open.pop() {
            steps += 1;
            if steps > MOST_STEPS || self.flows.nodes[node].target.is_some() {
                continue;
            }
            for edge in self.flows.nodes[node].edges.clone() {
                let (mut so_far, mut values) = (so_far, values.clone());
                match &edge.step {
                    Step::Wait(holds) => {
                        let holds = self.with(*holds, &values);
                        let exprs = self.flows.out.exprs();
                        let fails = exprs.unary(UnOp::Not, holds);
                        let here = exprs.and(so_far, fails);
                        waits = exprs.or(waits, here);
                        continue;
                    }
                    Step::Op(Op::Skip) | Step::Access(..) | Step::Read(_) => {}
                    Step::Op(Op::Assume(cond, _)) => {
                        let cond = self.with(*cond, &values);
                        so_far = self.flows.out.exprs().and(so_far, cond);
                    }
                    Step::Op(Op::Assign(list)) if self.are_own(list.iter().map(|(var, _)| *var)) => {
                        let new: Vec<(VarId, ExprId)> =
                            list.iter().map(|(var, value)| (*var, self.with(*value, &values))).collect();
                        values.extend(new);
                    }
                    Step::Ended(Some(var), number) => {
                        let number = self.with(*number, &values);
                        let value = self.ended(place, number);
                        values.insert(*var, value);
                    }
                    _ => continue,
                }
                open.push((edge.to, so_far, values));
            }
        }
        waits
    }

    fn are_own(&self, mut vars: impl Iterator<Item = VarId>) -> bool {
        vars.all(|var| self.flows.out.program().vars[var].owner.is_some())
    }

    /// An expression with the values of variables in place of these.
    pub(super) fn with(&mut self, root: ExprId, values: &FxHashMap<VarId, ExprId>) -> ExprId {
        if values.is_empty() {
            return root;
        }
        replaced(self.flows.out.exprs(), root, |_, node| match node {
            Expr::Var(var) => values.get(&var).copied(),
            _ => None,
        })
    }
}
