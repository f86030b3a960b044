//! The validator: the rules that every program must satisfy, however it was made.
//!
//! Rules, each with a test that shows its message:
//! - names: not empty, printable, unique in their scope; functions' addresses differ; pointer widths
//!   are 8 to 64 bits
//! - variables: declared once, by their owner; initial values for globals only, of their type
//! - regions: addresses of at most 64 bits, cells of whole bytes; extents and initial values in order, disjoint and
//!   within the addresses
//! - functions: at least one location, an exit of their own that no edge leaves
//! - edges: within one function; operations typed; variables in scope
//! - calls: arguments and result fit every callee; candidates have addresses
//! - targets and labels name locations; no edge leaves a target
//! - spans and inputs refer to files and names that exist
//!
//! Types inside expressions are checked when they enter the pool ([`crate::ExprPool::intern`]).

mod regions;

use crate::expr::{Expr, ExprId, RegionId, VarId, cells_of};
use crate::plain::is_plain;
use crate::program::*;
use crate::types::{MAX_WIDTH, Type};
use cranelift_entity::{EntityRef, PrimaryMap};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;

/// A breach of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Its place.
    pub place: String,
    /// A description of it.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for Fault {}

/// Finds all faults of a program, up to a number that a person would read.
pub fn validate(program: &Program) -> Vec<Fault> {
    find_faults(program, 100)
}

/// Finds a fault of a program. Its time and memory are in proportion to the program, however long its names and however
/// many its faults are.
pub(crate) fn first_fault(program: &Program) -> Option<Fault> {
    find_faults(program, 1).pop()
}

fn find_faults(program: &Program, limit: usize) -> Vec<Fault> {
    let mut validator = Validator { program, faults: Vec::new(), limit, scopes: Vec::new() };
    validator.header();
    validator.variables();
    validator.regions();
    // The rules about edges rely on those about functions.
    if validator.functions() {
        validator.scopes = scopes(program);
        validator.edges();
        validator.targets();
        validator.labels();
    }
    validator.faults
}

/// The function whose locals an expression reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scope {
    Global,
    Local(FuncId),
    Mixed,
}

/// The scope of every expression.
fn scopes(program: &Program) -> Vec<Scope> {
    let mut scopes: Vec<Scope> = Vec::with_capacity(program.exprs.len());
    for (_, node) in program.exprs.iter() {
        let scope = match node {
            Expr::Var(var) => program.vars[*var].owner.map_or(Scope::Global, Scope::Local),
            _ => {
                node.operands().fold(Scope::Global, |scope, operand| match (scope, scopes[operand.index()]) {
                    (Scope::Global, other) | (other, Scope::Global) => other,
                    (a, b) if a == b => a,
                    _ => Scope::Mixed,
                })
            }
        };
        scopes.push(scope);
    }
    scopes
}

struct Validator<'a> {
    program: &'a Program,
    faults: Vec<Fault>,
    /// The number of faults after which the validator stops.
    limit: usize,
    scopes: Vec<Scope>,
}

impl<'a> Validator<'a> {
    fn fault(&mut self, place: impl fmt::Display, message: impl Into<String>) {
        if self.faults.len() < self.limit {
            self.faults.push(Fault { place: place.to_string(), message: message.into() });
        }
    }

    fn name(&mut self, place: &str, name: &str) {
        if name.is_empty() {
            self.fault(place, "a name is empty");
        } else if name.chars().any(|c| c.is_control() || c == '`') {
            self.fault(place, format!("the name {name:?} has a control character or a backtick"));
        }
    }

    fn span(&mut self, place: impl fmt::Display, span: Option<Span>) {
        let Some(span) = span else { return };
        if self.program.files.get(span.file).is_none() {
            self.fault(&place, format!("the span is in {}, which does not exist", span.file));
        }
        if span.line == 0 {
            self.fault(&place, "lines count from 1, not 0");
        }
    }

