//! The syntax tree of a text, before names and types are resolved.

use crate::cells::NamedCells;
use crate::operator::{BinOp, UnOp};
use crate::program::{AssumeKind, Direction};
use crate::types::Type;
use num_bigint::BigInt;

/// A part of the tree with its byte offset.
#[derive(Debug, Clone)]
pub(super) struct At<T> {
    pub node: T,
    pub pos: usize,
    /// For expressions, the height of the tree.
    pub height: u32,
}

impl<T> At<T> {
    pub(super) fn leaf(node: T, pos: usize) -> At<T> {
        At { node, pos, height: 0 }
    }
}

pub(super) type Name = At<String>;

#[derive(Debug, Clone)]
pub(super) enum Ast {
    Int(BigInt, Option<Type>),
    /// Decimal digits, `inf` or `nan`, with a sign.
    Float(String, Option<Type>),
    Bool(bool),
    Name(String),
    /// `#n`, bound by a `let` before.
    Shared(u64),
    Unary(UnOp, Box<At<Ast>>),
    Binary(BinOp, Box<At<Ast>>, Box<At<Ast>>),
    Ite(Box<At<Ast>>, Box<At<Ast>>, Box<At<Ast>>),
    /// `name(args, type or numbers)`
    Apply(String, Vec<At<Ast>>, Option<Type>),
    /// `region[addr]` or `region[addr, type]`
    Load(Name, Box<At<Ast>>, Option<Type>),
}

#[derive(Debug)]
pub(super) struct SpanAst {
    pub file: Option<Name>,
    pub line: u32,
    pub col: u32,
    pub pos: usize,
}

#[derive(Debug)]
pub(super) struct SourceAst {
    pub name: String,
    pub ty: String,
    pub span: Option<SpanAst>,
}

#[derive(Debug)]
pub(super) struct VarAst {
    pub name: Name,
    pub ty: Type,
    pub init: Option<At<Ast>>,
    pub source: Option<SourceAst>,
}

#[derive(Debug)]
pub(super) struct RegionAst {
    pub name: Name,
    pub addr: Type,
    pub cell: Type,
    pub extents: Vec<(u64, u64)>,
    /// Addresses with the values from there on.
    pub init: Vec<(u64, Vec<Repeated>)>,
}

/// A value and its number of repetitions.
pub(super) type Repeated = (At<Ast>, u64);

#[derive(Debug)]
pub(super) enum CalleeAst {
    Direct(Name),
    Indirect(Box<At<Ast>>, Vec<Name>),
}

#[derive(Debug)]
pub(super) enum OpAst {
    Skip,
    Assume(At<Ast>, AssumeKind),
    Assign(Vec<Name>, Vec<At<Ast>>),
    Input(Name, String),
    Havoc(Name),
    HavocRegion(Name),
    Store { region: Name, addr: At<Ast>, value: At<Ast> },
    Call { callee: CalleeAst, args: Vec<At<Ast>>, ret: Option<Name> },
    Return(Option<At<Ast>>),
}

/// A line of a function.
#[derive(Debug)]
pub(super) enum Line {
    /// An edge; without a destination it leads to the next line's location.
    Edge {
        lets: Vec<(u64, At<Ast>)>,
        op: OpAst,
        goto: Option<Name>,
        span: Option<SpanAst>,
    },
    Branch {
        lets: Vec<(u64, At<Ast>)>,
        cond: At<Ast>,
        looping: bool,
        then: Name,
        otherwise: Option<Name>,
        span: Option<SpanAst>,
    },
    Target {
        name: String,
        property: String,
        span: Option<SpanAst>,
    },
    Exit,
    Stop,
}

#[derive(Debug)]
pub(super) struct Statement {
    pub label: Option<Name>,
    /// Whether it is another edge of the location of the line before.
    pub alternative: bool,
    pub line: Line,
    pub pos: usize,
}

#[derive(Debug)]
pub(super) struct FunctionAst {
    pub name: Name,
    pub params: Vec<VarAst>,
    pub ret: Option<VarAst>,
    pub addr: Option<u64>,
    pub file: Option<Name>,
    pub vars: Vec<VarAst>,
    pub body: Vec<Statement>,
}

#[derive(Debug)]
pub(super) struct AssumptionAst {
    pub kind: String,
    pub direction: Direction,
    pub text: String,
    /// Function, label, index among the location's edges.
    pub edge: Option<(Name, Name, u64)>,
    pub span: Option<SpanAst>,
}

#[derive(Debug, Default)]
pub(super) struct FileAst {
    pub name: Option<String>,
    pub pointer: Option<(u32, bool)>,
    pub entry: Option<Name>,
    pub files: Vec<String>,
    pub globals: Vec<VarAst>,
    pub regions: Vec<RegionAst>,
    pub cells: Vec<NamedCells>,
    pub functions: Vec<FunctionAst>,
    pub assumptions: Vec<AssumptionAst>,
}
