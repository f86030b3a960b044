//! The canonical order of the parts of a program, so that equal programs are equal bytes.
//!
//! The builder puts programs in this order; files keep it, and do not store what follows from it.

use crate::expr::{Expr, ExprId};
use crate::program::*;
use crate::walk::PostOrder;
use cranelift_entity::EntityRef;
use rustc_hash::FxHashSet;

/// Finds a breach of the order in a program that is otherwise valid.
pub(crate) fn check(program: &Program) -> Result<(), &'static str> {
    check_locations(program)?;
    check_variables(program)?;
    check_names(program)?;
    Numbers::default().check(program)
}

fn check_locations(program: &Program) -> Result<(), &'static str> {
    let sorted = program.edges.values().is_sorted_by_key(|edge| edge.src);
    let mut first = program.first_edge.iter().zip(0u32..);
    let indexed = first.all(|(&first, loc)| {
        let first = first as usize;
        let before = first.checked_sub(1).and_then(|before| program.edges.get(EdgeId::new(before)));
        let after = program.edges.get(EdgeId::new(first));
        before.is_none_or(|edge| edge.src.as_u32() < loc) && after.is_none_or(|edge| edge.src.as_u32() >= loc)
    });
    if !sorted || !indexed {
        return Err("the edges are not sorted by source");
    }
    let mut next = 0;
    for function in program.functions.values() {
        if function.locs.start != next || !function.locs.contains(&function.exit.as_u32()) {
            return Err("the locations of functions are not consecutive");
        }
        next = function.locs.end;
    }
    if next as usize != program.num_locs() {
        return Err("some locations belong to no function");
    }
    if !program.targets.is_sorted_by_key(|target| target.loc) {
        return Err("the targets are not sorted by location");
    }
    Ok(())
}

fn check_variables(program: &Program) -> Result<(), &'static str> {
    let globals = program.vars.values().take_while(|var| var.owner.is_none()).count();
    let owned = program.functions.values().flat_map(|function| function.variables());
    let ordered = owned.zip(globals..).filter(|(var, index)| var.index() == *index).count();
    let listed: usize = program.functions.values().map(|function| function.variables().count()).sum();
    if ordered == listed && globals + listed == program.vars.len() {
        Ok(())
    } else {
        Err("the variables are not sorted by function")
    }
}

fn check_names(program: &Program) -> Result<(), &'static str> {
    let mut seen = FxHashSet::default();
    if !program.files.values().all(|file| seen.insert(file)) {
        return Err("a file is stored twice");
    }
    seen.clear();
    if !program.inputs.values().all(|input| seen.insert(input)) {
        return Err("an input is stored twice");
    }
    for (&loc, label) in &program.labels {
        let start = program.functions[program.function_of(loc)].locs.start;
        let index = label.strip_prefix('L').and_then(|rest| rest.parse::<u32>().ok());
        if index == Some(loc.as_u32() - start) && *label == format!("L{}", loc.as_u32() - start) {
            return Err("a label repeats the default label of its location");
        }
    }
    Ok(())
}

/// Everything used by the parts seen so far: constants, inputs and expressions are numbered by their first use.
#[derive(Default)]
struct Numbers {
    consts: usize,
    inputs: usize,
    exprs: u32,
}

impl Numbers {
    fn check(mut self, program: &Program) -> Result<(), &'static str> {
        let disorder = Err("constants, inputs or expressions are not sorted by first use");
        let inits = program.vars.values().filter_map(|var| var.init);
        let runs = program.regions.values().flat_map(|region| region.init.iter().map(|run| run.value));
        if !inits.chain(runs).all(|id| next(&mut self.consts, id.index())) {
            return disorder;
        }
        for edge in program.edges.values() {
            for expr in edge.op.expressions() {
                if !self.expression(program, expr) {
                    return disorder;
                }
            }
            if let Op::Havoc(_, Some(input)) = edge.op
                && !next(&mut self.inputs, input.index())
            {
                return disorder;
            }
        }
        let all_used = self.consts == program.exprs.consts().len()
            && self.inputs == program.inputs.len()
            && self.exprs as usize == program.exprs.len();
        if all_used { Ok(()) } else { Err("a constant, input or expression is never used") }
    }

    /// Visits the new nodes of an expression, operands first.
    fn expression(&mut self, program: &Program, root: ExprId) -> bool {
        let mut walk = PostOrder::new(root);
        while let Some(id) = walk.next(&program.exprs, |id| id.as_u32() < self.exprs) {
            if id.as_u32() != self.exprs {
                return false;
            }
            self.exprs += 1;
            if let Expr::Const(value) = program.exprs[id]
                && !next(&mut self.consts, value.index())
            {
                return false;
            }
        }
        true
    }
}

/// Whether the index is one of those before, or the next one.
fn next(used: &mut usize, index: usize) -> bool {
    if index == *used {
        *used += 1;
    }
    index < *used
}
