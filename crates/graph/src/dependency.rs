//! Dependencies of variables: the closure of a set of variables over the flow of data.
//!
//! The order of operations does not count: a variable depends on every variable of every value that it may get. It gets
//! values by assignments, as a parameter, and as the result of a call. The result of a load depends on its address and
//! on every value stored in the region, with the addresses of those stores.

use crate::calls::Graph;
use crate::effects::{Used, Uses};
use beeline_ir::{Call, Op, Program, RegionId, VarId};
use cranelift_entity::EntityRef;
use std::collections::BTreeSet;

/// For each variable, and then each region, what its values are computed from.
#[derive(Debug)]
pub struct Dependencies {
    num_vars: usize,
    /// By variable, then by region, with consecutive indices.
    on: Vec<Vec<u32>>,
}

impl Dependencies {
    /// Finds the flow of data of a program.
    pub fn new(graph: &Graph<'_>) -> Dependencies {
        let mut uses = Uses::new(graph.program());
        Dependencies::with_uses(graph.program(), &mut uses)
    }

    pub(crate) fn with_uses(program: &Program, uses: &mut Uses<'_>) -> Dependencies {
        let num_vars = program.vars.len();
        let on = vec![Vec::new(); num_vars + program.regions.len()];
        let mut dependencies = Dependencies { num_vars, on };
        for edge in program.edges.values() {
            match &edge.op {
                Op::Assign(list) => {
                    for &(var, value) in list {
                        dependencies.flow(uses.of(value), var.index());
                    }
                }
                Op::Store { region, addr, value } => {
                    let region = num_vars + region.index();
                    dependencies.flow(uses.of(*addr), region);
                    dependencies.flow(uses.of(*value), region);
                }
                Op::Call(call) => dependencies.call(program, call, uses),
                Op::Skip | Op::Assume(..) | Op::Havoc(..) | Op::HavocRegion(_) => {}
            }
        }
        dependencies
    }

    fn call(&mut self, program: &Program, call: &Call, uses: &mut Uses<'_>) {
        for &callee in call.callee.functions() {
            let callee = &program.functions[callee];
            for (&param, &arg) in callee.params.iter().zip(&call.args) {
                self.flow(uses.of(arg), param.index());
            }
            if let (Some(to), Some(from)) = (call.ret, callee.ret) {
                self.on[to.index()].push(from.as_u32());
            }
        }
    }

    fn flow(&mut self, used: &Used, to: usize) {
        let num_vars = self.num_vars as u32;
        self.on[to].extend(used.vars.iter().map(|var| var.as_u32()));
        self.on[to].extend(used.regions.iter().map(|region| num_vars + region.as_u32()));
    }

    /// The variables and regions that the given ones depend on, including themselves.
    pub fn closure(
        &self,
        vars: impl IntoIterator<Item = VarId>,
        regions: impl IntoIterator<Item = RegionId>,
    ) -> (BTreeSet<VarId>, BTreeSet<RegionId>) {
        let mut reached = vec![false; self.on.len()];
        let mut waiting: Vec<u32> = vars.into_iter().map(|var| var.as_u32()).collect();
        waiting.extend(regions.into_iter().map(|region| self.num_vars as u32 + region.as_u32()));
        while let Some(at) = waiting.pop() {
            if !std::mem::replace(&mut reached[at as usize], true) {
                waiting.extend(&self.on[at as usize]);
            }
        }
        let (vars, regions) = reached.split_at(self.num_vars);
        let indices = |list: &[bool]| -> Vec<usize> {
            list.iter().enumerate().filter(|&(_, &reached)| reached).map(|(index, _)| index).collect()
        };
        (
            indices(vars).into_iter().map(VarId::new).collect(),
            indices(regions).into_iter().map(RegionId::new).collect(),
        )
    }
}
