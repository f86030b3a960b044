//! From a program to its text.

use super::lexer::is_plain;
use super::operators::{COMPARISONS, LEVELS, Shape};
use super::parser::KEYWORDS;
use crate::bits::Bits;
use crate::expr::{Expr, ExprId};
use crate::operator::{BinOp, CastOp, UnOp};
use crate::program::*;
use crate::types::{FloatKind, Type};
use crate::value::Value;
use rustc_hash::FxHashMap;
use std::fmt::{self, Write};

/// The text of a program.
pub fn print(program: &Program) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = Printer::new(program).write(&mut text);
    text
}

/// The text of an expression.
pub fn print_expr(program: &Program, expr: ExprId) -> String {
    let mut text = String::new();
    let _ = Printer::new(program).expr(&mut text, expr, 0, true, &FxHashMap::default());
    text
}

/// The text of an edge's operation.
pub fn print_op(program: &Program, edge: EdgeId) -> String {
    let mut text = String::new();
    let _ = Printer::new(program).op(&mut text, &program.edges[edge], None);
    text
}

/// Trees with more nodes than this get their shared parts named.
const MANY_NODES: u64 = 1000;
/// Trees higher than this get cut by names at every multiple of it.
const MAX_HEIGHT: u32 = 40;

/// Expressions of an edge that are printed by number.
type Shared = FxHashMap<ExprId, usize>;

/// Writes the text of a program or of its parts.
#[derive(Debug, Clone, Copy)]
pub struct Printer<'a> {
    program: &'a Program,
}

