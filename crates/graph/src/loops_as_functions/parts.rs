//! Construction of the functions that a function is divided into.

use super::Outlined;
use super::units::{FUNCTION, Units, WayOut};
use beeline_ir::walk::PostOrder;
use beeline_ir::{Assignments, Call, Callee, Expr, ExprId, FuncId, LocId, Op, Type, Value, Var, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The type of the number of a loop's exit.
const NUMBER: Type = Type::Bv(32);

/// A unit as a function.
struct Part {
    func: FuncId,
    /// The variables of this function for those of the original one, and the expressions.
    vars: FxHashMap<VarId, VarId>,
    exprs: FxHashMap<ExprId, ExprId>,
    /// The variables that were added.
    locals: Vec<VarId>,
    /// The exits, for a loop.
    ends: Option<Ends>,
}

/// The call and the exits of a loop.
struct Ends {
    /// The location in the unit around it that calls it.
    call: LocId,
    entry: LocId,
    exit: LocId,
    /// The location in the loop's function of each exit.
    ways_out: BTreeMap<LocId, LocId>,
    /// The globals in which values are returned.
    handed: BTreeMap<VarId, VarId>,
    result: ResultOf,
}

/// The result of a loop's function.
enum ResultOf {
    Nothing,
    /// The value of a variable, where there is one exit; and the variable by which it is returned.
    Value(VarId, VarId),
    /// The number of the exit: the variable by which it is returned, and the one in which the unit around keeps it.
    Number(VarId, VarId),
}

/// The functions that a function becomes.
pub(super) struct Parts<'u> {
    of: FuncId,
    units: &'u Units,
    list: Vec<Part>,
}

