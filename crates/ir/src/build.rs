//! Construction of programs, piece by piece and in any order.

use crate::expr::{ConstId, Declarations, Expr, ExprId, ExprPool, RegionId, TypeError, VarId};
use crate::program::*;
use crate::types::Type;
use crate::validate::{Fault, validate};
use crate::value::Value;
use crate::walk::PostOrder;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Collects the parts of a program; [`ProgramBuilder::finish`] puts them in order and validates them.
///
/// Locations and edges may be added in any order. Ids of regions and functions stay what they are;
/// those of variables, locations, edges and expressions change when the program is finished.
#[derive(Debug)]
pub struct ProgramBuilder {
    program: Program,
    functions: SecondaryMap<FuncId, Vec<LocId>>,
    owners: PrimaryMap<LocId, FuncId>,
    file_ids: FxHashMap<String, FileId>,
    input_ids: FxHashMap<String, InputId>,
    unused_globals: FxHashSet<VarId>,
}

impl ProgramBuilder {
    /// Starts a little-endian program.
    pub fn new(name: &str, pointer_width: u32) -> ProgramBuilder {
        ProgramBuilder {
            program: Program {
                name: name.into(),
                pointer_width,
                big_endian: false,
                entry: FuncId::from_u32(0),
                files: PrimaryMap::new(),
                inputs: PrimaryMap::new(),
                exprs: ExprPool::default(),
                vars: PrimaryMap::new(),
                regions: PrimaryMap::new(),
                cells: Vec::new(),
                functions: PrimaryMap::new(),
                edges: PrimaryMap::new(),
                targets: Vec::new(),
                assumptions: Vec::new(),
                labels: BTreeMap::new(),
                first_edge: vec![0],
            },
            functions: SecondaryMap::new(),
            owners: PrimaryMap::new(),
            file_ids: FxHashMap::default(),
            input_ids: FxHashMap::default(),
            unused_globals: FxHashSet::default(),
        }
    }

    /// The program as far as it is built; its locations and edges are in no order yet.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The parts whose order is not kept: names, flags, variables, regions.
    pub fn program_mut(&mut self) -> &mut Program {
        &mut self.program
    }

    /// The expressions.
    pub fn exprs(&mut self) -> &mut ExprPool {
        &mut self.program.exprs
    }

    /// Adds an expression node as it is, if its types fit.
    pub fn intern(&mut self, node: Expr) -> Result<ExprId, TypeError> {
        let Program { exprs, vars, regions, .. } = &mut self.program;
        exprs.intern(node, &Parts { vars, regions })
    }

    /// The source file with a name.
    pub fn file(&mut self, name: &str) -> FileId {
        if let Some(&id) = self.file_ids.get(name) {
            return id;
        }
        let id = self.program.files.push(name.into());
        self.file_ids.insert(name.into(), id);
        id
    }

    /// The input with a name.
    pub fn input(&mut self, name: &str) -> InputId {
        if let Some(&id) = self.input_ids.get(name) {
            return id;
        }
        let id = self.program.inputs.push(name.into());
        self.input_ids.insert(name.into(), id);
        id
    }

    /// Adds a global variable, with its initial value.
    pub fn global(&mut self, name: &str, ty: Type, init: Option<Value>) -> VarId {
        let init = init.map(|value| self.program.exprs.intern_const(value));
        self.program.vars.push(Var { name: name.into(), ty, owner: None, init, source: None })
    }

    /// Adds a region.
    pub fn region(&mut self, region: Region) -> RegionId {
        self.program.regions.push(region)
    }

    /// Adds a constant for [`Region::init`].
    pub fn constant(&mut self, value: Value) -> ConstId {
        self.program.exprs.intern_const(value)
    }

    /// Declares a function; its entry is the first location added to it.
    pub fn function(&mut self, name: &str) -> FuncId {
        self.program.functions.push(Function {
            name: name.into(),
            params: Vec::new(),
            ret: None,
            locals: Vec::new(),
            locs: 0..0,
            exit: LocId::from_u32(u32::MAX - 1),
            addr: None,
            file: None,
        })
    }

