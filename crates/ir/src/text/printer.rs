//! Printing of programs.

mod expression;

use super::parser::KEYWORDS;
use crate::cells::Repeat;
use crate::expr::{Expr, ExprId};
use crate::operator::UnOp;
use crate::plain::is_plain;
use crate::program::*;
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
        // The oldest version that fits, for older readers.
        writeln!(out, "beeline {}", if program.cells.is_empty() { "1.0" } else { "1.1" })?;
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
        for cells in &program.cells {
            write!(out, "cells {} {} at {:#x}", quoted(&cells.name), quoted(&cells.ty), cells.addr)?;
            for Repeat { stride, count } in &cells.repeats {
                write!(out, " + {stride} * {count}")?;
            }
            out.write_char('\n')?;
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

    /// Whether the edge reads best as a `return`.
    fn returns(&self, edge: &Edge, function: &Function) -> bool {
        edge.dst == function.exit
            && match &edge.op {
                Op::Skip => true,
                Op::Assign(list) => list.len() == 1 && Some(list[0].0) == function.ret,
                _ => false,
            }
    }

    /// Writes two edges as `if c goto a else b`, if they have that form.
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
        // Without a callee nothing determines the types of the arguments.
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
