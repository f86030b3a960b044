//! Ends of blocks: the successors of a block, and the values of the phis there.
//!
//! A block that does nothing but branch on a phi of truth values, as `&&` and `||` compile to, is bypassed: a
//! predecessor branches on the value that the phi would get.

use super::graph::Condition;
use super::{Body, Val};
use crate::analyse::cfg::successors;
use crate::options::LowerError;
use beeline_ir::{Assignments, AssumeKind, Bits, Expr, ExprId, Op, UnOp, Value, VarId};
use beeline_module::Side;
use beeline_module::*;

/// The effect of the end of a block, with everything evaluated.
enum Plan {
    Goto(BlockId, Assignments),
    /// A branch edge of a block, by its number, and what comes after it.
    Side(BlockId, u32, Box<Plan>),
    Branch {
        cond: ExprId,
        kind: AssumeKind,
        then: Box<Plan>,
        otherwise: Box<Plan>,
    },
    Switch {
        arms: Vec<(ExprId, Plan)>,
        kind: AssumeKind,
    },
}

impl Plan {
    /// The blocks where it ends.
    fn ends(&self, out: &mut Vec<BlockId>) {
        match self {
            Plan::Goto(to, _) => out.push(*to),
            Plan::Side(_, _, plan) => plan.ends(out),
            Plan::Branch { then, otherwise, .. } => {
                then.ends(out);
                otherwise.ends(out);
            }
            Plan::Switch { arms, .. } => arms.iter().for_each(|(_, plan)| plan.ends(out)),
        }
    }
}

/// The longest chain of bypassed blocks.
const MAX_CHAIN: u32 = 16;

impl Body<'_, '_> {
    /// Translates a terminator.
    pub(super) fn terminator(&mut self, kind: &InstKind) -> Result<(), LowerError> {
        let from = self.block;
        let plan = match kind {
            InstKind::Br(to) => self.plan(from, *to, 0),
            InstKind::CondBr(cond, then, otherwise) => {
                let cond = self.scalar(cond);
                self.plan_branch(from, cond, *then, *otherwise, 0)
            }
            InstKind::Switch { value, default, cases } => self.plan_switch(from, value, *default, cases),
            InstKind::IndirectBr { addr, targets } => self.plan_indirect(from, addr, targets),
            InstKind::Ret(value) => {
                self.result(value.as_ref());
                return Ok(());
            }
            _ => {
                self.stuck("no execution reaches a place that the compiler takes for unreachable".into());
                // Nothing follows, but undefined behaviour may lead anywhere.
                if let Some(current) = self.current.take() {
                    self.graph.edge(current, self.exit, Op::Skip, None);
                    self.adrift.push((current, from));
                }
                return Ok(());
            }
        };
        self.follow(plan, None);
        Ok(())
    }

    fn result(&mut self, value: Option<&Operand>) {
        let packed = value.and_then(|value| {
            let val = self.operand(value);
            self.pack(&val)
        });
        self.leave();
        if self.id == self.cx.scope.entry {
            self.end_of_program(true);
        }
        if let (Some(ret), Some(value)) = (self.ret, packed) {
            let itself = self.cx.builder.program().exprs[value] == Expr::Var(ret);
            if !itself {
                self.assign(ret, value);
            }
        }
        if let Some(current) = self.current.take() {
            self.graph.join(self.exit, current);
        }
    }

    /// Leads from locations that the compiler considers unreachable to what a machine would run next: no execution gets
    /// that far, but what lies there counts as a possible consequence.
    pub(super) fn drift(&mut self) {
        for (node, block) in std::mem::take(&mut self.adrift) {
            let behind = self.function.blocks.keys().skip_while(|&next| next <= block);
            if let Some(head) = behind.into_iter().find_map(|next| self.heads[next]) {
                self.graph.edge(node, head, Op::Skip, None);
            }
        }
    }

