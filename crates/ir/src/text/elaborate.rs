//! Elaboration of the syntax tree to a program: names become ids, literals get their types.

mod expression;

use super::Located;
use super::ast::*;
use crate::build::ProgramBuilder;
use crate::expr::{Expr, ExprId, RegionId, VarId};
use crate::operator::UnOp;
use crate::program::*;
use crate::types::Type;
use expression::literal;
use rustc_hash::FxHashMap;

type Done<T> = Result<T, Located>;

fn fail<T>(pos: usize, message: impl Into<String>) -> Done<T> {
    Err(Located { pos, message: message.into() })
}

pub(super) fn elaborate(file: &FileAst) -> Result<Program, Vec<Located>> {
    let (width, big_endian) = file.pointer.unwrap_or((64, false));
    let mut builder = ProgramBuilder::new(file.name.as_deref().unwrap_or(""), width);
    builder.program_mut().big_endian = big_endian;
    let mut elaborator = Elaborator {
        builder,
        functions: FxHashMap::default(),
        globals: FxHashMap::default(),
        regions: FxHashMap::default(),
        labels: FxHashMap::default(),
        out: FxHashMap::default(),
        faults: Vec::new(),
        width,
    };
    elaborator.program(file);
    let Elaborator { builder, mut faults, .. } = elaborator;
    if !faults.is_empty() {
        return Err(faults);
    }
    builder.finish().map_err(|list| {
        // Faults of the whole program have no place in the text except their description.
        faults.extend(list.into_iter().map(|fault| Located { pos: 0, message: fault.to_string() }));
        faults
    })
}

struct Elaborator {
    builder: ProgramBuilder,
    functions: FxHashMap<String, FuncId>,
    globals: FxHashMap<String, VarId>,
    regions: FxHashMap<String, RegionId>,
    labels: FxHashMap<(FuncId, String), LocId>,
    /// The edges that leave a location, in order.
    out: FxHashMap<LocId, Vec<EdgeId>>,
    faults: Vec<Located>,
    width: u32,
}

/// The meaning of names inside a function.
struct Scope {
    func: FuncId,
    file: Option<FileId>,
    vars: FxHashMap<String, VarId>,
    shared: FxHashMap<u64, ExprId>,
}

impl Elaborator {
    fn note(&mut self, result: Done<()>) {
        if let Err(fault) = result {
            self.faults.push(fault);
        }
    }

    fn program(&mut self, file: &FileAst) {
        for name in &file.files {
            self.builder.file(name);
        }
        for region in &file.regions {
            let done = self.region(region);
            self.note(done);
        }
        for var in &file.globals {
            let done = self.global(var);
            self.note(done);
        }
        self.builder.program_mut().cells.clone_from(&file.cells);
        let mut scopes = Vec::new();
        for function in &file.functions {
            let scope = self.declare(function);
            scopes.push(scope);
        }
        for (function, scope) in file.functions.iter().zip(scopes) {
            self.body(function, scope);
        }
        let entry = match &file.entry {
            Some(name) => self.func(name).map(Some),
            None => Ok(self.functions.get("main").copied()),
        };
        match entry {
            Ok(Some(entry)) => self.builder.set_entry(entry),
            Ok(None) if file.functions.len() <= 1 => {}
            Ok(None) => self.note(fail(0, "a program without a function `main` needs the line `entry NAME`")),
            Err(fault) => self.faults.push(fault),
        }
        for assumption in &file.assumptions {
            let done = self.assumption(assumption);
            self.note(done);
        }
    }

    fn span(&mut self, span: &Option<SpanAst>, file: Option<FileId>) -> Done<Option<Span>> {
        let Some(span) = span else { return Ok(None) };
        let file = match &span.file {
            Some(name) => self.builder.file(&name.node),
            None => match file {
                Some(file) => file,
                None => return fail(span.pos, "name the file: `@\"file.c\":line:column`"),
            },
        };
        if span.line == 0 {
            return fail(span.pos, "lines count from 1, not 0");
        }
        Ok(Some(Span { file, line: span.line, col: span.col }))
    }

    fn source(&mut self, source: &Option<SourceAst>, file: Option<FileId>) -> Done<Option<SourceVar>> {
        let Some(source) = source else { return Ok(None) };
        let span = self.span(&source.span, file)?;
        Ok(Some(SourceVar { name: source.name.clone(), ty: source.ty.clone(), span }))
    }

