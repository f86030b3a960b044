//! The program model: functions as control-flow automata over shared arenas.

use crate::cells::NamedCells;
use crate::expr::{ConstId, Declarations, ExprId, ExprPool, RegionId, VarId};
use crate::types::Type;
use cranelift_entity::{EntityRef, PrimaryMap, entity_impl};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FuncId(u32);
entity_impl!(FuncId, "f");

/// A location: a value of the program counter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocId(u32);
entity_impl!(LocId, "l");

/// An edge of a control-flow automaton.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EdgeId(u32);
entity_impl!(EdgeId, "edge");

/// A source file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(u32);
entity_impl!(FileId, "file");

/// The name of a source of nondeterminism, such as `__VERIFIER_nondet_int`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InputId(u32);
entity_impl!(InputId, "input");

/// A place in a source file; lines and columns count from 1, column 0 is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The line.
    pub line: u32,
    /// The column.
    pub col: u32,
}

/// A variable of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceVar {
    /// The name; followed by a path such as `.next` or `[3]` for a part of an object.
    pub name: String,
    /// The type as the source's language writes it, or empty.
    pub ty: String,
    /// The place of its declaration.
    pub span: Option<Span>,
}

/// A variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Var {
    /// Its name, unique among globals and the locals of its function.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The function it is local to.
    pub owner: Option<FuncId>,
    /// The initial value of a global; any value if there is none.
    pub init: Option<ConstId>,
    /// The source variable that it stands for.
    pub source: Option<SourceVar>,
}

/// Consecutive cells of a region that hold a known initial value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InitRun {
    /// The address of the first cell.
    pub addr: u64,
    /// The number of cells.
    pub count: u64,
    /// The value of each of them.
    pub value: ConstId,
}

/// Addresses from `base` up to but not including `base + size` that may be accessed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent {
    /// The first address.
    pub base: u64,
    /// The number of bytes.
    pub size: u64,
}

/// A memory region: a map from every address to a cell.
///
/// Consecutive cells of a region are as many addresses apart as a cell has bytes. Cells at different
/// addresses never overlap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Its name, unique among regions and globals.
    pub name: String,
    /// The type of addresses, a bit-vector of at most 64 bits.
    pub addr: Type,
    /// The type of a cell.
    pub cell: Type,
    /// The addresses where accesses are allowed, in ascending order; all if there is none.
    pub extents: Vec<Extent>,
    /// The initial values of cells, in ascending order; the others hold any value.
    pub init: Vec<InitRun>,
}

impl Region {
    /// The number of addresses between consecutive cells.
    pub fn stride(&self) -> u64 {
        u64::from(self.cell.memory_bits().unwrap_or(8)).div_ceil(8)
    }

    /// Whether `size` bytes may be accessed at the address.
    pub fn allows(&self, addr: u64, size: u64) -> bool {
        if self.extents.is_empty() {
            return true;
        }
        let after = self.extents.partition_point(|extent| extent.base <= addr);
        let Some(extent) = after.checked_sub(1).map(|index| &self.extents[index]) else { return false };
        let offset = addr - extent.base;
        offset < extent.size && size <= extent.size - offset
    }
}

/// A function: one entry, one exit, parameters and a return variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its name, unique among functions.
    pub name: String,
    /// Parameters, set by the call.
    pub params: Vec<VarId>,
    /// The variable whose value at the exit is the function's result.
    pub ret: Option<VarId>,
    /// All other locals.
    pub locals: Vec<VarId>,
    /// The locations; the entry is the first.
    pub locs: Range<u32>,
    /// The location where the function returns; no edge leaves it.
    pub exit: LocId,
    /// The address that a pointer to this function holds.
    pub addr: Option<u64>,
    /// The file that it was written in.
    pub file: Option<FileId>,
}

impl Function {
    /// The entry location.
    pub fn entry(&self) -> LocId {
        LocId::from_u32(self.locs.start)
    }

    /// All locations.
    pub fn locations(&self) -> impl DoubleEndedIterator<Item = LocId> + ExactSizeIterator + use<> {
        (self.locs.start..self.locs.end).map(LocId::from_u32)
    }

    /// All variables: parameters, return variable, locals.
    pub fn variables(&self) -> impl Iterator<Item = VarId> {
        self.params.iter().chain(&self.ret).chain(&self.locals).copied()
    }
}

/// The origin of an assumption, for distances and for readers; it does not change the meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct AssumeKind {
    /// A condition at which the program branches.
    pub branch: bool,
    /// A branch that decides whether a loop continues.
    pub looping: bool,
    /// The branch edge where the source's condition is false.
    pub negated: bool,
}

