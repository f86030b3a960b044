//! From an LLVM function to its automaton.
//!
//! Instructions without effect become expressions, which are kept *pending* until an edge uses them; they are saved in
//! variables only if they are needed elsewhere, or just before something that they read changes. So
//! `%1 = load x; %2 = add %1, 1; store %2, x` is one edge.
//!
//! - this file: the state that all functions share, and the walk over the blocks of one
//! - `emit`: edges, pending values, variables
//! - `value`: operands and expressions
//! - `inst`: instructions; `arithmetic`: those on numbers
//! - `place`, `access`: reading and writing memory
//! - `guard`: checks that what is accessed or freed is there
//! - `objects`: questions of a program about the objects that its pointers lead to
//! - `leaks`: what remains on the heap at the end
//! - `addresses`: addresses as numbers
//! - `activation`: variables of frames that are memory, as new objects each time
//! - `call`, `library`, `library_access`, `allocate`, `intrinsic`, `variadic`, `assembly`: calls, the C library, LLVM's
//!   intrinsics, variable arguments, inline assembly
//! - `indirect`: calls through pointers
//! - `world`: functions of which nothing is known
//! - `undefined`: what becomes of results that LLVM leaves open
//! - `entry`: what is known where the program starts
//! - `branch`: the ends of blocks

mod access;
pub(crate) mod activation;
mod addresses;
pub(crate) mod allocate;
mod arithmetic;
mod assembly;
mod branch;
mod call;
pub(crate) mod emit;
pub(crate) mod entry;
mod free;
mod graph;
mod guard;
mod idle_loops;
mod indirect;
mod inst;
mod intrinsic;
mod leaks;
mod library;
mod library_access;
mod objects;
mod place;
mod range_loop;
mod reads;
mod undefined;
mod value;
mod variadic;

pub(crate) mod world;

use crate::analyse::activation::Activations;
use crate::analyse::bools::Bools;
use crate::analyse::bounds::Bounds;
use crate::analyse::callees::Callees;
use crate::analyse::cfg::Cfg;
use crate::analyse::coincide::Coincidences;
use crate::analyse::memory::{Layout, Memory};
use crate::analyse::points_to::PointsTo;
use crate::analyse::promote::Object;
use crate::analyse::scope::Scope;
use crate::analyse::shape::{Leaf, image_bits, leaves};
use crate::analyse::uses::Uses;
use crate::options::{LowerError, Options};
use crate::sides::Sides;
use crate::translate::graph::{Graph, Node};
use beeline_ir::{
    Assumption, Direction, ExprId, FuncId, ProgramBuilder, RegionId, SourceVar, Span, Type, VarId,
};
use beeline_module::*;
use cranelift_entity::SecondaryMap;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The leaves of a value.
pub(crate) type Val = SmallVec<[ExprId; 1]>;

/// The state that the functions of a program share.
pub(crate) struct Context<'a> {
    pub scope: Scope<'a>,
    pub options: &'a Options,
    pub points: &'a PointsTo,
    pub callees: &'a Callees<'a>,
    pub layout: &'a Layout,
    pub memory: &'a Memory,
    pub bools: &'a Bools,
    pub builder: ProgramBuilder,
    /// IR functions of LLVM functions.
    pub funcs: FxHashMap<FnId, FuncId>,
    /// Variables of the cells of promoted globals.
    pub cells: FxHashMap<(Object, u64), VarId>,
    pub activations: &'a Activations,
    pub bounds: &'a Bounds,
    /// Comparisons of pointers that may be equal though Beeline's are not.
    pub coincidences: &'a Coincidences,
    /// The next free slots of the heap, of frames, and of frames' objects that pointers may outlive.
    pub heap: VarId,
    pub stack: VarId,
    pub locals: VarId,
    /// The number of objects on the heap, where a property asks for it.
    pub objects: Option<VarId>,
    /// The arguments of `main`, if the program starts there.
    pub main_arguments: Option<entry::Arguments>,
    /// Whether the program may see that `realloc` left an object where it is.
    pub reallocates_in_place: bool,
    /// The number of accesses to memory, and that of checked ones.
    pub accesses: Accesses,
    /// Names that no local may have.
    pub global_names: FxHashSet<String>,
    /// The reads of every expression.
    pub reads: FxHashMap<ExprId, Rc<reads::Reads>>,
    /// Loops over memory, made on demand.
    pub helpers: BTreeMap<String, FuncId>,
    /// Notes on what is not exact, once for each place.
    pub noted: FxHashSet<(String, String, Option<Span>)>,
    /// Variables for unknown facts that stay the same: whether something weak is defined elsewhere, which of two
    /// objects lies first.
    pub open: FxHashMap<String, VarId>,
    /// Regions that hold for each slot whether the object there lies at a number or above.
    pub positions: FxHashMap<u64, RegionId>,
    /// The edges that stand for branch edges of the module.
    pub sides: Sides,
    /// The number of targets with each name.
    pub target_names: FxHashMap<String, u32>,
}