    fn region(&mut self, ast: &RegionAst) -> Done<()> {
        let mut region = Region {
            name: ast.name.node.clone(),
            addr: ast.addr,
            cell: ast.cell,
            extents: ast.extents.iter().map(|&(base, size)| Extent { base, size }).collect(),
            init: Vec::new(),
        };
        for (addr, values) in &ast.init {
            let mut addr = *addr;
            for (value, count) in values {
                let constant = literal(value, ast.cell)?;
                let value = self.builder.constant(constant);
                region.init.push(InitRun { addr, count: *count, value });
                addr = addr.wrapping_add(count.wrapping_mul(region.stride()));
            }
        }
        let id = self.builder.region(region);
        if self.regions.insert(ast.name.node.clone(), id).is_some() {
            return fail(ast.name.pos, format!("region `{}` is declared twice", ast.name.node));
        }
        Ok(())
    }

    fn global(&mut self, ast: &VarAst) -> Done<()> {
        let init = ast.init.as_ref().map(|value| literal(value, ast.ty)).transpose()?;
        let id = self.builder.global(&ast.name.node, ast.ty, init);
        let source = self.source(&ast.source, None)?;
        self.builder.program_mut().vars[id].source = source;
        if self.globals.insert(ast.name.node.clone(), id).is_some() {
            return fail(ast.name.pos, format!("global `{}` is declared twice", ast.name.node));
        }
        Ok(())
    }

    /// Declares a function with its variables and its locations.
    fn declare(&mut self, ast: &FunctionAst) -> Scope {
        let func = self.builder.function(&ast.name.node);
        if self.functions.insert(ast.name.node.clone(), func).is_some() {
            self.note(fail(ast.name.pos, format!("function `{}` is defined twice", ast.name.node)));
        }
        let file = ast.file.as_ref().map(|name| self.builder.file(&name.node));
        self.builder.function_mut(func).addr = ast.addr;
        self.builder.function_mut(func).file = file;
        let mut scope = Scope { func, file, vars: FxHashMap::default(), shared: FxHashMap::default() };
        for param in &ast.params {
            let var = self.builder.param(func, &param.name.node, param.ty);
            self.bind(&mut scope, param, var);
        }
        if let Some(ret) = &ast.ret {
            let var = self.builder.ret(func, &ret.name.node, ret.ty);
            self.bind(&mut scope, ret, var);
        }
        for local in &ast.vars {
            let var = self.builder.local(func, &local.name.node, local.ty);
            self.bind(&mut scope, local, var);
        }
        scope
    }

    fn bind(&mut self, scope: &mut Scope, ast: &VarAst, var: VarId) {
        match self.source(&ast.source, scope.file) {
            Ok(source) => self.builder.program_mut().vars[var].source = source,
            Err(fault) => self.faults.push(fault),
        }
        if self.globals.contains_key(&ast.name.node) || self.regions.contains_key(&ast.name.node) {
            self.note(fail(ast.name.pos, format!("`{}` is also a global or a region", ast.name.node)));
        } else if scope.vars.insert(ast.name.node.clone(), var).is_some() {
            self.note(fail(ast.name.pos, format!("`{}` is declared twice", ast.name.node)));
        }
    }

    /// The location of each line, and the function's exit.
    fn locate(&mut self, ast: &FunctionAst, func: FuncId) -> Vec<LocId> {
        let mut locs: Vec<LocId> = Vec::new();
        let mut exit = None;
        for statement in &ast.body {
            let loc = match (&statement.label, locs.last()) {
                (None, Some(&last)) if statement.alternative => last,
                _ => self.builder.loc(func),
            };
            if let Some(label) = &statement.label {
                self.builder.set_label(loc, &label.node);
                if self.labels.insert((func, label.node.clone()), loc).is_some() {
                    self.note(fail(
                        label.pos,
                        format!("label `{}` occurs twice in this function", label.node),
                    ));
                }
            } else if statement.alternative && locs.is_empty() {
                self.note(fail(statement.pos, "no line precedes this alternative"));
            }
            if matches!(statement.line, Line::Exit) && exit.replace(loc).is_some() {
                self.note(fail(statement.pos, "a function has only one exit"));
            }
            locs.push(loc);
        }
        match exit {
            Some(exit) => self.builder.set_exit(func, exit),
            None => self.note(fail(ast.name.pos, format!("function `{}` has no line `exit`", ast.name.node))),
        }
        locs
    }

