//! Encoding of a canonical program as the bytes of its body.

use super::*;
use crate::expr::{Expr, ExprId, ExprPool, VarId};
use crate::file::Wire;
use crate::program::*;
use cranelift_entity::EntityRef;

/// Writes the program.
pub(super) fn program(program: &Program, out: &mut Encoder) {
    for count in counts(program).all() {
        out.uint(count as u64);
    }
    out.text(&program.name);
    out.uint(program.pointer_width.into());
    program.big_endian.encode(out);
    program.entry.encode(out);
    program.files.values().for_each(|file| out.text(file));
    program.inputs.values().for_each(|input| out.text(input));
    program.exprs.consts().for_each(|(_, value)| value.encode(out));
    program.functions.values().for_each(|item| function(item, out));
    program.vars.values().for_each(|item| variable(item, out));
    program.regions.values().for_each(|item| region(item, out));
    expressions(&program.exprs, out);
    Edges { out, frontier: 0, last_var: 0, last_span: START_SPAN }.all(program);
    for target in &program.targets {
        (target.loc, target.name.clone()).encode(out);
        (target.property.clone(), target.span).encode(out);
    }
    for assumption in &program.assumptions {
        out.text(&assumption.kind);
        out.text(&assumption.text);
        let direction = Direction::ALL.iter().position(|&other| other == assumption.direction);
        out.uint(direction.unwrap_or(0) as u64);
        (assumption.edge, assumption.span).encode(out);
    }
    let mut next = 0;
    for (loc, label) in &program.labels {
        out.uint((loc.as_u32() - next).into());
        out.text(label);
        next = loc.as_u32() + 1;
    }
    program.cells.encode(out);
}

/// The source to which the first edge's is relative.
pub(super) const START_SPAN: (u32, u32, u32) = (0, 1, 0);

fn counts(program: &Program) -> Counts {
    Counts {
        files: program.files.len(),
        inputs: program.inputs.len(),
        consts: program.exprs.consts().len(),
        functions: program.functions.len(),
        vars: program.vars.len(),
        regions: program.regions.len(),
        exprs: program.exprs.len(),
        locs: program.num_locs(),
        edges: program.edges.len(),
        targets: program.targets.len(),
        assumptions: program.assumptions.len(),
        labels: program.labels.len(),
    }
}

impl Counts {
    /// The counts in their order in the body.
    pub(super) fn all(&self) -> [usize; 12] {
        let Counts { files, inputs, consts, functions, vars, regions, .. } = *self;
        let Counts { exprs, locs, edges, targets, assumptions, labels, .. } = *self;
        [files, inputs, consts, functions, vars, regions, exprs, locs, edges, targets, assumptions, labels]
    }
}

fn function(function: &Function, out: &mut Encoder) {
    out.text(&function.name);
    out.uint(function.params.len() as u64);
    function.ret.is_some().encode(out);
    out.uint(function.locals.len() as u64);
    out.uint(function.locs.len() as u64);
    out.uint((function.exit.as_u32() - function.locs.start).into());
    function.addr.encode(out);
    function.file.encode(out);
}

fn variable(var: &Var, out: &mut Encoder) {
    out.text(&var.name);
    var.ty.encode(out);
    let span = var.source.as_ref().and_then(|source| source.span);
    let flag = |set: bool, flag: u8| if set { flag } else { 0 };
    let flags = flag(var.init.is_some(), HAS_INIT)
        | flag(var.source.is_some(), HAS_SOURCE)
        | flag(span.is_some(), HAS_SPAN);
    flags.encode(out);
    if let Some(init) = var.init {
        init.encode(out);
    }
    if let Some(source) = &var.source {
        out.text(&source.name);
        out.text(&source.ty);
    }
    if let Some(span) = span {
        span.encode(out);
    }
}

fn region(region: &Region, out: &mut Encoder) {
    out.text(&region.name);
    region.addr.encode(out);
    region.cell.encode(out);
    out.uint(region.extents.len() as u64);
    // Addresses are written as the distance to the end of what came before.
    let mut end = 0u64;
    for extent in &region.extents {
        out.uint(extent.base.wrapping_sub(end));
        out.uint(extent.size);
        end = extent.base.wrapping_add(extent.size);
    }
    out.uint(region.init.len() as u64);
    let mut end = 0u64;
    for run in &region.init {
        out.uint(run.addr.wrapping_sub(end));
        out.uint(run.count);
        run.value.encode(out);
        end = run.addr.wrapping_add(run.count.wrapping_mul(region.stride()));
    }
}

