//! The frame condition of calls: what a function and its callees cannot write stays as it was.
//!
//! It follows from the operations of the program alone. It uses neither the proof nor `beeline-graph`.

use beeline_ir::{FuncId, Op, Program, RegionId, VarId};
use std::collections::BTreeSet;

/// What a call of a function, or an iteration of a loop, may write. For calls, the variables are globals
/// only.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Written {
    /// Variables.
    pub vars: BTreeSet<VarId>,
    /// Regions.
    pub regions: BTreeSet<RegionId>,
}

/// What calls may write, by function.
#[derive(Debug)]
pub(crate) struct Frames {
    written: Vec<Written>,
}

impl Frames {
    /// What the functions of a program may write.
    pub(crate) fn new(program: &Program) -> Frames {
        let mut written = vec![Written::default(); program.functions.len()];
        let mut callees = vec![BTreeSet::new(); program.functions.len()];
        for edge in program.edges.values() {
            let index = program.function_of(edge.src).as_u32() as usize;
            let globals = edge.op.writes().into_iter().filter(|&var| program.vars[var].owner.is_none());
            written[index].vars.extend(globals);
            match &edge.op {
                Op::Store { region, .. } | Op::HavocRegion(region) => {
                    written[index].regions.insert(*region);
                }
                Op::Call(call) => callees[index].extend(call.callee.functions().iter().copied()),
                _ => {}
            }
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for index in 0..written.len() {
                for &callee in &callees[index] {
                    let Written { vars, regions } = written[callee.as_u32() as usize].clone();
                    let own = &mut written[index];
                    let before = own.vars.len() + own.regions.len();
                    own.vars.extend(vars);
                    own.regions.extend(regions);
                    changed |= own.vars.len() + own.regions.len() > before;
                }
            }
        }
        Frames { written }
    }

    /// What a call of a function may write.
    pub(crate) fn written(&self, func: FuncId) -> &Written {
        &self.written[func.as_u32() as usize]
    }
}