    /// The destination of a jump, and the values of the phis there.
    fn plan(&mut self, from: BlockId, to: BlockId, depth: u32) -> Plan {
        let insts = &self.function.blocks[to].insts;
        if depth < MAX_CHAIN
            && let [phi, branch] = insts[..]
            && let InstKind::Phi(incoming) = &self.function.insts[phi].kind
            && let InstKind::CondBr(cond, then, otherwise) = &self.function.insts[branch].kind
            && *cond == Operand::Inst(phi)
            && self.uses.count[phi] == 1
            && *then != to
            && *otherwise != to
            && let Some((_, operand)) = incoming.iter().find(|(block, _)| *block == from)
        {
            let cond = self.scalar(operand);
            return self.plan_branch(to, cond, *then, *otherwise, depth + 1);
        }
        let mut moves = Assignments::new();
        for &inst in insts {
            let InstKind::Phi(incoming) = &self.function.insts[inst].kind else { break };
            if self.uses.count[inst] == 0 {
                continue;
            }
            let Some((_, operand)) = incoming.iter().find(|(block, _)| *block == from) else { continue };
            let vars = self.phi_vars(inst);
            let val = self.operand(operand);
            for (&var, &value) in vars.iter().zip(&val) {
                if self.cx.builder.program().exprs[value] != Expr::Var(var) {
                    moves.push((var, value));
                }
            }
        }
        Plan::Goto(to, moves)
    }

    /// The variables of a phi.
    fn phi_vars(&mut self, inst: InstId) -> Vec<VarId> {
        if let Some(val) = self.values.get(&inst) {
            let exprs = &self.cx.builder.program().exprs;
            let var = |leaf: &ExprId| match exprs[*leaf] {
                Expr::Var(var) => Some(var),
                _ => None,
            };
            return val.iter().filter_map(var).collect();
        }
        let ty = self.function.insts[inst].ty;
        let list = crate::analyse::shape::leaves(self.cx.scope.module, ty).unwrap_or_default();
        let name = self.inst_name(inst);
        let vars: Vec<VarId> = list.iter().map(|leaf| self.fresh(&name, leaf.ty)).collect();
        let val: Val = vars.iter().map(|&var| self.read(var)).collect();
        self.values.insert(inst, val);
        vars
    }

    /// Makes a phi a variable that the edges into its block set.
    pub(super) fn phi(&mut self, inst: InstId) {
        if self.uses.count[inst] > 0 {
            self.phi_vars(inst);
        }
    }

    fn plan_branch(
        &mut self,
        from: BlockId,
        cond: ExprId,
        then: BlockId,
        otherwise: BlockId,
        depth: u32,
    ) -> Plan {
        let constant = self.cx.builder.program().exprs.as_const(cond).and_then(Value::as_bool);
        match constant {
            Some(true) => self.plan_side(from, 0, then, depth),
            Some(false) => self.plan_side(from, 1, otherwise, depth),
            // Both branch edges may be taken then, and no edge tells which.
            None if then == otherwise => {
                let plan = self.plan(from, then, depth);
                Plan::Side(from, 0, Box::new(Plan::Side(from, 1, Box::new(plan))))
            }
            None => {
                let then = self.plan_side(from, 0, then, depth);
                let otherwise = self.plan_side(from, 1, otherwise, depth);
                let mut ends = Vec::new();
                then.ends(&mut ends);
                otherwise.ends(&mut ends);
                let kind = self.kind_of_branch(from, &ends);
                Plan::Branch { cond, kind, then: Box::new(then), otherwise: Box::new(otherwise) }
            }
        }
    }

    /// What a branch at the end of a block is. A check of a sanitizer or of a rewrite is no branch of the program that a
    /// person wrote: neither a metric nor a feature counts it.
    fn kind_of_branch(&self, block: BlockId, ends: &[BlockId]) -> AssumeKind {
        let last = self.function.blocks[block].insts.last();
        let flags = last.map(|&last| self.function.insts[last].flags).unwrap_or_default();
        let branch = !flags.sanitizer && !flags.added;
        AssumeKind { branch, looping: branch && self.cfg.decides_loop(block, ends), negated: false }
    }

    /// The destination of a branch edge.
    fn plan_side(&mut self, from: BlockId, way: u32, to: BlockId, depth: u32) -> Plan {
        Plan::Side(from, way, Box::new(self.plan(from, to, depth)))
    }