/// Variables with their new values, assigned all at once.
pub type Assignments = SmallVec<[(VarId, ExprId); 1]>;

/// The callee of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Callee {
    /// A function.
    Direct(FuncId),
    /// The candidate whose address is the expression's value.
    Indirect {
        /// The pointer.
        target: ExprId,
        /// The functions that it may point to.
        candidates: Vec<FuncId>,
    },
}

impl Callee {
    /// The functions that may be called.
    pub fn functions(&self) -> &[FuncId] {
        match self {
            Callee::Direct(func) => std::slice::from_ref(func),
            Callee::Indirect { candidates, .. } => candidates,
        }
    }
}

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The callee.
    pub callee: Callee,
    /// The values of the parameters.
    pub args: Vec<ExprId>,
    /// The variable that gets the result.
    pub ret: Option<VarId>,
}

/// The operation of an edge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// Nothing.
    Skip,
    /// Continues only if the expression holds.
    Assume(ExprId, AssumeKind),
    /// Assigns values to variables, all at once.
    Assign(Assignments),
    /// Assigns any value to a variable; the input names the value's origin.
    Havoc(VarId, Option<InputId>),
    /// Assigns any values to all cells of a region.
    HavocRegion(RegionId),
    /// Writes a value to cells of a region.
    Store {
        /// The region.
        region: RegionId,
        /// The address of the first cell.
        addr: ExprId,
        /// The value.
        value: ExprId,
    },
    /// A call; the edge leads to the location after it.
    Call(Box<Call>),
}

impl Op {
    /// The assignment of one variable.
    pub fn assign(var: VarId, value: ExprId) -> Op {
        Op::Assign(SmallVec::from_buf([(var, value)]))
    }

    /// An assumption that is no branch.
    pub fn assume(cond: ExprId) -> Op {
        Op::Assume(cond, AssumeKind::default())
    }

    /// The call, if it is one.
    pub fn as_call(&self) -> Option<&Call> {
        if let Op::Call(call) = self { Some(call) } else { None }
    }

    /// The expressions read, in the order of the textual form.
    pub fn expressions(&self) -> SmallVec<[ExprId; 4]> {
        match self {
            Op::Skip | Op::Havoc(..) | Op::HavocRegion(_) => SmallVec::new(),
            Op::Assume(cond, _) => SmallVec::from_slice(&[*cond]),
            Op::Assign(list) => list.iter().map(|&(_, value)| value).collect(),
            Op::Store { addr, value, .. } => SmallVec::from_slice(&[*addr, *value]),
            Op::Call(call) => {
                let target = match call.callee {
                    Callee::Direct(_) => None,
                    Callee::Indirect { target, .. } => Some(target),
                };
                target.into_iter().chain(call.args.iter().copied()).collect()
            }
        }
    }

    /// The variables written (for a call, those of the caller).
    pub fn writes(&self) -> SmallVec<[VarId; 2]> {
        match self {
            Op::Assign(list) => list.iter().map(|&(var, _)| var).collect(),
            Op::Havoc(var, _) => SmallVec::from_slice(&[*var]),
            Op::Call(call) => call.ret.into_iter().collect(),
            Op::Skip | Op::Assume(..) | Op::HavocRegion(_) | Op::Store { .. } => SmallVec::new(),
        }
    }

    /// Replaces each expression of the operation.
    pub fn map_expressions(&mut self, mut map: impl FnMut(ExprId) -> ExprId) {
        match self {
            Op::Skip | Op::Havoc(..) | Op::HavocRegion(_) => {}
            Op::Assume(cond, _) => *cond = map(*cond),
            Op::Assign(list) => list.iter_mut().for_each(|(_, value)| *value = map(*value)),
            Op::Store { addr, value, .. } => {
                *addr = map(*addr);
                *value = map(*value);
            }
            Op::Call(call) => {
                if let Callee::Indirect { target, .. } = &mut call.callee {
                    *target = map(*target);
                }
                call.args.iter_mut().for_each(|arg| *arg = map(*arg));
            }
        }
    }
}

/// An edge: its source, its destination and its operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    /// Its source.
    pub src: LocId,
    /// Its destination, in the same function.
    pub dst: LocId,
    /// Its operation.
    pub op: Op,
    /// The place in the source that it stands for.
    pub span: Option<Span>,
}

/// A location that violates a property when it is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The location; no edge leaves it.
    pub loc: LocId,
    /// A description of the violation, unique among targets.
    pub name: String,
    /// The property that it violates, such as `unreach-call`.
    pub property: String,
    /// The place of the violation in the source.
    pub span: Option<Span>,
}