/// Accesses to memory through pointers.
#[derive(Debug, Default, Clone, Copy)]
pub struct Accesses {
    /// The number of accesses.
    pub met: usize,
    /// The number of accesses that are checked, as they are not known to be allowed.
    pub checked: usize,
}

impl<'a> Context<'a> {
    /// A name for a variable of a function that no global has.
    pub(crate) fn local_name(&self, base: &str) -> String {
        let numbered = (1..).map(|number| format!("{base}.{number}"));
        let mut names = std::iter::once(base.to_string()).chain(numbered);
        names.find(|name| !self.global_names.contains(name)).unwrap_or_default()
    }

    pub(crate) fn pointer(&self) -> Type {
        Type::Bv(self.scope.module.pointer_width)
    }

    /// Notes something that is not modelled exactly.
    pub(crate) fn note(&mut self, kind: &str, text: String, direction: Direction, span: Option<Span>) {
        if self.noted.insert((kind.into(), text.clone(), span)) {
            self.builder.assumption(Assumption { kind: kind.into(), text, direction, edge: None, span });
        }
    }

    /// The source's name of a part of a variable; `part` is empty for all of it.
    pub(crate) fn source(&mut self, debug: &DebugVar, part: &str, ty: String) -> SourceVar {
        SourceVar { name: format!("{}{part}", debug.name), ty, span: self.span(debug.place) }
    }

    pub(crate) fn span(&mut self, place: Option<Place>) -> Option<Span> {
        let place = place?;
        let file = self.scope.module.files.get(place.file as usize)?;
        let file = self.builder.file(file);
        (place.line > 0).then_some(Span { file, line: place.line, col: place.col })
    }
}

/// A function under translation.
pub(crate) struct Body<'c, 'a> {
    pub cx: &'c mut Context<'a>,
    pub id: FnId,
    pub func: FuncId,
    pub function: &'a Function,
    cfg: Cfg,
    uses: Uses,
    graph: Graph,
    /// The start of the next edge; none after the end of a path.
    current: Option<Node>,
    heads: SecondaryMap<BlockId, Option<Node>>,
    /// The nodes after locations that are considered unreachable, and their blocks.
    adrift: Vec<(Node, BlockId)>,
    exit: Node,
    block: BlockId,
    values: FxHashMap<InstId, Val>,
    /// The number of uses that are not translated yet.
    left: SecondaryMap<InstId, u32>,
    pending: Vec<InstId>,
    /// Instructions whose effect was part of another's.
    done: FxHashSet<InstId>,
    span: Option<Span>,
    names: FxHashMap<String, u32>,
    params: Vec<Val>,
    /// Variables of the cells of promoted allocas.
    cells: FxHashMap<(Object, u64), VarId>,
    ret: Option<VarId>,
    /// The stack as it was at the start, if the function moves it.
    frame: Option<VarId>,
    /// The pointers from which addresses were computed.
    derived: FxHashMap<InstId, guard::Pointer>,
    /// Objects of this frame whose lifetimes end with it.
    leaving: Vec<activation::Leaving>,
    /// For each place where the stack is saved, the variable with the next address there.
    marks: FxHashMap<InstId, VarId>,
    /// The area of the variable arguments.
    varargs: Option<VarId>,
    names_of: FxHashMap<InstId, String>,
    /// The targets of a copy of a model, by name.
    violations: FxHashMap<String, Node>,
    /// Instructions that may read what nothing has set, with the alloca.
    unset: FxHashMap<InstId, InstId>,
}

/// The type of a function's result or parameter as one IR variable: aggregates are packed.
pub(crate) fn packed_type(leaves: &[Leaf]) -> Option<Type> {
    match leaves {
        [] => None,
        [leaf] => Some(leaf.passed_type()),
        list => Some(Type::Bv(list.iter().map(|leaf| image_bits(leaf.ty)).sum())),
    }
}