/// Writes the expressions, with operands as distances back from their users.
fn expressions(pool: &ExprPool, out: &mut Encoder) {
    let (mut next_const, mut last_var) = (0i64, 0i64);
    for (id, node) in pool.iter() {
        let back = |out: &mut Encoder, operand: ExprId| out.uint((id.as_u32() - operand.as_u32()).into());
        match *node {
            Expr::Const(value) => {
                out.raw(&[CONST]);
                let value = value.index() as i64;
                out.int(value - next_const);
                next_const = value + 1;
            }
            Expr::Var(var) => {
                out.raw(&[VAR]);
                let var = var.index() as i64;
                out.int(var - last_var);
                last_var = var;
            }
            Expr::Load { region, addr, ty } => {
                out.raw(&[LOAD]);
                region.encode(out);
                back(out, addr);
                ty.encode(out);
            }
            Expr::Ite(..) => out.raw(&[ITE]),
            Expr::Fma(..) => out.raw(&[FMA]),
            Expr::Extract { hi, lo, arg } => {
                out.raw(&[EXTRACT]);
                out.uint(lo.into());
                out.uint((hi - lo).into());
                back(out, arg);
            }
            Expr::Unary(op, _) => out.raw(&[UNARY + op.tag()]),
            Expr::Binary(op, ..) => out.raw(&[BINARY + op.tag()]),
            Expr::Cast(op, ty, arg) => {
                out.raw(&[CAST + op.tag()]);
                ty.encode(out);
                back(out, arg);
            }
        }
        if matches!(node, Expr::Ite(..) | Expr::Fma(..) | Expr::Unary(..) | Expr::Binary(..)) {
            node.operands().for_each(|operand| back(out, operand));
        }
    }
}

/// Writes edges, each relative to what came before.
struct Edges<'a> {
    out: &'a mut Encoder,
    /// The number of expressions that edges have used: new ones are in order.
    frontier: u32,
    last_var: u32,
    last_span: (u32, u32, u32),
}

impl Edges<'_> {
    fn all(&mut self, program: &Program) {
        for loc in program.locations() {
            let edges = program.out_edges(loc);
            self.out.uint(edges.len() as u64);
            for edge in edges {
                self.edge(&program.edges[edge]);
            }
        }
    }

    fn edge(&mut self, edge: &Edge) {
        let next = edge.dst.as_u32() == edge.src.as_u32() + 1;
        let span = match edge.span.map(|span| (span.file.as_u32(), span.line, span.col)) {
            None => NO_SPAN,
            Some(span) if span == self.last_span => SAME_SPAN,
            Some((file, ..)) if file == self.last_span.0 => SAME_FILE,
            Some(_) => FULL_SPAN,
        };
        self.out.raw(&[tag(&edge.op) * 8 + u8::from(next) * 4 + span]);
        if !next {
            self.out.int(i64::from(edge.dst.as_u32()) - i64::from(edge.src.as_u32()));
        }
        if let Some(place) = edge.span {
            if span == FULL_SPAN {
                place.file.encode(self.out);
            }
            if span != SAME_SPAN {
                self.out.int(i64::from(place.line) - i64::from(self.last_span.1));
                self.out.uint(place.col.into());
            }
            self.last_span = (place.file.as_u32(), place.line, place.col);
        }
        self.operation(&edge.op);
    }

    fn var(&mut self, var: VarId) {
        self.out.int(i64::from(var.as_u32()) - i64::from(self.last_var));
        self.last_var = var.as_u32();
    }

    fn expr(&mut self, expr: ExprId) {
        self.out.int(i64::from(expr.as_u32()) - i64::from(self.frontier));
        self.frontier = self.frontier.max(expr.as_u32() + 1);
    }

    fn operation(&mut self, op: &Op) {
        match op {
            Op::Skip => {}
            Op::Assume(cond, _) => self.expr(*cond),
            Op::Assign(list) => {
                if list.len() != 1 {
                    self.out.uint(list.len() as u64);
                }
                for &(var, value) in list {
                    self.var(var);
                    self.expr(value);
                }
            }
            Op::Havoc(var, input) => {
                self.var(*var);
                if let Some(input) = input {
                    input.encode(self.out);
                }
            }
            Op::HavocRegion(region) => region.encode(self.out),
            Op::Store { region, addr, value } => {
                region.encode(self.out);
                self.expr(*addr);
                self.expr(*value);
            }
            Op::Call(call) => self.call(call),
        }
    }

    fn call(&mut self, call: &Call) {
        match &call.callee {
            Callee::Direct(func) => func.encode(self.out),
            Callee::Indirect { target, candidates } => {
                self.expr(*target);
                candidates.encode(self.out);
            }
        }
        self.out.uint(call.args.len() as u64);
        call.args.iter().for_each(|&arg| self.expr(arg));
        call.ret.is_some().encode(self.out);
        if let Some(ret) = call.ret {
            self.var(ret);
        }
    }
}

/// The tag of an operation.
fn tag(op: &Op) -> u8 {
    match op {
        Op::Skip => SKIP,
        Op::Assume(_, kind) => {
            ASSUME + u8::from(kind.branch) + 2 * u8::from(kind.looping) + 4 * u8::from(kind.negated)
        }
        Op::Assign(list) if list.len() == 1 => ASSIGN,
        Op::Assign(_) => ASSIGN_MANY,
        Op::Havoc(_, None) => HAVOC,
        Op::Havoc(_, Some(_)) => INPUT,
        Op::HavocRegion(_) => HAVOC_REGION,
        Op::Store { .. } => STORE,
        Op::Call(call) => match call.callee {
            Callee::Direct(_) => CALL,
            Callee::Indirect { .. } => CALL_INDIRECT,
        },
    }
}