    fn body(&mut self, ast: &FunctionAst, mut scope: Scope) {
        let locs = self.locate(ast, scope.func);
        for (index, statement) in ast.body.iter().enumerate() {
            scope.shared.clear();
            // The default destination of the line: the location of the next line that has its own.
            let next = locs[index + 1..].iter().copied().find(|&loc| loc != locs[index]);
            let done = self.line(&mut scope, statement, locs[index], next);
            self.note(done);
        }
    }

    fn label(&self, scope: &Scope, name: &Name) -> Done<LocId> {
        match self.labels.get(&(scope.func, name.node.clone())) {
            Some(&loc) => Ok(loc),
            None => fail(name.pos, format!("this function has no label `{}`", name.node)),
        }
    }

    fn push(&mut self, src: LocId, dst: LocId, op: Op, span: Option<Span>) {
        let edge = self.builder.edge(src, dst, op, span);
        self.out.entry(src).or_default().push(edge);
    }

    fn lets(&mut self, scope: &mut Scope, lets: &[(u64, At<Ast>)]) -> Done<()> {
        for (number, value) in lets {
            let value = self.expr(scope, value, None)?;
            scope.shared.insert(*number, value);
        }
        Ok(())
    }

    fn line(
        &mut self,
        scope: &mut Scope,
        statement: &Statement,
        src: LocId,
        next: Option<LocId>,
    ) -> Done<()> {
        let fall = |pos: usize| match next {
            Some(next) => Ok(next),
            None => fail(pos, "this is the last line: add `goto LABEL`"),
        };
        match &statement.line {
            Line::Exit | Line::Stop => Ok(()),
            Line::Target { name, property, span } => {
                let span = self.span(span, scope.file)?;
                self.builder.target(src, property, name, span);
                Ok(())
            }
            Line::Branch { lets, cond, looping, then, otherwise, span } => {
                self.lets(scope, lets)?;
                let cond = self.expr(scope, cond, Some(Type::Bool))?;
                let span = self.span(span, scope.file)?;
                let then = self.label(scope, then)?;
                let otherwise = match otherwise {
                    Some(label) => self.label(scope, label)?,
                    None => fall(statement.pos)?,
                };
                let negation = match self.builder.program().exprs[cond] {
                    Expr::Unary(UnOp::Not, inner) => inner,
                    _ => self.intern(Expr::Unary(UnOp::Not, cond), statement.pos)?,
                };
                let kind = AssumeKind { branch: true, looping: *looping, negated: false };
                self.push(src, then, Op::Assume(cond, kind), span);
                self.push(src, otherwise, Op::Assume(negation, AssumeKind { negated: true, ..kind }), span);
                Ok(())
            }
            Line::Edge { lets, op, goto, span } => {
                self.lets(scope, lets)?;
                let span = self.span(span, scope.file)?;
                let is_return = matches!(op, OpAst::Return(_));
                let op = self.operation(scope, op, statement.pos)?;
                let dst = match goto {
                    Some(label) => self.label(scope, label)?,
                    None if is_return => self.builder.program().functions[scope.func].exit,
                    None => fall(statement.pos)?,
                };
                self.push(src, dst, op, span);
                Ok(())
            }
        }
    }