    /// The function's description, to set its address or file.
    pub fn function_mut(&mut self, func: FuncId) -> &mut Function {
        &mut self.program.functions[func]
    }

    fn var(&mut self, func: FuncId, name: &str, ty: Type) -> VarId {
        self.program.vars.push(Var { name: name.into(), ty, owner: Some(func), init: None, source: None })
    }

    /// Adds a parameter.
    pub fn param(&mut self, func: FuncId, name: &str, ty: Type) -> VarId {
        let var = self.var(func, name, ty);
        self.program.functions[func].params.push(var);
        var
    }

    /// Sets the return variable.
    pub fn ret(&mut self, func: FuncId, name: &str, ty: Type) -> VarId {
        let var = self.var(func, name, ty);
        self.program.functions[func].ret = Some(var);
        var
    }

    /// Adds a local variable.
    pub fn local(&mut self, func: FuncId, name: &str, ty: Type) -> VarId {
        let var = self.var(func, name, ty);
        self.program.functions[func].locals.push(var);
        var
    }

    /// Adds a location.
    pub fn loc(&mut self, func: FuncId) -> LocId {
        let loc = self.owners.push(func);
        self.functions[func].push(loc);
        loc
    }

    /// Adds a location with a name.
    pub fn labelled(&mut self, func: FuncId, label: &str) -> LocId {
        let loc = self.loc(func);
        self.set_label(loc, label);
        loc
    }

    /// Names a location.
    pub fn set_label(&mut self, loc: LocId, label: &str) {
        self.program.labels.insert(loc, label.into());
    }

    /// Sets the location at which the function returns.
    pub fn set_exit(&mut self, func: FuncId, loc: LocId) {
        self.program.functions[func].exit = loc;
    }

    /// Sets the function where the program starts.
    pub fn set_entry(&mut self, func: FuncId) {
        self.program.entry = func;
    }

    /// Adds an edge.
    pub fn edge(&mut self, src: LocId, dst: LocId, op: Op, span: Option<Span>) -> EdgeId {
        self.program.edges.push(Edge { src, dst, op, span })
    }

    /// Adds the two edges of a branch.
    pub fn branch(
        &mut self,
        src: LocId,
        cond: ExprId,
        looping: bool,
        (then, otherwise): (LocId, LocId),
        span: Option<Span>,
    ) {
        let negation = self.program.exprs.unary(crate::operator::UnOp::Not, cond);
        let kind = AssumeKind { branch: true, looping, negated: false };
        self.edge(src, then, Op::Assume(cond, kind), span);
        self.edge(src, otherwise, Op::Assume(negation, AssumeKind { negated: true, ..kind }), span);
    }

    /// Makes a location a target.
    pub fn target(&mut self, loc: LocId, property: &str, name: &str, span: Option<Span>) {
        let (name, property) = (name.into(), property.into());
        self.program.targets.push(Target { loc, name, property, span });
    }

    /// Notes something that is not modelled exactly.
    pub fn assumption(&mut self, assumption: Assumption) {
        self.program.assumptions.push(assumption);
    }

    /// Puts the parts in order and validates the program.
    pub fn finish(self) -> Result<Program, Vec<Fault>> {
        self.finish_with([])
    }