impl<'u> Parts<'u> {
    /// Adds the functions, with their locations.
    pub(super) fn declare(outlined: &mut Outlined<'_>, of: FuncId, units: &'u Units) -> Parts<'u> {
        let mut parts = Parts { of, units, list: vec![Part::new(of)] };
        let function = &outlined.program.functions[of];
        let own = function.params.iter().chain(&function.ret);
        parts.list[FUNCTION].vars.extend(own.map(|&var| (var, var)));
        let mut entries = Vec::new();
        for unit in units.loops() {
            let (part, entry) = parts.declared(outlined, unit);
            parts.list.push(part);
            entries.push(entry);
        }
        // The first location of a function is where it begins.
        let first = units.of(function.entry());
        let begins = (first != FUNCTION).then(|| outlined.builder.loc(of));
        for loc in function.locations() {
            let copy = outlined.builder.loc(parts.list[units.of(loc)].func);
            outlined.locs[loc] = Some(copy);
        }
        outlined.builder.set_exit(of, outlined.moved(function.exit));
        for (unit, entry) in units.loops().zip(entries) {
            let call = begins.filter(|_| unit == first);
            let call = call.unwrap_or_else(|| outlined.builder.loc(parts.list[units.parent(unit)].func));
            parts.end(outlined, unit, call, entry);
        }
        parts
    }

    /// A loop's function with its parameters, and its entry.
    fn declared(&self, outlined: &mut Outlined<'_>, unit: usize) -> (Part, LocId) {
        let function = &outlined.program.functions[self.of];
        let name = outlined.names.of_loop(&function.name);
        let mut part = Part::new(outlined.builder.function(&name));
        outlined.builder.function_mut(part.func).file = function.file;
        for &var in self.units.params(unit) {
            let copy = copied(outlined, part.func, var);
            part.vars.insert(var, copy);
            outlined.builder.function_mut(part.func).params.push(copy);
        }
        let entry = outlined.builder.loc(part.func);
        (part, entry)
    }

    /// Adds the exits of a loop.
    fn end(&mut self, outlined: &mut Outlined<'_>, unit: usize, call: LocId, entry: LocId) {
        let (program, ways) = (outlined.program, self.units.ways_out(unit));
        let func = self.list[unit].func;
        let exit = outlined.builder.loc(func);
        outlined.builder.set_exit(func, exit);
        let ways_out = ways.iter().map(|way| (way.to, outlined.builder.loc(func))).collect();
        let base = outlined.builder.program().functions[func].name.clone();
        let result = match ways {
            [] => ResultOf::Nothing,
            [way] => way.vars.first().map_or(ResultOf::Nothing, |&var| {
                let Var { ref name, ty, .. } = program.vars[var];
                let name = outlined.names.of_local(&format!("{name}.after"));
                ResultOf::Value(var, outlined.builder.ret(func, &name, ty))
            }),
            _ => {
                let name = outlined.names.of_local(&format!("{base}.way"));
                let number = outlined.builder.ret(func, &name, NUMBER);
                let around = &mut self.list[self.units.parent(unit)];
                let kept = outlined.builder.local(around.func, &name, NUMBER);
                around.locals.push(kept);
                ResultOf::Number(number, kept)
            }
        };
        let returned = if let ResultOf::Value(var, _) = result { Some(var) } else { None };
        let mut handed = BTreeMap::new();
        for &var in ways.iter().flat_map(|way| &way.vars).filter(|&&var| Some(var) != returned) {
            let Var { ref name, ty, .. } = program.vars[var];
            handed.entry(var).or_insert_with(|| {
                let name = outlined.names.of_global(&format!("{base}.{name}"));
                outlined.builder.global(&name, ty, Some(Value::zero(ty)))
            });
        }
        self.list[unit].ends = Some(Ends { call, entry, exit, ways_out, handed, result });
    }

    /// Adds the edges of the functions.
    pub(super) fn fill(mut self, outlined: &mut Outlined<'_>) {
        self.steps(outlined);
        for unit in self.units.loops() {
            let entry = self.ends(unit).entry;
            let head = outlined.moved(self.units.head(unit));
            outlined.builder.edge(entry, head, Op::Skip, None);
            self.leave(outlined, unit);
            self.call(outlined, unit);
        }
        if self.list.len() == 1 {
            let function = &outlined.program.functions[self.of];
            outlined.builder.function_mut(self.of).locals = function.locals.clone();
            return;
        }
        for mut part in self.list {
            part.locals.sort_unstable();
            outlined.builder.function_mut(part.func).locals = part.locals;
        }
    }

    /// Adds the edges of the original function.
    fn steps(&mut self, outlined: &mut Outlined<'_>) {
        let program = outlined.program;
        for loc in program.functions[self.of].locations() {
            let unit = self.units.of(loc);
            for id in program.out_edges(loc) {
                let edge = &program.edges[id];
                let dst = self.place(outlined, unit, edge.dst);
                let op = self.list[unit].renamed(outlined, &edge.op);
                let src = outlined.moved(loc);
                outlined.edges[id] = Some(outlined.builder.edge(src, dst, op, edge.span));
            }
        }
    }

    /// The location of a unit that stands for an original one as a destination.
    fn place(&self, outlined: &Outlined<'_>, unit: usize, to: LocId) -> LocId {
        let there = self.units.of(to);
        if there == unit {
            return outlined.moved(to);
        }
        if self.units.is_within(there, unit) {
            let enters = self.units.parent(there) == unit && self.units.head(there) == to;
            assert!(enters, "a loop that is a function is entered at its head only");
            return self.ends(there).call;
        }
        self.ends(unit).ways_out[&to]
    }

    /// Adds the exits of a loop: each returns the values that are needed there.
    fn leave(&mut self, outlined: &mut Outlined<'_>, unit: usize) {
        for (number, way) in self.units.ways_out(unit).iter().enumerate() {
            let mut list = Assignments::new();
            for &var in &way.vars {
                let own = self.list[unit].var(outlined, var);
                let value = read(outlined, own);
                let ends = self.ends(unit);
                let to = match ends.result {
                    ResultOf::Value(returned, result) if returned == var => result,
                    _ => ends.handed[&var],
                };
                list.push((to, value));
            }
            let ends = self.ends(unit);
            if let ResultOf::Number(result, _) = ends.result {
                list.push((result, numbered(outlined, number)));
            }
            outlined.builder.edge(ends.ways_out[&way.to], ends.exit, assigned(list), None);
        }
    }

    /// Adds the call of a loop, and where the unit around goes on after it.
    fn call(&mut self, outlined: &mut Outlined<'_>, unit: usize) {
        let around = self.units.parent(unit);
        let mut args = Vec::new();
        for &var in self.units.params(unit) {
            let own = self.list[around].var(outlined, var);
            args.push(read(outlined, own));
        }
        let ret = match self.ends(unit).result {
            ResultOf::Nothing => None,
            ResultOf::Value(var, _) => Some(self.list[around].var(outlined, var)),
            ResultOf::Number(_, kept) => Some(kept),
        };
        let after = outlined.builder.loc(self.list[around].func);
        let callee = Callee::Direct(self.list[unit].func);
        let op = Op::Call(Box::new(Call { callee, args, ret }));
        outlined.builder.edge(self.ends(unit).call, after, op, None);
        for (number, way) in self.units.ways_out(unit).iter().enumerate() {
            let to = self.place(outlined, around, way.to);
            let from = match self.ends(unit).result {
                ResultOf::Number(_, kept) => {
                    let from = outlined.builder.loc(self.list[around].func);
                    let (kept, number) = (read(outlined, kept), numbered(outlined, number));
                    let taken = outlined.builder.exprs().eq(kept, number);
                    outlined.builder.edge(after, from, Op::assume(taken), None);
                    from
                }
                _ => after,
            };
            let list = self.taken(outlined, unit, way);
            outlined.builder.edge(from, to, assigned(list), None);
        }
    }

    /// The assignments of the unit around a loop on an exit, and the resets then: of all that the loop may have set.
    fn taken(&mut self, outlined: &mut Outlined<'_>, unit: usize, way: &WayOut) -> Assignments {
        let around = self.units.parent(unit);
        let mut list = Assignments::new();
        let handed: Vec<(VarId, VarId)> =
            way.vars.iter().filter_map(|var| Some((*var, *self.ends(unit).handed.get(var)?))).collect();
        for &(var, global) in &handed {
            let own = self.list[around].var(outlined, var);
            list.push((own, read(outlined, global)));
        }
        let kept = if let ResultOf::Number(_, kept) = self.ends(unit).result { Some(kept) } else { None };
        for var in handed.into_iter().map(|(_, global)| global).chain(kept) {
            let zero = Value::zero(outlined.builder.program().vars[var].ty);
            list.push((var, outlined.builder.exprs().constant(zero)));
        }
        list
    }

    /// The call and the exits of a loop.
    fn ends(&self, unit: usize) -> &Ends {
        self.list[unit].ends.as_ref().expect("all loops are declared with their ends")
    }
}