/// The direction in which an approximation of the lowering may change a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// The program may do more than the model: a proof may miss a bug.
    MayHideBug,
    /// The model may do more than the program: a reported bug may be none.
    MayInventBug,
    /// Both.
    Both,
}

impl Assumption {
    /// Whether executions end at the edge.
    pub fn ends(&self) -> bool {
        self.kind == UNDEFINED || self.kind == NOT_MODELLED
    }
}

impl Direction {
    /// All directions, in the order of their tags in files.
    pub const ALL: [Direction; 3] = [Direction::MayHideBug, Direction::MayInventBug, Direction::Both];

    /// The name in the textual form.
    pub fn name(self) -> &'static str {
        match self {
            Direction::MayHideBug => "hides",
            Direction::MayInventBug => "invents",
            Direction::Both => "hides-or-invents",
        }
    }
}

/// The kind of an assumption whose edge has no result: an execution reaches it only if the program executes an
/// undefined operation, and what a machine does then is not known. Executions that reach it report it.
pub const UNDEFINED: &str = "undefined";

/// The kind of an assumption whose edge has no result, as what the program asks for there has no model: executions that
/// reach it end, and this is reported.
pub const NOT_MODELLED: &str = "not-modelled";

/// Something that the lowering could not model exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assumption {
    /// A short fixed word for the kind, such as `extern-call`.
    pub kind: String,
    /// A sentence for messages.
    pub text: String,
    /// The direction in which it may err.
    pub direction: Direction,
    /// The edge where it matters; everywhere if there is none.
    pub edge: Option<EdgeId>,
    /// The place in the source that it belongs to.
    pub span: Option<Span>,
}

/// A whole program. It is made by [`crate::ProgramBuilder`], the parser or the reader of files, which ensure that the
/// functions' locations and the locations' edges are consecutive and that [`crate::validate()`] finds no fault.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    /// Its name, for messages.
    pub name: String,
    /// Width of a pointer of the source program.
    pub pointer_width: u32,
    /// Whether the most significant byte (cell) of a value is at the lowest address.
    pub big_endian: bool,
    /// The function where execution starts; its parameters have any values.
    pub entry: FuncId,
    /// Source files.
    pub files: PrimaryMap<FileId, String>,
    /// Names of inputs.
    pub inputs: PrimaryMap<InputId, String>,
    /// All expressions.
    pub exprs: ExprPool,
    /// Globals and locals.
    pub vars: PrimaryMap<VarId, Var>,
    /// Memory.
    pub regions: PrimaryMap<RegionId, Region>,
    /// The source's names of cells of memory.
    pub cells: Vec<NamedCells>,
    /// Functions.
    pub functions: PrimaryMap<FuncId, Function>,
    /// Edges, in the order of their sources.
    pub edges: PrimaryMap<EdgeId, Edge>,
    /// The locations that must not be reached.
    pub targets: Vec<Target>,
    /// The approximations of the lowering.
    pub assumptions: Vec<Assumption>,
    /// Names of locations that have one in the text.
    pub labels: BTreeMap<LocId, String>,
    /// For each location, and once more at the end, the first edge that leaves it or a later one.
    pub(crate) first_edge: Vec<u32>,
}

impl Program {
    /// The source's name of the cell at an address, and its type. Of several names, as of members of a union, the first
    /// counts.
    pub fn cell_at(&self, addr: u64) -> Option<(String, &str)> {
        self.cells.iter().find_map(|cells| Some((cells.name_at(addr)?, cells.ty.as_str())))
    }

    /// Number of locations.
    pub fn num_locs(&self) -> usize {
        self.first_edge.len() - 1
    }

    /// All locations.
    pub fn locations(&self) -> impl Iterator<Item = LocId> + use<> {
        (0..self.num_locs()).map(LocId::new)
    }

    /// The edges that leave a location.
    pub fn out_edges(
        &self,
        loc: LocId,
    ) -> impl ExactSizeIterator<Item = EdgeId> + DoubleEndedIterator + use<> {
        let index = loc.index();
        (self.first_edge[index]..self.first_edge[index + 1]).map(EdgeId::from_u32)
    }