    /// Puts the parts in order and validates the program. Replaces `edges` by the ids that these edges get.
    pub fn finish_with<'e>(
        self,
        edges: impl IntoIterator<Item = &'e mut EdgeId>,
    ) -> Result<Program, Vec<Fault>> {
        let program = self.finish_unchecked(edges);
        let faults = validate(&program);
        if faults.is_empty() { Ok(program) } else { Err(faults) }
    }

    /// Removes the variables that no edge reads or writes, except parameters and results.
    pub fn drop_unused_variables(&mut self) {
        let mut used: SecondaryMap<VarId, bool> = SecondaryMap::new();
        let ops = || self.program.edges.values().map(|edge| &edge.op);
        ops().flat_map(Op::writes).for_each(|var| used[var] = true);
        for (_, node) in self.program.exprs.parts(ops().flat_map(Op::expressions)) {
            if let Expr::Var(var) = node {
                used[var] = true;
            }
        }
        for function in self.program.functions.values_mut() {
            function.locals.retain(|&var| used[var]);
        }
        self.unused_globals = self.program.globals().map(|(id, _)| id).filter(|&id| !used[id]).collect();
    }

    /// Puts the parts in order without validating the program.
    pub(crate) fn finish_unchecked<'e>(self, edges: impl IntoIterator<Item = &'e mut EdgeId>) -> Program {
        let ProgramBuilder { mut program, mut functions, owners, unused_globals, .. } = self;
        let mut new_locs: SecondaryMap<LocId, Option<LocId>> = SecondaryMap::new();
        let mut next = 0u32;
        for (id, function) in program.functions.iter_mut() {
            let start = next;
            for loc in std::mem::take(&mut functions[id]) {
                new_locs[loc] = Some(LocId::from_u32(next));
                next += 1;
            }
            function.locs = start..next;
        }
        // A location that was never added keeps an id out of range, for the validator to report.
        let known = owners.len();
        let renamed = |loc: LocId| {
            if loc.index() < known { new_locs[loc].unwrap_or(loc) } else { LocId::from_u32(u32::MAX - 1) }
        };
        for function in program.functions.values_mut() {
            function.exit = renamed(function.exit);
        }
        for target in &mut program.targets {
            target.loc = renamed(target.loc);
        }
        // In the text, targets stand at their locations.
        program.targets.sort_by_key(|target| target.loc);
        program.labels = program.labels.into_iter().map(|(loc, label)| (renamed(loc), label)).collect();
        drop_default_labels(&mut program);
        let new_edges = sort_edges(&mut program, renamed);
        edges.into_iter().for_each(|edge| *edge = new_edges[*edge].unwrap_or(*edge));
        let new_vars = renumber_variables(&mut program, &unused_globals);
        renumber_expressions(&mut program, &new_vars);
        program.index_edges_checked(next as usize);
        program
    }
}

/// Removes labels that equal the default one of their location.
fn drop_default_labels(program: &mut Program) {
    let mut labels = std::mem::take(&mut program.labels);
    for function in program.functions.values() {
        for loc in function.locations() {
            let default = || format!("L{}", loc.as_u32() - function.locs.start);
            if labels.get(&loc).is_some_and(|label| *label == default()) {
                labels.remove(&loc);
            }
        }
    }
    program.labels = labels;
}

/// Renames the ends of all edges and puts the edges in the order of their sources. Returns their new ids.
fn sort_edges(
    program: &mut Program,
    renamed: impl Fn(LocId) -> LocId,
) -> SecondaryMap<EdgeId, Option<EdgeId>> {
    let edges = std::mem::take(&mut program.edges);
    let mut list: Vec<(EdgeId, Edge)> = edges.into_iter().collect();
    for (_, edge) in &mut list {
        edge.src = renamed(edge.src);
        edge.dst = renamed(edge.dst);
    }
    list.sort_by_key(|(_, edge)| edge.src);
    let mut new_ids: SecondaryMap<EdgeId, Option<EdgeId>> = SecondaryMap::new();
    for (old, edge) in list {
        new_ids[old] = Some(program.edges.push(edge));
    }
    for assumption in &mut program.assumptions {
        assumption.edge = assumption.edge.and_then(|edge| new_ids[edge]);
    }
    new_ids
}

/// Numbers variables as the text declares them: globals, then function by function.
fn renumber_variables(program: &mut Program, unused: &FxHashSet<VarId>) -> SecondaryMap<VarId, VarId> {
    let old = std::mem::take(&mut program.vars);
    let mut new_ids: SecondaryMap<VarId, VarId> = SecondaryMap::with_default(VarId::from_u32(u32::MAX - 1));
    let globals =
        old.iter().filter(|(id, var)| var.owner.is_none() && !unused.contains(id)).map(|(id, _)| id);
    let locals = program.functions.values().flat_map(Function::variables);
    for id in globals.chain(locals) {
        new_ids[id] = program.vars.push(old[id].clone());
    }
    for function in program.functions.values_mut() {
        let Function { params, ret, locals, .. } = function;
        for var in params.iter_mut().chain(ret).chain(locals) {
            *var = new_ids[*var];
        }
    }
    new_ids
}