    fn header(&mut self) {
        let program = self.program;
        if !(8..=64).contains(&program.pointer_width) {
            self.fault(
                "program",
                format!("pointers of {} bits are not supported, only 8 to 64", program.pointer_width),
            );
        }
        if program.functions.is_empty() {
            self.fault("program", "the program has no function");
        } else if program.functions.get(program.entry).is_none() {
            self.fault("program", format!("the entry {} does not exist", program.entry));
        }
        let mut names = FxHashSet::default();
        let mut addresses = FxHashMap::default();
        for function in program.functions.values() {
            let place = format!("function {}", function.name);
            self.name(&place, &function.name);
            if !names.insert(&function.name) {
                self.fault(&place, "another function has the same name");
            }
            if let Some(addr) = function.addr
                && let Some(other) = addresses.insert(addr, &function.name)
            {
                self.fault(&place, format!("it has the address {addr:#x} of function {other}"));
            }
        }
    }

    fn variables(&mut self) {
        let program = self.program;
        let mut names: FxHashSet<(Option<FuncId>, &str)> = FxHashSet::default();
        names.extend(program.regions.values().map(|region| (None, region.name.as_str())));
        for (_, var) in program.globals() {
            if !names.insert((None, &var.name)) {
                self.fault(format!("variable {}", var.name), "another global or region has the same name");
            }
        }
        let mut listed: PrimaryMap<VarId, u32> = program.vars.values().map(|_| 0).collect();
        for (id, function) in program.functions.iter() {
            for var in function.variables() {
                let Some(count) = listed.get_mut(var) else {
                    self.fault(
                        format!("function {}", function.name),
                        format!("its variable {var} does not exist"),
                    );
                    continue;
                };
                *count += 1;
                // The function's name may be long, and this is done for each of its variables.
                let place = || format!("variable {} of function {}", program.vars[var].name, function.name);
                if *count > 1 {
                    self.fault(place(), "it is declared twice");
                }
                if program.vars[var].owner != Some(id) {
                    self.fault(place(), "it belongs to no or another function");
                }
                let name = program.vars[var].name.as_str();
                if names.contains(&(None, name)) || !names.insert((Some(id), name)) {
                    self.fault(place(), "another variable in its scope has the same name");
                }
                if self.faults.len() >= self.limit {
                    return;
                }
            }
        }
        for (id, var) in program.vars.iter() {
            let place = format!("variable {}", var.name);
            self.name(&place, &var.name);
            if var.owner.is_some() && listed[id] == 0 {
                self.fault(&place, "no function declares it");
            }
            self.type_width(&place, var.ty);
            self.value_at_start(&place, var);
            self.span(&place, var.source.as_ref().and_then(|source| source.span));
        }
    }

    /// Checks that a variable with a value at the start is a global one of the value's type.
    fn value_at_start(&mut self, place: &str, var: &Var) {
        let Some(init) = var.init else { return };
        if var.owner.is_some() {
            return self.fault(place, "only globals have a value at the start");
        }
        let ty = self.program.exprs.value(init).ty();
        if ty != var.ty {
            self.fault(place, format!("its value at the start is {ty}, not {}", var.ty));
        }
    }

    fn type_width(&mut self, place: &str, ty: Type) {
        if let Type::Bv(width) = ty
            && !(1..=MAX_WIDTH).contains(&width)
        {
            self.fault(
                place,
                format!("a bit-vector of {width} bits is not supported, only 1 to {MAX_WIDTH}"),
            );
        }
    }

    /// Checks functions; returns whether they are sound enough to check their edges.
    fn functions(&mut self) -> bool {
        let program = self.program;
        let before = self.faults.len();
        let mut next = 0;
        for function in program.functions.values() {
            let place = format!("function {}", function.name);
            if function.locs.start != next || function.locs.end < next {
                self.fault(&place, "its locations do not follow those of the previous function");
            }
            next = function.locs.end;
            if function.locs.is_empty() {
                self.fault(&place, "it has no location");
            }
            if !function.locs.contains(&function.exit.as_u32()) {
                self.fault(&place, "its exit is not one of its locations");
            } else if program.out_edges(function.exit).len() > 0 {
                self.fault(&place, "an edge leaves its exit");
            }
            if let Some(file) = function.file
                && program.files.get(file).is_none()
            {
                self.fault(&place, format!("its file {file} does not exist"));
            }
        }
        if next as usize != program.num_locs() {
            self.fault("program", "some locations belong to no function");
        }
        for (id, edge) in program.edges.iter() {
            if edge.src.index() >= program.num_locs() || edge.dst.index() >= program.num_locs() {
                self.fault(id, "one of its ends does not exist");
            }
        }
        self.faults.len() == before
    }