/// The parameters' and result's types of a function.
pub(crate) fn signature(module: &Module, ty: TyId) -> Option<(TyId, &[TyId], bool)> {
    match module.kind(ty) {
        TyKind::Func(result, params, variadic) => Some((*result, params, *variadic)),
        _ => None,
    }
}

/// Declares the IR function of an LLVM function: parameters and result.
pub(crate) fn declare(cx: &mut Context, id: FnId) -> Result<(), LowerError> {
    let module = cx.scope.module;
    let function = &module.functions[id];
    let name = match function.call {
        Some((number, _)) => beeline_ir::copy_for_call(&function.name, number),
        None => function.name.clone(),
    };
    let func = cx.builder.function(&name);
    cx.funcs.insert(id, func);
    if cx.scope.reach.address_taken.contains(&id) {
        cx.builder.function_mut(func).addr = Some(crate::analyse::shape::Addresses::function(cx.layout, id));
    }
    if let Some(span) = cx.span(function.place) {
        cx.builder.function_mut(func).file = Some(span.file);
    }
    let Some((result, params, variadic)) = signature(module, function.ty) else {
        return Err(LowerError::Invalid(format!("{} has no function type", function.name)));
    };
    for (index, ty) in params.iter().enumerate() {
        let list = leaves(module, *ty).unwrap_or_default();
        let ty = packed_type(&list).unwrap_or(Type::Bool);
        let name = function.params.get(index).filter(|name| !name.is_empty());
        let name = name.cloned().unwrap_or_else(|| format!("arg{index}"));
        cx.builder.param(func, &name, ty);
    }
    if variadic {
        let pointer = cx.pointer();
        cx.builder.param(func, "varargs", pointer);
    }
    if let Some(ty) = leaves(module, result).and_then(|list| packed_type(&list)) {
        cx.builder.ret(func, "return", ty);
    }
    Ok(())
}

/// Translates the body of a function that was declared.
pub(crate) fn define(cx: &mut Context, id: FnId) -> Result<(), LowerError> {
    let function = &cx.scope.module.functions[id];
    let func = cx.funcs[&id];
    let mut graph = Graph::default();
    let (entry, exit) = (graph.node(), graph.node());
    if let Some(property) = cx.options.violated_by_call(&function.name) {
        // Only reached through pointers: a direct call is a target where it stands.
        let span = cx.span(function.place);
        graph.target(entry, property, format!("{} called through a pointer", function.name), span);
        graph.finish(&mut cx.builder, &mut cx.sides, (func, entry, exit));
        return Ok(());
    }
    let mut body = Body::new(cx, id, graph, (entry, exit));
    body.translate(entry)?;
    body.drop_unread();
    let Body { graph, .. } = body;
    graph.finish(&mut cx.builder, &mut cx.sides, (func, entry, exit));
    if let Some(number) = function.number.filter(|_| !function.lands) {
        cx.sides.function(number, func);
    }
    Ok(())
}

impl<'c, 'a> Body<'c, 'a> {
    /// A function of which nothing is translated yet.
    fn new(cx: &'c mut Context<'a>, id: FnId, graph: Graph, (entry, exit): (Node, Node)) -> Body<'c, 'a> {
        let scope = cx.scope;
        let function = &scope.module.functions[id];
        let func = cx.funcs[&id];
        let cfg = Cfg::new(function);
        let uses = Uses::new(function, &cfg.order);
        let unset = crate::analyse::unset::unset_reads(scope.module, scope.promotion, id, &cfg);
        let left = uses.count.clone();
        let ret = cx.builder.program().functions[func].ret;
        Body {
            cx,
            id,
            func,
            function,
            cfg,
            uses,
            graph,
            current: Some(entry),
            heads: SecondaryMap::new(),
            adrift: Vec::new(),
            exit,
            block: BlockId::from_u32(0),
            values: FxHashMap::default(),
            left,
            pending: Vec::new(),
            done: FxHashSet::default(),
            span: None,
            names: FxHashMap::default(),
            params: Vec::new(),
            cells: FxHashMap::default(),
            ret,
            frame: None,
            derived: FxHashMap::default(),
            leaving: Vec::new(),
            marks: FxHashMap::default(),
            varargs: None,
            names_of: FxHashMap::default(),
            violations: FxHashMap::default(),
            unset,
        }
    }
}