    fn operation(&mut self, scope: &Scope, op: &OpAst, pos: usize) -> Done<Op> {
        Ok(match op {
            OpAst::Skip => Op::Skip,
            OpAst::Assume(cond, kind) => Op::Assume(self.expr(scope, cond, Some(Type::Bool))?, *kind),
            OpAst::Assign(names, values) => {
                let mut list = Assignments::new();
                for (name, value) in names.iter().zip(values) {
                    let var = self.var(scope, name)?;
                    list.push((var, self.typed(scope, value, self.builder.program().vars[var].ty)?));
                }
                Op::Assign(list)
            }
            OpAst::Input(name, input) => {
                let input = self.builder.input(input);
                Op::Havoc(self.var(scope, name)?, Some(input))
            }
            OpAst::Havoc(name) => Op::Havoc(self.var(scope, name)?, None),
            OpAst::HavocRegion(name) => Op::HavocRegion(self.region_named(name)?),
            OpAst::Store { region, addr, value } => {
                let region = self.region_named(region)?;
                let Region { addr: addr_ty, cell, .. } = self.builder.program().regions[region];
                let addr = self.typed(scope, addr, addr_ty)?;
                let ty = self.infer(scope, value).unwrap_or(cell);
                Op::Store { region, addr, value: self.expr(scope, value, Some(ty))? }
            }
            OpAst::Call { callee, args, ret } => self.call(scope, callee, args, ret, pos)?,
            OpAst::Return(None) => Op::Skip,
            OpAst::Return(Some(value)) => {
                let Some(ret) = self.builder.program().functions[scope.func].ret else {
                    return fail(pos, "this function returns nothing");
                };
                Op::assign(ret, self.typed(scope, value, self.builder.program().vars[ret].ty)?)
            }
        })
    }

    fn call(
        &mut self,
        scope: &Scope,
        callee: &CalleeAst,
        args: &[At<Ast>],
        ret: &Option<Name>,
        pos: usize,
    ) -> Done<Op> {
        let callee = match callee {
            CalleeAst::Direct(name) => Callee::Direct(self.func(name)?),
            CalleeAst::Indirect(target, names) => {
                let target = self.typed(scope, target, Type::Bv(self.width))?;
                let candidates = names.iter().map(|name| self.func(name)).collect::<Done<_>>()?;
                Callee::Indirect { target, candidates }
            }
        };
        let params = match callee.functions().first() {
            Some(&first) => self.builder.program().functions[first].params.clone(),
            None => Vec::new(),
        };
        if !callee.functions().is_empty() && params.len() != args.len() {
            return fail(pos, format!("the function takes {} arguments, not {}", params.len(), args.len()));
        }
        let mut values = Vec::new();
        for (index, arg) in args.iter().enumerate() {
            let ty = params.get(index).map(|&param| self.builder.program().vars[param].ty);
            values.push(match ty {
                Some(ty) => self.typed(scope, arg, ty)?,
                None => self.expr(scope, arg, None)?,
            });
        }
        let ret = ret.as_ref().map(|name| self.var(scope, name)).transpose()?;
        Ok(Op::Call(Box::new(Call { callee, args: values, ret })))
    }

    fn func(&self, name: &Name) -> Done<FuncId> {
        match self.functions.get(&name.node) {
            Some(&func) => Ok(func),
            None => fail(name.pos, format!("unknown function `{}`", name.node)),
        }
    }

    fn region_named(&self, name: &Name) -> Done<RegionId> {
        match self.regions.get(&name.node) {
            Some(&region) => Ok(region),
            None => fail(name.pos, format!("unknown region `{}`", name.node)),
        }
    }

    fn lookup(&self, scope: &Scope, name: &str) -> Option<VarId> {
        scope.vars.get(name).or_else(|| self.globals.get(name)).copied()
    }

    fn var(&self, scope: &Scope, name: &Name) -> Done<VarId> {
        match self.lookup(scope, &name.node) {
            Some(var) => Ok(var),
            None => fail(name.pos, format!("unknown variable `{}`", name.node)),
        }
    }

    fn intern(&mut self, node: Expr, pos: usize) -> Done<ExprId> {
        self.builder.intern(node).or_else(|error| fail(pos, error.to_string()))
    }

    fn assumption(&mut self, ast: &AssumptionAst) -> Done<()> {
        let edge = match &ast.edge {
            None => None,
            Some((function, label, index)) => {
                let func = self.func(function)?;
                let loc = self.labels.get(&(func, label.node.clone()));
                let edges = loc.and_then(|loc| self.out.get(loc));
                match edges.and_then(|edges| edges.get(usize::try_from(*index).ok()?)) {
                    Some(&edge) => Some(edge),
                    None => return fail(label.pos, "this edge does not exist"),
                }
            }
        };
        let span = self.span(&ast.span, None)?;
        self.builder.assumption(Assumption {
            kind: ast.kind.clone(),
            text: ast.text.clone(),
            direction: ast.direction,
            edge,
            span,
        });
        Ok(())
    }
}
