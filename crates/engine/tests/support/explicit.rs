//! The truth about small programs: all executions, one by one, by an evaluator that shares nothing with the
//! engine.

use beeline_ir::{
    BinOp, Callee, CastOp, EdgeId, Expr, ExprId, LocId, Op, Program, RegionId, Type, UnOp, Value, VarId,
};
use std::collections::{BTreeMap, BTreeSet, HashSet};

#[derive(Clone, PartialEq, Eq, Hash)]
struct Frame {
    loc: LocId,
    /// The call edge whose return this function waits for.
    waiting: Option<EdgeId>,
    locals: BTreeMap<VarId, u64>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    frames: Vec<Frame>,
    globals: BTreeMap<VarId, u64>,
    cells: BTreeMap<(RegionId, u64), u64>,
}

fn mask(width: u32) -> u64 {
    (1 << width) - 1
}

fn raw(value: &Value) -> u64 {
    match value {
        Value::Bool(truth) => u64::from(*truth),
        Value::Bv(bits) => bits.to_u64().unwrap(),
        Value::Float(..) => panic!("no floats here"),
    }
}

fn signed(value: u64, width: u32) -> i64 {
    if value >> (width - 1) & 1 == 1 { value as i64 - (1i64 << width) } else { value as i64 }
}

impl State {
    fn get(&self, var: VarId) -> u64 {
        let locals = &self.frames.last().unwrap().locals;
        *locals.get(&var).or_else(|| self.globals.get(&var)).expect("every variable is initialised")
    }

    fn set(&mut self, program: &Program, var: VarId, value: u64) {
        if program.vars[var].owner.is_some() {
            self.frames.last_mut().unwrap().locals.insert(var, value);
        } else {
            self.globals.insert(var, value);
        }
    }

    /// The value of an expression; `None` if it is stuck.
    fn eval(&self, program: &Program, id: ExprId) -> Option<u64> {
        let pool = &program.exprs;
        let width = |id: ExprId| match pool.ty(id) {
            Type::Bool => 1,
            Type::Bv(width) => width,
            Type::Float(_) => panic!("no floats here"),
        };
        let ev = |id| self.eval(program, id);
        Some(match pool[id] {
            Expr::Const(value) => raw(pool.value(value)),
            Expr::Var(var) => self.get(var),
            Expr::Unary(UnOp::Not, a) => 1 - ev(a)?,
            Expr::Unary(UnOp::BvNot, a) => !ev(a)? & mask(width(a)),
            Expr::Unary(UnOp::Neg, a) => ev(a)?.wrapping_neg() & mask(width(a)),
            Expr::Binary(BinOp::BoolAnd, a, b) => {
                if ev(a)? == 1 {
                    ev(b)?
                } else {
                    0
                }
            }
            Expr::Binary(BinOp::BoolOr, a, b) => {
                if ev(a)? == 1 {
                    1
                } else {
                    ev(b)?
                }
            }
            Expr::Ite(c, a, b) => ev(if ev(c)? == 1 { a } else { b })?,
            Expr::Binary(op, a, b) => {
                let w = width(a);
                let (x, y) = (ev(a)?, ev(b)?);
                let (sx, sy) = (signed(x, w), signed(y, w));
                let overflow = sx == -(1i64 << (w - 1)) && sy == -1;
                let value = match op {
                    BinOp::Add => x.wrapping_add(y),
                    BinOp::Sub => x.wrapping_sub(y),
                    BinOp::Mul => x.wrapping_mul(y),
                    BinOp::UDiv => x.checked_div(y)?,
                    BinOp::URem => x.checked_rem(y)?,
                    BinOp::SDiv if !overflow => sx.checked_div(sy)? as u64,
                    BinOp::SRem if !overflow => sx.checked_rem(sy)? as u64,
                    BinOp::SDiv | BinOp::SRem => return None,
                    BinOp::And => x & y,
                    BinOp::Or => x | y,
                    BinOp::Xor => x ^ y,
                    BinOp::Shl => {
                        if y >= u64::from(w) {
                            0
                        } else {
                            x << y
                        }
                    }
                    BinOp::LShr => {
                        if y >= u64::from(w) {
                            0
                        } else {
                            x >> y
                        }
                    }
                    BinOp::AShr => (sx >> y.min(u64::from(w) - 1)) as u64,
                    BinOp::Eq => return Some(u64::from(x == y)),
                    BinOp::Ult => return Some(u64::from(x < y)),
                    BinOp::Ule => return Some(u64::from(x <= y)),
                    BinOp::Slt => return Some(u64::from(sx < sy)),
                    BinOp::Sle => return Some(u64::from(sx <= sy)),
                    BinOp::Concat => return Some(x << width(b) | y),
                    _ => panic!("{op:?} is not generated"),
                };
                value & mask(w)
            }
            Expr::Extract { hi, lo, arg } => ev(arg)? >> lo & mask(hi - lo + 1),
            Expr::Cast(CastOp::ZExt, _, a) => ev(a)?,
            Expr::Cast(CastOp::SExt, to, a) => signed(ev(a)?, width(a)) as u64 & mask(to.bv_width().unwrap()),
            Expr::Load { region, addr, ty } => {
                let addr = ev(addr)?;
                let declared = &program.regions[region];
                let bytes = u64::from(ty.bv_width().unwrap() / 8);
                if !declared.allows(addr, bytes) {
                    return None;
                }
                let cell =
                    |at: u64| self.cells[&(region, (addr + at) & mask(declared.addr.bv_width().unwrap()))];
                (0..bytes).map(|at| cell(at) << (8 * at)).sum()
            }
            ref other => panic!("{other:?} is not generated"),
        })
    }