impl Body<'_, '_> {
    fn translate(&mut self, entry: Node) -> Result<(), LowerError> {
        for (operand, var) in &self.function.values {
            if let Operand::Inst(inst) = operand {
                self.names_of.entry(*inst).or_insert_with(|| var.name.clone());
            }
        }
        self.bind_variables();
        if self.needs_frame() {
            let frame = self.fresh("frame", self.cx.pointer());
            let stack = self.read(self.cx.stack);
            self.assign(frame, stack);
            self.frame = Some(frame);
        }
        self.begin_frame();
        self.begin_main();
        self.heads[BlockId::from_u32(0)] = Some(self.current.unwrap_or(entry));
        let order = self.cfg.order.clone();
        let mut translated = FxHashSet::default();
        // A block that all known predecessors bypassed may still be entered by a later one.
        loop {
            let before = translated.len();
            for &block in &order {
                if let Some(head) = self.heads[block]
                    && translated.insert(block)
                {
                    self.current = Some(head);
                    self.block = block;
                    self.pending.clear();
                    self.block_instructions(block)?;
                }
            }
            if translated.len() == before {
                self.drift();
                return Ok(());
            }
        }
    }

    /// Drops variables that are only set and have no name in the source, such as the slot of a result.
    fn drop_unread(&mut self) {
        let mut graph = std::mem::take(&mut self.graph);
        let vars = &self.cx.builder.program().vars;
        let idle = |var: &VarId| {
            vars[*var].owner == Some(self.func) && vars[*var].source.is_none() && Some(*var) != self.ret
        };
        let idle: FxHashSet<VarId> = graph.written().filter(idle).collect();
        graph.drop_unread(&idle, |expr| self.reads(expr));
        self.graph = graph;
    }

    fn block_instructions(&mut self, block: BlockId) -> Result<(), LowerError> {
        let insts = &self.function.blocks[block].insts;
        for (index, &inst) in insts.iter().enumerate() {
            if self.current.is_none() {
                return Ok(());
            }
            if self.done.contains(&inst) {
                continue;
            }
            let data = &self.function.insts[inst];
            self.span = self.cx.span(data.place).or(self.span);
            for &(_, alloca) in self.function.begins.iter().filter(|(behind, _)| *behind == inst) {
                self.begin(alloca, &insts[index..]);
            }
            self.instruction(inst, data, insts.get(index + 1).copied())?;
            if let Some(&alloca) = self.unset.get(&inst) {
                self.note_unset(alloca);
            }
        }
        Ok(())
    }

    /// Notes the read of a variable that may never have been set.
    fn note_unset(&mut self, alloca: InstId) {
        let named = self.function.allocas.iter().find(|(inst, _)| *inst == alloca);
        let function = &self.function.name;
        let text = match named {
            Some((_, var)) => {
                format!(
                    "{} of {function}, which may not be initialised here, holds one value until it is",
                    var.name
                )
            }
            None => {
                format!(
                    "{function} may return without a value: its result is any value, the same at each use"
                )
            }
        };
        self.cx.note("unset", text, Direction::MayHideBug, self.span);
    }

    /// Whether the function puts something on the stack whose address is not fixed.
    fn needs_frame(&self) -> bool {
        let mut insts = self.function.insts.keys();
        insts.any(|inst| self.cx.activations.is_moved(Object::Alloca(self.id, inst)))
    }

    /// The location of the translation, for a message.
    pub(crate) fn place(&self) -> String {
        let line = self.span.map(|span| self.cx.builder.program().show_span(span));
        match line {
            Some(line) => format!("{line}: function {}", self.function.name),
            None => format!("function {}", self.function.name),
        }
    }

    pub(crate) fn unsupported(&self, what: impl Into<String>) -> LowerError {
        LowerError::Unsupported { place: self.place(), what: what.into(), overridable: false }
    }

    /// Refuses something that may hide bugs, unless the user wants to go on.
    pub(crate) fn refuse(&mut self, what: &str) -> Result<(), LowerError> {
        if !self.cx.options.allow_unsound {
            return Err(LowerError::Unsupported {
                place: self.place(),
                what: what.into(),
                overridable: true,
            });
        }
        let text = format!("{what} in {} is ignored", self.function.name);
        self.cx.note("unsound", text, Direction::Both, self.span);
        Ok(())
    }

    pub(crate) fn region_name(&self, region: RegionId) -> &str {
        &self.cx.builder.program().regions[region].name
    }
}
