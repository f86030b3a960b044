//! The machine: a program compiled for execution.

use crate::code::{Code, Compiler, Layout, Place, Size, Slot};
use crate::run::Source;
use crate::word;
use beeline_ir::{Callee, EdgeId, Expr, FuncId, LocId, Op, Program, RegionId, Type, UnOp, VarId, cells_of};
use cranelift_entity::{PrimaryMap, SecondaryMap};
use smallvec::SmallVec;

/// A compiled program, which can be run any number of times.
#[derive(Debug)]
pub struct Machine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) layout: Layout,
    pub(crate) code: Code,
    pub(crate) globals: Size,
    pub(crate) frames: PrimaryMap<FuncId, Size>,
    pub(crate) points: PrimaryMap<LocId, Point>,
    pub(crate) actions: PrimaryMap<EdgeId, Action>,
}

/// The action at a location.
#[derive(Debug)]
pub(crate) enum Point {
    Target(usize),
    Exit,
    /// One edge without a condition.
    Step(EdgeId),
    /// A condition and its negation.
    Branch {
        start: u32,
        cond: Place,
        yes: EdgeId,
        no: EdgeId,
    },
    Choice(Vec<Alternative>),
}

/// An edge with the code and the place of its condition, if it has one.
#[derive(Debug)]
pub(crate) struct Alternative {
    pub edge: EdgeId,
    pub cond: Option<(u32, Place)>,
}

/// The action of an edge.
#[derive(Debug)]
pub(crate) enum Action {
    /// No action: a condition is evaluated before the edge is taken.
    Skip,
    /// Runs code that sets variables.
    Run(u32),
    Havoc(VarId, Source),
    HavocRegion(RegionId),
    Store {
        start: u32,
        region: RegionId,
        addr: Place,
        value: Place,
        ty: Type,
        cells: u32,
    },
    Call {
        start: u32,
        pointer: Option<Place>,
        args: SmallVec<[Place; 2]>,
    },
}

impl<'a> Machine<'a> {
    /// A machine for a program.
    pub fn new(program: &'a Program) -> Machine<'a> {
        let (layout, globals, frames) = lay_out(program);
        let mut code = Code::default();
        let mut targets: SecondaryMap<LocId, Option<usize>> = SecondaryMap::new();
        for (index, target) in program.targets.iter().enumerate().rev() {
            targets[target.loc] = Some(index);
        }
        let mut exits: SecondaryMap<LocId, bool> = SecondaryMap::new();
        for function in program.functions.values() {
            exits[function.exit] = true;
        }
        let points = program.locations().map(|loc| match targets[loc] {
            Some(target) => Point::Target(target),
            None if exits[loc] => Point::Exit,
            None => point(program, &layout, &mut code, loc),
        });
        let points: PrimaryMap<LocId, Point> = points.collect();
        let actions = program.edges.keys().map(|edge| action(program, &layout, &mut code, edge)).collect();
        Machine { program, layout, code, globals, frames, points, actions }
    }
}

/// Assigns a place to each variable and each constant.
fn lay_out(program: &Program) -> (Layout, Size, PrimaryMap<FuncId, Size>) {
    let mut globals = Size::default();
    let mut slots: PrimaryMap<VarId, Slot> = PrimaryMap::new();
    for var in program.vars.values() {
        // The places of locals are set below.
        let place = if var.owner.is_none() { globals.place(var.ty) } else { Place::Word(0) };
        slots.push(Slot { global: true, place });
    }
    let frames = program.functions.values().map(|function| {
        let mut size = Size::default();
        for var in function.variables() {
            slots[var] = Slot { global: false, place: size.place(program.vars[var].ty) };
        }
        size
    });
    let frames = frames.collect();
    let mut layout = Layout { slots, consts: PrimaryMap::new(), words: Vec::new(), wides: Vec::new() };
    let mut size = Size::default();
    for (_, value) in program.exprs.consts() {
        layout.consts.push(size.place(value.ty()));
        if word::fits(value.ty()) {
            layout.words.push(word::of_value(value));
        } else {
            layout.wides.push(value.clone());
        }
    }
    (layout, globals, frames)
}

fn point(program: &Program, layout: &Layout, code: &mut Code, loc: LocId) -> Point {
    let edges: SmallVec<[EdgeId; 2]> = program.out_edges(loc).collect();
    let condition = |edge: EdgeId| match program.edges[edge].op {
        Op::Assume(cond, _) => Some(cond),
        _ => None,
    };
    let negates = |not, cond| matches!(program.exprs[not], Expr::Unary(UnOp::Not, inner) if inner == cond);
    match edges[..] {
        [edge] if condition(edge).is_none() => return Point::Step(edge),
        [a, b] => {
            let sides = match (condition(a), condition(b)) {
                (Some(cond), Some(not)) if negates(not, cond) => Some((cond, a, b)),
                (Some(not), Some(cond)) if negates(not, cond) => Some((cond, b, a)),
                _ => None,
            };
            if let Some((cond, yes, no)) = sides {
                let compiled = Compiler::compile(program, layout, code, &[cond], &[]);
                return Point::Branch { start: compiled.start, cond: compiled.places[0], yes, no };
            }
        }
        _ => {}
    }
    let alternatives = edges.into_iter().map(|edge| {
        let compiled = condition(edge).map(|cond| Compiler::compile(program, layout, code, &[cond], &[]));
        Alternative { edge, cond: compiled.map(|compiled| (compiled.start, compiled.places[0])) }
    });
    Point::Choice(alternatives.collect())
}

fn action(program: &Program, layout: &Layout, code: &mut Code, edge: EdgeId) -> Action {
    let op = &program.edges[edge].op;
    match op {
        Op::Skip | Op::Assume(..) => Action::Skip,
        Op::Assign(_) => {
            Action::Run(Compiler::compile(program, layout, code, &op.expressions(), &op.writes()).start)
        }
        Op::Havoc(var, Some(input)) => Action::Havoc(*var, Source::Input { input: *input, edge }),
        Op::Havoc(var, None) => Action::Havoc(*var, Source::Havoc { edge }),
        Op::HavocRegion(region) => Action::HavocRegion(*region),
        Op::Store { region, value, .. } => {
            let compiled = Compiler::compile(program, layout, code, &op.expressions(), &[]);
            let ty = program.exprs.ty(*value);
            let cells = cells_of(ty, program.regions[*region].cell).unwrap_or(1);
            let (addr, value) = (compiled.places[0], compiled.places[1]);
            Action::Store { start: compiled.start, region: *region, addr, value, ty, cells }
        }
        Op::Call(call) => {
            let compiled = Compiler::compile(program, layout, code, &op.expressions(), &[]);
            let mut args = compiled.places;
            let pointer = match call.callee {
                Callee::Direct(_) => None,
                Callee::Indirect { .. } => Some(args.remove(0)),
            };
            Action::Call { start: compiled.start, pointer, args }
        }
    }
}