    fn enter(&mut self, program: &Program, func: beeline_ir::FuncId, args: Vec<u64>) {
        let function = &program.functions[func];
        let mut locals: BTreeMap<VarId, u64> = function.params.iter().copied().zip(args).collect();
        // An uninitialised variable may have any value; the generator writes before it reads.
        for var in function.variables() {
            locals.entry(var).or_insert(0);
        }
        self.frames.push(Frame { loc: function.entry(), waiting: None, locals });
    }

    fn successors(&self, program: &Program, stuck: &mut Vec<EdgeId>) -> Vec<State> {
        let frame = self.frames.last().unwrap();
        let function = &program.functions[program.function_of(frame.loc)];
        if frame.loc == function.exit {
            let mut next = self.clone();
            let result = function.ret.map(|ret| self.get(ret));
            next.frames.pop();
            let Some(caller) = next.frames.last_mut() else { return Vec::new() };
            let edge = &program.edges[caller.waiting.take().unwrap()];
            caller.loc = edge.dst;
            if let (Some(var), Some(value)) = (edge.op.as_call().unwrap().ret, result) {
                next.set(program, var, value);
            }
            return vec![next];
        }
        let mut all = Vec::new();
        for id in program.out_edges(frame.loc) {
            if self.along(program, id, &mut all).is_none() {
                stuck.push(id);
            }
        }
        all
    }

    /// Adds the states after an edge; `None` if an operation has no result.
    fn along(&self, program: &Program, id: EdgeId, all: &mut Vec<State>) -> Option<()> {
        let edge = &program.edges[id];
        let mut next = self.clone();
        next.frames.last_mut().unwrap().loc = edge.dst;
        match &edge.op {
            Op::Skip => {}
            Op::Assume(cond, _) if self.eval(program, *cond)? == 1 => {}
            Op::Assume(..) => return Some(()),
            Op::Assign(list) => {
                for &(var, value) in list {
                    let value = self.eval(program, value)?;
                    next.set(program, var, value);
                }
            }
            Op::Havoc(var, _) => {
                let values = 1u64 << program.vars[*var].ty.bv_width().unwrap();
                for value in 0..values {
                    let mut next = next.clone();
                    next.set(program, *var, value);
                    all.push(next);
                }
                return Some(());
            }
            Op::HavocRegion(_) => panic!("not generated"),
            Op::Store { region, addr, value } => {
                let (at, stored) = (self.eval(program, *addr)?, self.eval(program, *value)?);
                let bytes = u64::from(program.exprs.width(*value) / 8);
                let declared = &program.regions[*region];
                if !declared.allows(at, bytes) {
                    return None;
                }
                for index in 0..bytes {
                    let addr = (at + index) & mask(declared.addr.bv_width().unwrap());
                    next.cells.insert((*region, addr), stored >> (8 * index) & 0xff);
                }
            }
            Op::Call(call) => {
                let args: Option<Vec<u64>> = call.args.iter().map(|&arg| self.eval(program, arg)).collect();
                let args = args?;
                let called = match &call.callee {
                    Callee::Direct(_) => None,
                    Callee::Indirect { target, .. } => Some(self.eval(program, *target)?),
                };
                for &callee in call.callee.functions() {
                    if called.is_some() && called != program.functions[callee].addr {
                        continue;
                    }
                    let mut next = self.clone();
                    next.frames.last_mut().unwrap().waiting = Some(id);
                    next.enter(program, callee, args.clone());
                    all.push(next);
                }
                return Some(());
            }
        }
        all.push(next);
        Some(())
    }