    fn plan_switch(
        &mut self,
        from: BlockId,
        value: &Operand,
        default: BlockId,
        cases: &[(Bits, BlockId)],
    ) -> Plan {
        let value = self.scalar(value);
        let value = self.as_bv(value);
        if let Some(bits) = self.cx.builder.program().exprs.as_bits(value) {
            let case = cases.iter().position(|case| case.0 == *bits);
            let (way, to) = case.map_or((0, default), |case| (case as u32 + 1, cases[case].1));
            return self.plan_side(from, way, to, 0);
        }
        let kind = self.kind_of_branch(
            from,
            &successors(&InstKind::Switch {
                value: Operand::Other(String::new()),
                default,
                cases: cases.to_vec(),
            }),
        );
        let mut arms = Vec::new();
        let mut rest: Option<ExprId> = None;
        for (way, (key, to)) in (1..).zip(cases) {
            let key = self.cx.builder.exprs().constant(Value::Bv(key.clone()));
            let equal = self.cx.builder.exprs().eq(value, key);
            let other = self.cx.builder.exprs().not(equal);
            rest = Some(match rest {
                Some(rest) => self.cx.builder.exprs().and(rest, other),
                None => other,
            });
            arms.push((equal, self.plan_side(from, way, *to, 0)));
        }
        match rest {
            Some(rest) => {
                arms.push((rest, self.plan_side(from, 0, default, 0)));
                Plan::Switch { arms, kind }
            }
            None => self.plan_side(from, 0, default, 0),
        }
    }

    /// Block addresses are numbers, from 1 in the order of the blocks.
    fn plan_indirect(&mut self, from: BlockId, addr: &Operand, targets: &[BlockId]) -> Plan {
        let addr = self.scalar(addr);
        let mut known = self.cx.builder.exprs().bool(false);
        for &to in targets {
            let number = self.word(u64::from(to.as_u32()) + 1);
            let exprs = self.cx.builder.exprs();
            let equal = exprs.eq(addr, number);
            known = exprs.or(known, equal);
        }
        let unknown = self.cx.builder.exprs().not(known);
        self.stuck_if(unknown, "no computed goto to an address that is not a label".into());
        let mut seen = Vec::new();
        let mut arms = Vec::new();
        for &to in targets {
            if seen.contains(&to) {
                continue;
            }
            seen.push(to);
            let number = self.word(u64::from(to.as_u32()) + 1);
            let equal = self.cx.builder.exprs().eq(addr, number);
            arms.push((equal, self.plan(from, to, 0)));
        }
        Plan::Switch { arms, kind: self.kind_of_branch(from, targets) }
    }

    /// Adds the edges of a plan; the condition is the last one before it.
    fn follow(&mut self, plan: Plan, condition: Option<Condition>) {
        let Some(start) = self.current else { return };
        match plan {
            Plan::Goto(to, moves) => {
                if !moves.is_empty() {
                    self.emit(Op::Assign(moves));
                }
                let Some(current) = self.current.take() else { return };
                match self.heads[to] {
                    Some(head) => self.graph.join(head, current),
                    None => self.heads[to] = Some(current),
                }
            }
            Plan::Side(block, way, plan) => {
                if let Some(function) = self.function.number.filter(|_| self.is_read(block)) {
                    let read = self.function.blocks[block].origin.unwrap_or(block);
                    let side = Side { function, block: read.as_u32(), way };
                    self.graph.take(side, condition);
                }
                self.follow(*plan, condition);
            }
            Plan::Branch { cond, kind, then, otherwise } => {
                let holds = self.condition(Op::Assume(cond, kind));
                self.follow(*then, holds);
                self.current = Some(start);
                let negation = self.cx.builder.exprs().unary(UnOp::Not, cond);
                let fails = self.condition(Op::Assume(negation, AssumeKind { negated: kind.branch, ..kind }));
                self.follow(*otherwise, fails);
            }
            Plan::Switch { arms, kind } => {
                for (cond, plan) in arms {
                    let known = self.cx.builder.program().exprs.as_const(cond).and_then(Value::as_bool);
                    // A widened value is none of the cases beyond its former width.
                    if known == Some(false) {
                        continue;
                    }
                    self.current = Some(start);
                    let condition = match known {
                        None => self.condition(Op::Assume(cond, kind)),
                        Some(_) => None,
                    };
                    self.follow(plan, condition);
                }
            }
        }
        self.current = None;
    }

    /// Whether the branch at the end of a block is one of the module that was read, and says all of where control goes.
    fn is_read(&self, block: BlockId) -> bool {
        let last = self.function.blocks[block].insts.last();
        !self.function.lands && last.is_some_and(|&last| !self.function.insts[last].flags.added)
    }

    /// Adds the condition of a branch.
    fn condition(&mut self, op: Op) -> Option<Condition> {
        self.emit(op);
        self.current.and_then(|_| self.graph.newest())
    }
}