    fn edges(&mut self) {
        let program = self.program;
        for (id, function) in program.functions.iter() {
            for loc in function.locations() {
                for edge in program.out_edges(loc) {
                    self.edge(id, &program.edges[edge]);
                    if self.faults.len() >= self.limit {
                        return;
                    }
                }
            }
        }
    }

    fn place(&self, edge: &Edge) -> String {
        let function = &self.program.functions[self.program.function_of(edge.src)];
        format!("function {}, edge from {}", function.name, self.program.label(edge.src))
    }

    fn edge(&mut self, func: FuncId, edge: &Edge) {
        let program = self.program;
        if !program.functions[func].locs.contains(&edge.dst.as_u32()) {
            self.fault(self.place(edge), "it leads into another function");
        }
        if edge.span.is_some_and(|span| span.line == 0 || program.files.get(span.file).is_none()) {
            self.span(self.place(edge), edge.span);
        }
        for expr in edge.op.expressions() {
            match self.scopes.get(expr.index()) {
                Some(Scope::Global) => {}
                Some(Scope::Local(owner)) if *owner == func => {}
                Some(_) => self.fault(self.place(edge), "it reads a local of another function"),
                None => {
                    self.fault(self.place(edge), format!("its expression {expr} does not exist"));
                    return;
                }
            }
        }
        for var in edge.op.writes() {
            match program.vars.get(var) {
                None => {
                    self.fault(self.place(edge), format!("its variable {var} does not exist"));
                    return;
                }
                Some(Var { owner: Some(owner), name, .. }) if *owner != func => {
                    self.fault(self.place(edge), format!("it writes {name}, a local of another function"));
                }
                Some(_) => {}
            }
        }
        self.operation(edge);
    }

    fn operation(&mut self, edge: &Edge) {
        let program = self.program;
        match &edge.op {
            Op::Skip => {}
            Op::Assume(cond, kind) => {
                let ty = program.exprs.ty(*cond);
                if ty != Type::Bool {
                    self.fault(self.place(edge), format!("it assumes a value of type {ty}, not bool"));
                }
                if (kind.looping || kind.negated) && !kind.branch {
                    self.fault(self.place(edge), "only a branch can be marked as a loop or as negated");
                }
            }
            Op::Assign(list) => {
                if list.is_empty() {
                    self.fault(self.place(edge), "it assigns nothing");
                }
                let mut seen = FxHashSet::default();
                for &(var, value) in list {
                    self.assigned(edge, var, program.exprs.ty(value));
                    if list.len() > 1 && !seen.insert(var) {
                        self.fault(self.place(edge), format!("it assigns {} twice", program.vars[var].name));
                    }
                }
            }
            Op::Havoc(_, input) => {
                if let Some(input) = input
                    && program.inputs.get(*input).is_none()
                {
                    self.fault(self.place(edge), format!("its {input} does not exist"));
                }
            }
            Op::HavocRegion(region) => {
                if program.regions.get(*region).is_none() {
                    self.fault(self.place(edge), format!("its region {region} does not exist"));
                }
            }
            Op::Store { region, addr, value } => self.store(edge, *region, *addr, *value),
            Op::Call(call) => self.call(edge, call),
        }
    }

    fn assigned(&mut self, edge: &Edge, var: VarId, ty: Type) {
        let var = &self.program.vars[var];
        if var.ty != ty {
            self.fault(self.place(edge), format!("{} is {}, the value is {ty}", var.name, var.ty));
        }
    }

    fn store(&mut self, edge: &Edge, region: RegionId, addr: ExprId, value: ExprId) {
        let program = self.program;
        let Some(target) = program.regions.get(region) else {
            return self.fault(self.place(edge), format!("its region {region} does not exist"));
        };
        let (addr, value) = (program.exprs.ty(addr), program.exprs.ty(value));
        if addr != target.addr {
            self.fault(
                self.place(edge),
                format!(
                    "the address is {addr}, but region {} has addresses of type {}",
                    target.name, target.addr
                ),
            );
        }
        if cells_of(value, target.cell).is_none() {
            self.fault(
                self.place(edge),
                format!("a value of type {value} does not consist of cells of type {}", target.cell),
            );
        }
    }