    /// Whether edges lead from here to one of the locations, whatever their conditions.
    fn may_reach(&self, program: &Program, leading: &HashSet<LocId>, to_exit: &HashSet<LocId>) -> bool {
        for frame in self.frames.iter().rev() {
            let loc = frame.waiting.map_or(frame.loc, |call| program.edges[call].dst);
            if leading.contains(&loc) {
                return true;
            }
            if !to_exit.contains(&loc) {
                return false;
            }
        }
        false
    }
}

/// Whether a path goes on after an edge. It does not after a call of functions none of which returns.
fn comes_back(program: &Program, edge: &beeline_ir::Edge, to_exit: &HashSet<LocId>) -> bool {
    edge.op.as_call().is_none_or(|call| {
        call.callee.functions().iter().any(|&callee| to_exit.contains(&program.functions[callee].entry()))
    })
}

/// The locations from which edges lead to the exit of their function.
fn leading_to_exits(program: &Program) -> HashSet<LocId> {
    let mut locs: HashSet<LocId> = program.functions.values().map(|function| function.exit).collect();
    loop {
        let before = locs.len();
        for edge in program.edges.values() {
            if locs.contains(&edge.dst) && comes_back(program, edge, &locs) {
                locs.insert(edge.src);
            }
        }
        if locs.len() == before {
            return locs;
        }
    }
}

/// The locations from which edges and calls lead to some locations.
fn leading_to(program: &Program, mut locs: HashSet<LocId>, to_exit: &HashSet<LocId>) -> HashSet<LocId> {
    loop {
        let before = locs.len();
        for edge in program.edges.values() {
            let callees = edge.op.as_call().map_or(&[][..], |call| call.callee.functions());
            if locs.contains(&edge.dst) && comes_back(program, edge, to_exit)
                || callees.iter().any(|&callee| locs.contains(&program.functions[callee].entry()))
            {
                locs.insert(edge.src);
            }
        }
        if locs.len() == before {
            return locs;
        }
    }
}

/// What the executions of a program do.
pub(crate) struct Truth {
    /// The targets that executions reach.
    pub reached: BTreeSet<LocId>,
    /// Edges where executions end because an operation has no result, with the targets that may come after.
    #[allow(dead_code, reason = "not every test that shares this file asks")]
    pub stuck: BTreeMap<EdgeId, BTreeSet<LocId>>,
}

/// The truth; `None` if there are too many states.
pub(crate) fn truth(program: &Program, max_states: usize) -> Option<Truth> {
    let targets: BTreeSet<LocId> = program.targets.iter().map(|target| target.loc).collect();
    let to_exit = leading_to_exits(program);
    let ways: Vec<(LocId, HashSet<LocId>)> = targets
        .iter()
        .map(|&target| (target, leading_to(program, HashSet::from([target]), &to_exit)))
        .collect();
    let globals =
        program.globals().map(|(var, global)| (var, raw(program.exprs.value(global.init.unwrap()))));
    let mut start = State { frames: Vec::new(), globals: globals.collect(), cells: BTreeMap::new() };
    for (id, region) in program.regions.iter() {
        for run in &region.init {
            let value = raw(program.exprs.value(run.value));
            start.cells.extend((0..run.count).map(|index| ((id, run.addr + index), value)));
        }
    }
    start.enter(program, program.entry, Vec::new());
    let mut seen = HashSet::from([start.clone()]);
    let mut work = vec![start];
    let mut truth = Truth { reached: BTreeSet::new(), stuck: BTreeMap::new() };
    while let Some(state) = work.pop() {
        let loc = state.frames.last().unwrap().loc;
        if targets.contains(&loc) {
            truth.reached.insert(loc);
            continue;
        }
        if seen.len() > max_states || state.frames.len() > 12 {
            return None;
        }
        let mut ends = Vec::new();
        let successors = state.successors(program, &mut ends);
        for edge in ends {
            let near = ways.iter().filter(|(_, leading)| state.may_reach(program, leading, &to_exit));
            truth.stuck.entry(edge).or_default().extend(near.map(|(target, _)| *target));
        }
        for next in successors {
            if seen.insert(next.clone()) {
                work.push(next);
            }
        }
    }
    Some(truth)
}