    /// The edges that enter each location.
    pub fn in_edges(&self) -> InEdges {
        let mut first = vec![0u32; self.num_locs() + 1];
        for edge in self.edges.values() {
            first[edge.dst.index() + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        let mut next = first.clone();
        let mut edges = vec![EdgeId::from_u32(0); self.edges.len()];
        for (id, edge) in self.edges.iter() {
            let slot = &mut next[edge.dst.index()];
            edges[*slot as usize] = id;
            *slot += 1;
        }
        InEdges { first, edges }
    }

    /// The function that a location belongs to.
    pub fn function_of(&self, loc: LocId) -> FuncId {
        let index = loc.as_u32();
        // Functions own consecutive ranges in ascending order.
        let (mut low, mut high) = (0, self.functions.len());
        while low + 1 < high {
            let middle = (low + high) / 2;
            if self.functions[FuncId::new(middle)].locs.start <= index {
                low = middle;
            } else {
                high = middle;
            }
        }
        FuncId::new(low)
    }

    /// The function with a name.
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().find(|(_, function)| function.name == name).map(|(id, _)| id)
    }

    /// The name of a location in its function's text.
    pub fn label(&self, loc: LocId) -> String {
        match self.labels.get(&loc) {
            Some(label) => label.clone(),
            None => {
                let start = self.functions[self.function_of(loc)].locs.start;
                format!("L{}", loc.as_u32() - start)
            }
        }
    }

    /// The origin of an edge: its place in the source, or its function and label.
    pub fn show_place(&self, edge: EdgeId) -> String {
        let Edge { src, span, .. } = self.edges[edge];
        match span {
            Some(span) => self.show_span(span),
            None => format!("{}:{}", self.functions[self.function_of(src)].name, self.label(src)),
        }
    }

    /// The origin of an edge, for messages: an edge of code without lines, such as a model of the library, is named
    /// with the lines that call it.
    pub fn show_origin(&self, edge: EdgeId) -> String {
        if self.edges[edge].span.is_some() {
            return self.show_place(edge);
        }
        let func = self.function_of(self.edges[edge].src);
        let lines: Vec<String> = self.callers(func).into_iter().map(|span| self.show_span(span)).collect();
        let name = self.source_function(func);
        match &lines[..] {
            [] => self.show_place(edge),
            [line] => format!("{line} (in {name})"),
            [line, other] => format!("{line} or {other} (in {name})"),
            [line, others @ ..] => format!("{line} or {} others (in {name})", others.len()),
        }
    }

    /// The lines from which a function is called, through functions without lines.
    pub fn callers(&self, func: FuncId) -> BTreeSet<Span> {
        let (mut met, mut waiting) = (BTreeSet::from([func]), vec![func]);
        let mut lines = BTreeSet::new();
        while let Some(func) = waiting.pop() {
            for edge in self.edges.values() {
                let Op::Call(call) = &edge.op else { continue };
                if !call.callee.functions().contains(&func) {
                    continue;
                }
                let caller = self.function_of(edge.src);
                match edge.span {
                    Some(span) => drop(lines.insert(span)),
                    None if met.insert(caller) => waiting.push(caller),
                    None => {}
                }
            }
        }
        lines
    }

    /// A span as `file:line:column`.
    pub fn show_span(&self, span: Span) -> String {
        let file = &self.files[span.file];
        if span.col == 0 {
            format!("{file}:{}", span.line)
        } else {
            format!("{file}:{}:{}", span.line, span.col)
        }
    }

    /// The globals.
    pub fn globals(&self) -> impl Iterator<Item = (VarId, &Var)> {
        self.vars.iter().filter(|(_, var)| var.owner.is_none())
    }

    /// Rebuilds the index from locations to their edges, which must be in the order of their sources.
    pub(crate) fn index_edges(&mut self, num_locs: usize) {
        let mut first = vec![0u32; num_locs + 1];
        for edge in self.edges.values() {
            first[edge.src.index() + 1] += 1;
        }
        for index in 1..first.len() {
            first[index] += first[index - 1];
        }
        self.first_edge = first;
    }
}

impl Declarations for Program {
    fn var_type(&self, var: VarId) -> Option<Type> {
        self.vars.get(var).map(|var| var.ty)
    }
    fn region_types(&self, region: RegionId) -> Option<(Type, Type)> {
        self.regions.get(region).map(|region| (region.addr, region.cell))
    }
}

/// The edges that enter each location; see [`Program::in_edges`].
#[derive(Debug)]
pub struct InEdges {
    first: Vec<u32>,
    edges: Vec<EdgeId>,
}

impl InEdges {
    /// The edges that enter a location.
    pub fn of(&self, loc: LocId) -> &[EdgeId] {
        let index = loc.index();
        &self.edges[self.first[index] as usize..self.first[index + 1] as usize]
    }
}