/// Numbers expressions, constants and inputs by their first use in the order of the text, so that equal programs have
/// equal ids however they were made; unused ones disappear.
fn renumber_expressions(program: &mut Program, new_vars: &SecondaryMap<VarId, VarId>) {
    let mut numbering = Numbering {
        old: std::mem::take(&mut program.exprs),
        new_vars,
        pool: ExprPool::default(),
        map: SecondaryMap::new(),
    };
    for var in program.vars.values_mut() {
        var.init.iter_mut().for_each(|id| *id = numbering.constant(*id));
    }
    for region in program.regions.values_mut() {
        region.init.iter_mut().for_each(|run| run.value = numbering.constant(run.value));
    }
    let old_inputs = std::mem::take(&mut program.inputs);
    let mut new_inputs: SecondaryMap<InputId, Option<InputId>> = SecondaryMap::new();
    for edge in program.edges.values_mut() {
        edge.op.map_expressions(|root| numbering.expression(root));
        match &mut edge.op {
            Op::Assign(list) => list.iter_mut().for_each(|(var, _)| *var = new_vars[*var]),
            Op::Call(call) => call.ret.iter_mut().for_each(|var| *var = new_vars[*var]),
            Op::Havoc(var, input) => {
                *var = new_vars[*var];
                if let Some(id) = input {
                    *id =
                        *new_inputs[*id].get_or_insert_with(|| program.inputs.push(old_inputs[*id].clone()));
                }
            }
            Op::Skip | Op::Assume(..) | Op::HavocRegion(_) | Op::Store { .. } => {}
        }
    }
    program.exprs = numbering.pool;
}

struct Numbering<'a> {
    old: ExprPool,
    new_vars: &'a SecondaryMap<VarId, VarId>,
    pool: ExprPool,
    map: SecondaryMap<ExprId, Option<ExprId>>,
}

impl Numbering<'_> {
    fn constant(&mut self, id: ConstId) -> ConstId {
        self.pool.intern_const(self.old.value(id).clone())
    }

    fn expression(&mut self, root: ExprId) -> ExprId {
        let mut walk = PostOrder::new(root);
        while let Some(id) = walk.next(&self.old, |id| self.map[id].is_some()) {
            let new = match self.old[id] {
                Expr::Const(value) => Expr::Const(self.constant(value)),
                Expr::Var(var) => Expr::Var(self.new_vars[var]),
                node => node.map_operands(|operand| self.map[operand].unwrap_or(operand)),
            };
            self.map[id] = Some(self.pool.build_typed(new, self.old.ty(id)));
        }
        self.map[root].unwrap_or(root)
    }
}

impl Program {
    /// Like [`Program::index_edges`], but leaves out edges whose source does not exist: the validator
    /// reports them.
    fn index_edges_checked(&mut self, num_locs: usize) {
        if self.edges.values().all(|edge| edge.src.index() < num_locs) {
            self.index_edges(num_locs);
        } else {
            self.first_edge = vec![0; num_locs + 1];
        }
    }
}

/// The declarations of a program that typing needs, beside its pool.
pub(crate) struct Parts<'a> {
    pub vars: &'a PrimaryMap<VarId, Var>,
    pub regions: &'a PrimaryMap<RegionId, Region>,
}

impl Declarations for Parts<'_> {
    fn var_type(&self, var: VarId) -> Option<Type> {
        self.vars.get(var).map(|var| var.ty)
    }
    fn region_types(&self, region: RegionId) -> Option<(Type, Type)> {
        self.regions.get(region).map(|region| (region.addr, region.cell))
    }
}