impl Part {
    fn new(func: FuncId) -> Part {
        let (vars, exprs) = (FxHashMap::default(), FxHashMap::default());
        Part { func, vars, exprs, locals: Vec::new(), ends: None }
    }

    /// The variable for one of the program.
    fn var(&mut self, outlined: &mut Outlined<'_>, var: VarId) -> VarId {
        let owner = outlined.program.vars[var].owner;
        if owner.is_none() {
            return var;
        }
        if let Some(&own) = self.vars.get(&var) {
            return own;
        }
        // The original function keeps its own.
        let own = if owner == Some(self.func) { var } else { copied(outlined, self.func, var) };
        self.vars.insert(var, own);
        self.locals.push(own);
        own
    }

    /// The same operation with the variables of the part.
    fn renamed(&mut self, outlined: &mut Outlined<'_>, op: &Op) -> Op {
        let mut op = op.clone();
        op.map_expressions(|expr| self.expr(outlined, expr));
        match &mut op {
            Op::Assign(list) => list.iter_mut().for_each(|(var, _)| *var = self.var(outlined, *var)),
            Op::Havoc(var, _) => *var = self.var(outlined, *var),
            Op::Call(call) => call.ret = call.ret.map(|var| self.var(outlined, var)),
            Op::Skip | Op::Assume(..) | Op::HavocRegion(_) | Op::Store { .. } => {}
        }
        op
    }

    /// An expression with the variables of the part, otherwise unchanged.
    fn expr(&mut self, outlined: &mut Outlined<'_>, root: ExprId) -> ExprId {
        let mut walk = PostOrder::new(root);
        while let Some(id) = walk.next(&outlined.program.exprs, |id| self.exprs.contains_key(&id)) {
            let node = match outlined.program.exprs[id] {
                Expr::Var(var) => Expr::Var(self.var(outlined, var)),
                node => node.map_operands(|operand| self.exprs[&operand]),
            };
            self.exprs.insert(id, interned(outlined, node));
        }
        self.exprs[&root]
    }
}

/// A variable for the same purpose in another function.
fn copied(outlined: &mut Outlined<'_>, func: FuncId, var: VarId) -> VarId {
    let copy = Var { owner: Some(func), ..outlined.program.vars[var].clone() };
    outlined.builder.program_mut().vars.push(copy)
}

/// The value of a variable.
fn read(outlined: &mut Outlined<'_>, var: VarId) -> ExprId {
    let ty = outlined.builder.program().vars[var].ty;
    outlined.builder.exprs().var(var, ty)
}

/// The number of an exit.
fn numbered(outlined: &mut Outlined<'_>, way: usize) -> ExprId {
    outlined.builder.exprs().constant(Value::bv(32, way as u64))
}

/// A node as it is: folding would change the program's expressions.
fn interned(outlined: &mut Outlined<'_>, node: Expr) -> ExprId {
    outlined.builder.intern(node).expect("variables keep their types, and so does what is made of them")
}

/// The operation that assigns a list.
fn assigned(list: Assignments) -> Op {
    if list.is_empty() { Op::Skip } else { Op::Assign(list) }
}