    fn call(&mut self, edge: &Edge, call: &Call) {
        let program = self.program;
        if let Callee::Indirect { target, candidates } = &call.callee {
            self.candidates(edge, *target, candidates);
        }
        for func in call.callee.functions() {
            let Some(function) = program.functions.get(*func) else {
                self.fault(self.place(edge), format!("its callee {func} does not exist"));
                continue;
            };
            if function.params.len() != call.args.len() {
                self.fault(
                    self.place(edge),
                    format!(
                        "{} takes {} arguments, not {}",
                        function.name,
                        function.params.len(),
                        call.args.len()
                    ),
                );
            }
            for (param, arg) in function.params.iter().zip(&call.args) {
                let (Some(param), arg) = (program.vars.get(*param), program.exprs.ty(*arg)) else { continue };
                if param.ty != arg {
                    self.fault(
                        self.place(edge),
                        format!(
                            "parameter {} of {} is {}, the argument is {arg}",
                            param.name, function.name, param.ty
                        ),
                    );
                }
            }
            match (call.ret, function.ret) {
                (Some(_), None) => {
                    self.fault(self.place(edge), format!("{} returns nothing", function.name));
                }
                (Some(var), Some(ret)) => {
                    if let Some(ret) = program.vars.get(ret) {
                        self.assigned(edge, var, ret.ty);
                    }
                }
                (None, _) => {}
            }
        }
    }

    /// Checks that a call goes through a pointer, to different functions that have addresses.
    fn candidates(&mut self, edge: &Edge, target: ExprId, candidates: &[FuncId]) {
        let program = self.program;
        let ty = program.exprs.ty(target);
        if ty != Type::Bv(program.pointer_width) {
            self.fault(self.place(edge), format!("it calls through a value of type {ty}, not a pointer"));
        }
        let mut seen = FxHashSet::default();
        for func in candidates {
            if !seen.insert(func) {
                self.fault(self.place(edge), format!("its candidate {func} is listed twice"));
            }
            if let Some(function) = program.functions.get(*func)
                && function.addr.is_none()
            {
                self.fault(self.place(edge), format!("its candidate {} has no address", function.name));
            }
        }
    }

    fn targets(&mut self) {
        let program = self.program;
        let mut names = FxHashSet::default();
        for target in &program.targets {
            let place = format!("target {:?}", target.name);
            if !names.insert(&target.name) {
                self.fault(&place, "another target has the same name");
            }
            if target.loc.index() >= program.num_locs() {
                self.fault(&place, "its location does not exist");
            } else if program.out_edges(target.loc).len() > 0 {
                self.fault(&place, "an edge leaves its location");
            } else if program.functions[program.function_of(target.loc)].exit == target.loc {
                self.fault(&place, "its location is the exit of a function");
            }
            self.span(&place, target.span);
        }
        for cells in program.cells.iter().filter(|cells| !cells.is_sound()) {
            self.fault(
                format!("cells {:?}", cells.name),
                "the indices in their name do not match their elements",
            );
        }
        for assumption in &program.assumptions {
            let place = format!("assumption {:?}", assumption.kind);
            if !assumption.kind.split('-').all(is_plain) {
                self.fault(&place, "its kind does not consist of words joined by hyphens");
            }
            if assumption.edge.is_some_and(|edge| program.edges.get(edge).is_none()) {
                self.fault(&place, "its edge does not exist");
            }
            self.span(&place, assumption.span);
        }
    }

    fn labels(&mut self) {
        let program = self.program;
        let mut seen: FxHashMap<(FuncId, &str), LocId> = FxHashMap::default();
        for (&loc, label) in &program.labels {
            let place = format!("label {label}");
            self.name(&place, label);
            if loc.index() >= program.num_locs() {
                self.fault(&place, "its location does not exist");
                continue;
            }
            let func = program.function_of(loc);
            let mut clash = seen.insert((func, label), loc).is_some();
            // The default name of a location is L and its index: no other location may have it.
            let locs = &program.functions[func].locs;
            if let Some(index) = label.strip_prefix('L').and_then(|rest| rest.parse::<u32>().ok())
                && let Some(other) = locs.start.checked_add(index)
            {
                let other = LocId::from_u32(other.min(u32::MAX - 1));
                clash |= locs.contains(&other.as_u32()) && program.label(other) == *label && other != loc;
            }
            if clash {
                self.fault(
                    &place,
                    format!("another location of function {} has it", program.functions[func].name),
                );
            }
        }
    }
}