impl<'a> Printer<'a> {
    /// A printer for a program.
    pub fn new(program: &'a Program) -> Printer<'a> {
        Printer { program }
    }

    /// Writes the whole program.
    pub fn write(&self, out: &mut impl Write) -> fmt::Result {
        let program = self.program;
        writeln!(out, "beeline 1.0")?;
        if !program.name.is_empty() {
            writeln!(out, "program {}", quoted(&program.name))?;
        }
        if program.pointer_width != 64 || program.big_endian {
            let order = if program.big_endian { " big" } else { "" };
            writeln!(out, "pointer {}{order}", program.pointer_width)?;
        }
        writeln!(out, "entry {}", name(&program.functions[program.entry].name))?;
        for file in program.files.values() {
            writeln!(out, "file {}", quoted(file))?;
        }
        for region in program.regions.values() {
            self.region(out, region)?;
        }
        for (_, var) in program.globals() {
            out.write_str("global ")?;
            self.variable(out, var, None)?;
            out.write_char('\n')?;
        }
        let mut targets: FxHashMap<LocId, Vec<&Target>> = FxHashMap::default();
        for target in &program.targets {
            targets.entry(target.loc).or_default().push(target);
        }
        for func in program.functions.keys() {
            out.write_char('\n')?;
            self.function_with(out, func, &targets)?;
        }
        if !program.assumptions.is_empty() {
            out.write_char('\n')?;
        }
        for assumption in &program.assumptions {
            self.assumption(out, assumption)?;
        }
        Ok(())
    }

    /// Writes one function.
    pub fn function(&self, out: &mut impl Write, func: FuncId) -> fmt::Result {
        let locs = &self.program.functions[func].locs;
        let mut targets: FxHashMap<LocId, Vec<&Target>> = FxHashMap::default();
        for target in self.program.targets.iter().filter(|target| locs.contains(&target.loc.as_u32())) {
            targets.entry(target.loc).or_default().push(target);
        }
        self.function_with(out, func, &targets)
    }

    fn assumption(&self, out: &mut impl Write, assumption: &Assumption) -> fmt::Result {
        let Assumption { kind, text, direction, .. } = assumption;
        write!(out, "assumption {kind} {} {}", direction.name(), quoted(text))?;
        if let Some(id) = assumption.edge {
            let src = self.program.edges[id].src;
            let index = self.program.out_edges(src).position(|edge| edge == id).unwrap_or(0);
            let function = &self.program.functions[self.program.function_of(src)];
            write!(out, " at {}:{}@{index}", name(&function.name), name(&self.program.label(src)))?;
        }
        self.span(out, assumption.span, None)?;
        out.write_char('\n')
    }

    fn span(&self, out: &mut impl Write, span: Option<Span>, file: Option<FileId>) -> fmt::Result {
        let Some(span) = span else { return Ok(()) };
        out.write_str(" @")?;
        if file != Some(span.file) {
            write!(out, "{}:", quoted(&self.program.files[span.file]))?;
        }
        write!(out, "{}", span.line)?;
        if span.col != 0 {
            write!(out, ":{}", span.col)?;
        }
        Ok(())
    }

    fn variable(&self, out: &mut impl Write, var: &Var, file: Option<FileId>) -> fmt::Result {
        write!(out, "{}: {}", name(&var.name), var.ty)?;
        if let Some(init) = var.init {
            out.write_str(" := ")?;
            self.value(out, self.program.exprs.value(init), false)?;
        }
        if let Some(source) = &var.source {
            write!(out, " as {} {}", quoted(&source.name), quoted(&source.ty))?;
            self.span(out, source.span, file)?;
        }
        Ok(())
    }

    fn region(&self, out: &mut impl Write, region: &Region) -> fmt::Result {
        write!(out, "region {}: {} -> {}", name(&region.name), region.addr, region.cell)?;
        for (index, extent) in region.extents.iter().enumerate() {
            let lead = if index == 0 { " in" } else { "," };
            write!(out, "{lead} {:#x}+{}", extent.base, extent.size)?;
        }
        let mut next = None;
        for (index, run) in region.init.iter().enumerate() {
            if next == Some(run.addr) {
                out.write_str(", ")?;
            } else {
                let lead = if index == 0 { " :=" } else { ";" };
                write!(out, "{lead} {:#x}: ", run.addr)?;
            }
            self.value(out, self.program.exprs.value(run.value), false)?;
            if run.count != 1 {
                write!(out, " * {}", run.count)?;
            }
            next = run.count.checked_mul(region.stride()).and_then(|size| run.addr.checked_add(size));
        }
        out.write_char('\n')
    }

    fn function_with(
        &self,
        out: &mut impl Write,
        func: FuncId,
        targets: &FxHashMap<LocId, Vec<&Target>>,
    ) -> fmt::Result {
        let program = self.program;
        let function = &program.functions[func];
        write!(out, "fn {}(", name(&function.name))?;
        for (index, &param) in function.params.iter().enumerate() {
            out.write_str(if index == 0 { "" } else { ", " })?;
            self.variable(out, &program.vars[param], function.file)?;
        }
        out.write_str(")")?;
        if let Some(ret) = function.ret {
            out.write_str(" -> ")?;
            self.variable(out, &program.vars[ret], function.file)?;
        }
        if let Some(addr) = function.addr {
            write!(out, " at {addr:#x}")?;
        }
        if let Some(file) = function.file {
            write!(out, " in {}", quoted(&program.files[file]))?;
        }
        out.write_str(" {\n")?;
        for &local in &function.locals {
            out.write_str("  var ")?;
            self.variable(out, &program.vars[local], function.file)?;
            out.write_char('\n')?;
        }
        for loc in function.locations() {
            self.location(out, function, loc, targets.get(&loc).map_or(&[], Vec::as_slice))?;
        }
        out.write_str("}\n")
    }

    fn location(
        &self,
        out: &mut impl Write,
        function: &Function,
        loc: LocId,
        targets: &[&Target],
    ) -> fmt::Result {
        let program = self.program;
        let label = name(&program.label(loc));
        if loc == function.exit {
            return writeln!(out, "  {label}: exit");
        }
        for (index, target) in targets.iter().enumerate() {
            let lead = if index == 0 { format!("  {label}:") } else { "    |".into() };
            write!(out, "{lead} target {}", quoted(&target.name))?;
            if target.property != "unreach-call" {
                write!(out, " {}", quoted(&target.property))?;
            }
            self.span(out, target.span, function.file)?;
            out.write_char('\n')?;
        }
        if !targets.is_empty() {
            return Ok(());
        }
        let edges: Vec<EdgeId> = program.out_edges(loc).collect();
        if edges.is_empty() {
            return writeln!(out, "  {label}: stop");
        }
        write!(out, "  {label}: ")?;
        if let [first, second] = edges[..]
            && self.branch(out, function, first, second)?
        {
            return out.write_char('\n');
        }
        let next = LocId::from_u32(loc.as_u32() + 1);
        for (index, &id) in edges.iter().enumerate() {
            out.write_str(if index == 0 { "" } else { "    | " })?;
            let edge = &program.edges[id];
            self.op(out, edge, Some(function))?;
            let returns = self.returns(edge, function);
            if !returns && (edge.dst != next || !function.locs.contains(&next.as_u32())) {
                write!(out, " goto {}", name(&program.label(edge.dst)))?;
            }
            self.span(out, edge.span, function.file)?;
            out.write_char('\n')?;
        }
        Ok(())
    }

    /// Does the edge read best as a `return`?
    fn returns(&self, edge: &Edge, function: &Function) -> bool {
        edge.dst == function.exit
            && match &edge.op {
                Op::Skip => true,
                Op::Assign(list) => list.len() == 1 && Some(list[0].0) == function.ret,
                _ => false,
            }
    }

    /// Writes two edges as `if c goto a else b`, if that is what they are.
    fn branch(
        &self,
        out: &mut impl Write,
        function: &Function,
        first: EdgeId,
        second: EdgeId,
    ) -> Result<bool, fmt::Error> {
        let program = self.program;
        let (first, second) = (&program.edges[first], &program.edges[second]);
        let (Op::Assume(cond, kind), Op::Assume(negation, other)) = (&first.op, &second.op) else {
            return Ok(false);
        };
        let is_negation = |a: ExprId, b: ExprId| program.exprs[a] == Expr::Unary(UnOp::Not, b);
        let opposite = match program.exprs[*cond] {
            Expr::Unary(UnOp::Not, inner) => inner == *negation,
            _ => is_negation(*negation, *cond),
        };
        let kinds = kind.branch && !kind.negated && *other == AssumeKind { negated: true, ..*kind };
        if !opposite || !kinds || first.span != second.span {
            return Ok(false);
        }
        let shared = self.lets(out, &[*cond])?;
        out.write_str(if kind.looping { "while " } else { "if " })?;
        self.expr(out, *cond, 0, false, &shared)?;
        let (then, otherwise) = (program.label(first.dst), program.label(second.dst));
        write!(out, " goto {} else {}", name(&then), name(&otherwise))?;
        self.span(out, first.span, function.file)?;
        Ok(true)
    }

    /// Writes an operation; inside its function, an edge to the exit may read as `return`.
    fn op(&self, out: &mut impl Write, edge: &Edge, function: Option<&Function>) -> fmt::Result {
        let program = self.program;
        let shared = self.lets(out, &edge.op.expressions())?;
        if let Some(function) = function
            && self.returns(edge, function)
        {
            out.write_str("return")?;
            if let Op::Assign(list) = &edge.op {
                out.write_char(' ')?;
                self.expr(out, list[0].1, 0, false, &shared)?;
            }
            return Ok(());
        }
        let var = |var| name(&program.vars[var].name);
        match &edge.op {
            Op::Skip => out.write_str("skip"),
            Op::Assume(cond, kind) => {
                out.write_str("assume")?;
                if kind.branch {
                    let negated = if kind.negated { " negated" } else { "" };
                    write!(out, "[{}{negated}]", if kind.looping { "loop" } else { "branch" })?;
                }
                out.write_char(' ')?;
                self.expr(out, *cond, 0, false, &shared)
            }
            Op::Assign(list) => {
                for (index, &(target, _)) in list.iter().enumerate() {
                    write!(out, "{}{}", if index == 0 { "" } else { ", " }, var(target))?;
                }
                for (index, &(_, value)) in list.iter().enumerate() {
                    out.write_str(if index == 0 { " := " } else { ", " })?;
                    self.expr(out, value, 0, false, &shared)?;
                }
                Ok(())
            }
            Op::Havoc(target, None) => write!(out, "havoc {}", var(*target)),
            Op::Havoc(target, Some(input)) => {
                write!(out, "{} := input {}", var(*target), quoted(&program.inputs[*input]))
            }
            Op::HavocRegion(region) => write!(out, "havoc region {}", name(&program.regions[*region].name)),
            Op::Store { region, addr, value } => {
                let region = &program.regions[*region];
                write!(out, "{}[", name(&region.name))?;
                self.expr(out, *addr, 0, false, &shared)?;
                out.write_str("] := ")?;
                let wide = program.exprs.ty(*value) != region.cell;
                self.expr(out, *value, 0, wide, &shared)
            }
            Op::Call(call) => self.call(out, call, &shared),
        }
    }

    fn call(&self, out: &mut impl Write, call: &Call, shared: &Shared) -> fmt::Result {
        let program = self.program;
        if let Some(ret) = call.ret {
            write!(out, "{} := ", name(&program.vars[ret].name))?;
        }
        out.write_str("call ")?;
        match &call.callee {
            Callee::Direct(func) => out.write_str(&name(&program.functions[*func].name))?,
            Callee::Indirect { target, .. } => {
                out.write_char('(')?;
                self.expr(out, *target, 0, false, shared)?;
                out.write_char(')')?;
            }
        }
        // Without a callee nothing tells the types of the arguments.
        let force = call.callee.functions().is_empty();
        for (index, &arg) in call.args.iter().enumerate() {
            out.write_str(if index == 0 { "(" } else { ", " })?;
            self.expr(out, arg, 0, force, shared)?;
        }
        out.write_str(if call.args.is_empty() { "()" } else { ")" })?;
        if let Callee::Indirect { candidates, .. } = &call.callee {
            out.write_str(" among")?;
            for (index, &func) in candidates.iter().enumerate() {
                let lead = if index == 0 { " " } else { ", " };
                write!(out, "{lead}{}", name(&program.functions[func].name))?;
            }
        }
        Ok(())
    }

    /// Names parts of expressions that are too large or too high to be written out, and writes the names.
    fn lets(&self, out: &mut impl Write, roots: &[ExprId]) -> Result<Shared, fmt::Error> {
        let mut shared = Shared::default();
        if roots.iter().all(|&root| self.is_modest(root, &mut 64, 12)) {
            return Ok(shared);
        }
        // Ids grow from operands to users, so ascending order is bottom-up.
        let uses = self.program.exprs.uses(roots);
        let mut order: Vec<ExprId> = uses.keys().copied().collect();
        order.sort();
        let mut sizes: FxHashMap<ExprId, (u64, u32)> = FxHashMap::default();
        for &id in &order {
            let operands = self.program.exprs[id].operands();
            let (size, height) = operands.fold((1u64, 0), |(size, height), operand| {
                let (s, h) = if shared.contains_key(&operand) { (1, 0) } else { sizes[&operand] };
                (size.saturating_add(s), height.max(h + 1))
            });
            sizes.insert(id, (size, height));
            let large = size > MANY_NODES || (size > 8 && uses[&id] > 1);
            if (large || height >= MAX_HEIGHT) && !roots.contains(&id) {
                let number = shared.len();
                write!(out, "let #{number} = ")?;
                self.expr(out, id, 0, true, &shared)?;
                out.write_str("; ")?;
                shared.insert(id, number);
            }
        }
        Ok(shared)
    }

    /// Is the tree small and low enough to be written out without a closer look?
    fn is_modest(&self, id: ExprId, budget: &mut u32, height: u32) -> bool {
        if *budget == 0 || height == 0 {
            return false;
        }
        *budget -= 1;
        self.program.exprs[id].operands().all(|operand| self.is_modest(operand, budget, height - 1))
    }

    /// Writes an expression that binds at least as tight as a level. With `force` nothing around it
    /// tells the type of its literals.
    fn expr(
        &self,
        out: &mut impl Write,
        id: ExprId,
        level: usize,
        force: bool,
        shared: &Shared,
    ) -> fmt::Result {
        let exprs = &self.program.exprs;
        if let Some(number) = shared.get(&id) {
            return write!(out, "#{number}");
        }
        match exprs[id] {
            Expr::Const(value) => self.value(out, exprs.value(value), force),
            Expr::Var(var) => out.write_str(&name(&self.program.vars[var].name)),
            Expr::Unary(UnOp::Not, inner) if self.is_unequal(inner, shared) => {
                let Expr::Binary(op, a, b) = exprs[inner] else { return Err(fmt::Error) };
                let text = if op == BinOp::Eq { "!=" } else { "!=." };
                self.infix(out, (text, COMPARISONS), (a, b), level, force, shared)
            }
            Expr::Unary(op, a) => self.unary(out, op, a, force, shared),
            Expr::Binary(BinOp::Concat, a, b) => {
                self.apply(out, BinOp::Concat.text(), &[a, b], "", true, shared)
            }
            Expr::Binary(op, a, b) => {
                // `a < b` with a constant on the left reads better as `b > a`.
                let swapped = exprs.as_const(a).is_some() && exprs.as_const(b).is_none();
                let find = |shape| {
                    LEVELS.iter().enumerate().find_map(|(at, level)| {
                        level
                            .iter()
                            .find(|entry| entry.1 == op && entry.2 == shape)
                            .map(|entry| (entry.0, at))
                    })
                };
                match find(Shape::Swapped).filter(|_| swapped) {
                    Some(operator) => self.infix(out, operator, (b, a), level, force, shared),
                    None => {
                        let operator = find(Shape::Plain).ok_or(fmt::Error)?;
                        self.infix(out, operator, (a, b), level, force, shared)
                    }
                }
            }
            Expr::Fma(a, b, c) => {
                let untyped = [a, b, c].iter().all(|&arg| self.is_untyped(arg, shared));
                self.apply(out, "fma", &[a, b, c], "", force && untyped, shared)
            }
            Expr::Ite(c, a, b) => {
                let force = force && self.is_untyped(a, shared) && self.is_untyped(b, shared);
                out.write_str(if level > 0 { "(" } else { "" })?;
                self.expr(out, c, 1, false, shared)?;
                out.write_str(" ? ")?;
                self.expr(out, a, 0, force, shared)?;
                out.write_str(" : ")?;
                self.expr(out, b, 0, false, shared)?;
                out.write_str(if level > 0 { ")" } else { "" })
            }
            Expr::Extract { hi, lo: 0, arg } => {
                self.apply(out, "trunc", &[arg], &format!(", i{}", hi + 1), true, shared)
            }
            Expr::Extract { hi, lo, arg } => {
                self.apply(out, "extract", &[arg], &format!(", {hi}, {lo}"), true, shared)
            }
            Expr::Cast(CastOp::ToBits, _, a) => {
                self.apply(out, CastOp::ToBits.text(), &[a], "", true, shared)
            }
            Expr::Cast(op, ty, a) => {
                self.apply(out, op.text(), &[a], &format!(", {ty}"), op != CastOp::FromBits, shared)
            }
            Expr::Load { region, addr, ty } => {
                let region = &self.program.regions[region];
                write!(out, "{}[", name(&region.name))?;
                self.expr(out, addr, 0, false, shared)?;
                if ty != region.cell {
                    write!(out, ", {ty}")?;
                }
                out.write_char(']')
            }
        }
    }

    /// Does the negation of this read as `!=`?
    fn is_unequal(&self, id: ExprId, shared: &Shared) -> bool {
        !shared.contains_key(&id)
            && matches!(self.program.exprs[id], Expr::Binary(BinOp::Eq | BinOp::FEq, ..))
    }

    fn unary(&self, out: &mut impl Write, op: UnOp, a: ExprId, force: bool, shared: &Shared) -> fmt::Result {
        let text = op.text();
        if !op.is_prefix() {
            return self.apply(out, text, &[a], "", force || text.starts_with("is"), shared);
        }
        out.write_str(text)?;
        // The minus of a number is part of it.
        let number = self.program.exprs.as_const(a).is_some() && !shared.contains_key(&a);
        if number && matches!(op, UnOp::Neg) {
            out.write_char('(')?;
            self.expr(out, a, 0, force, shared)?;
            return out.write_char(')');
        }
        self.expr(out, a, LEVELS.len() + 1, force, shared)
    }

    fn infix(
        &self,
        out: &mut impl Write,
        (text, own): (&str, usize),
        (a, b): (ExprId, ExprId),
        level: usize,
        force: bool,
        shared: &Shared,
    ) -> fmt::Result {
        let untyped = self.is_untyped(a, shared) && self.is_untyped(b, shared);
        let outer_types = LEVELS[own].iter().any(|entry| entry.0 == text && entry.1.is_uniform());
        let boolean = own < COMPARISONS;
        let force = untyped && !boolean && (force || !outer_types);
        // Level 0 is the choice `? :`, the operators of `LEVELS` come behind it.
        let binds = own + 1;
        out.write_str(if level > binds { "(" } else { "" })?;
        // Comparisons do not chain: both sides must bind tighter.
        let left = if own == COMPARISONS { binds + 1 } else { binds };
        self.expr(out, a, left, force, shared)?;
        write!(out, " {text} ")?;
        self.expr(out, b, binds + 1, false, shared)?;
        out.write_str(if level > binds { ")" } else { "" })
    }

    fn apply(
        &self,
        out: &mut impl Write,
        text: &str,
        args: &[ExprId],
        rest: &str,
        force: bool,
        shared: &Shared,
    ) -> fmt::Result {
        for (index, &arg) in args.iter().enumerate() {
            let lead = if index == 0 { format!("{text}(") } else { ", ".into() };
            out.write_str(&lead)?;
            self.expr(out, arg, 0, force, shared)?;
        }
        write!(out, "{rest})")
    }

    /// Does the text of this leave the type of its literals to the place where it stands?
    fn is_untyped(&self, id: ExprId, shared: &Shared) -> bool {
        if shared.contains_key(&id) {
            return false;
        }
        match self.program.exprs[id] {
            Expr::Const(value) => match self.program.exprs.value(value) {
                Value::Bool(_) => false,
                Value::Bv(_) => true,
                Value::Float(kind, bits) => decimal(*kind, bits).is_some(),
            },
            Expr::Unary(op, a) => {
                op.result(self.program.exprs.ty(a)) == Some(self.program.exprs.ty(a))
                    && op != UnOp::Not
                    && self.is_untyped(a, shared)
            }
            Expr::Binary(op, a, b) if op.is_uniform() && !matches!(op, BinOp::BoolAnd | BinOp::BoolOr) => {
                self.is_untyped(a, shared) && self.is_untyped(b, shared)
            }
            Expr::Ite(_, a, b) => self.is_untyped(a, shared) && self.is_untyped(b, shared),
            Expr::Fma(a, b, c) => [a, b, c].iter().all(|&arg| self.is_untyped(arg, shared)),
            _ => false,
        }
    }

    fn value(&self, out: &mut impl Write, value: &Value, force: bool) -> fmt::Result {
        match value {
            Value::Bool(truth) => write!(out, "{truth}"),
            Value::Bv(bits) => {
                out.write_str(&integer(bits))?;
                if force { write!(out, "{}", Type::Bv(bits.width())) } else { Ok(()) }
            }
            Value::Float(kind, bits) => match decimal(*kind, bits) {
                // Infinity and NaN are words, to which no type can be attached.
                Some(text) if !force => out.write_str(&text),
                Some(text) if !text.ends_with(['f', 'n']) => write!(out, "{text}{}", kind.name()),
                _ => write!(out, "floatbits({:#x}, {})", bits.to_biguint(), kind.name()),
            },
        }
    }
}

/// A bit-vector as a person would write it: small negative numbers with a sign, large ones in hexadecimal.
fn integer(bits: &Bits) -> String {
    const SMALL: i64 = 1 << 20;
    match (bits.to_i64(), bits.to_u64()) {
        (Some(value), _) if bits.width() > 1 && (-SMALL..0).contains(&value) => value.to_string(),
        (_, Some(value)) if value < 1 << 24 => value.to_string(),
        _ => format!("{:#x}", bits.to_biguint()),
    }
}

/// A float in decimal, if its format is one that has an exact shortest form.
fn decimal(kind: FloatKind, bits: &Bits) -> Option<String> {
    let bits = bits.to_u64()?;
    let text = match kind {
        FloatKind::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        FloatKind::F64 => format!("{:?}", f64::from_bits(bits)),
        _ => return None,
    };
    Some(if text == "NaN" { "nan".into() } else { text })
}

/// A name, in backticks where it needs them.
fn name(name: &str) -> String {
    let plain = is_plain(name) && !KEYWORDS.contains(&name);
    if plain { name.into() } else { format!("`{name}`") }
}

/// A text in quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
