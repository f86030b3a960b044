//! Frames whose place is not fixed, in several threads.

use super::flow::{Edge, Flows, Step};
use crate::analyse::bounds::STACK_NEXT;
use crate::options::{Fault, LowerError, Options};
use beeline_ir::{Expr, Op, VarId};
use std::collections::BTreeSet;

impl Flows<'_> {
    /// Frames whose place is not fixed lie behind each other, and what was taken last goes first. Threads that take turns
    /// do not keep to that: nothing is given back then, so that no two of them get one place.
    pub(super) fn keep_frames_apart(&mut self, options: &Options) -> Result<(), LowerError> {
        let Flows { out, nodes, contexts, .. } = self;
        let program = out.program();
        let is_stack = |var: VarId| program.vars[var].name == STACK_NEXT;
        let moves =
            |edge: &Edge| matches!(&edge.step, Step::Op(op) if op.writes().iter().any(|var| is_stack(*var)));
        let moving = nodes.iter().filter(|node| node.edges.iter().any(moves));
        let threads: BTreeSet<usize> = moving.map(|node| contexts[node.context].thread).collect();
        if threads.len() <= 1 {
            return Ok(());
        }
        if options.violated_by(Fault::Access).is_some() || options.violated_by(Fault::Outside).is_some() {
            // What is not given back seems to live.
            return Err(
                self.unsupported("frames of variable size in several threads under a property of memory")
            );
        }
        for edge in nodes.iter_mut().flat_map(|node| &mut node.edges) {
            if let Step::Op(Op::Assign(list)) = &mut edge.step {
                list.retain(|(var, value)| {
                    !(is_stack(*var) && matches!(program.exprs[*value], Expr::Var(_)))
                });
                if list.is_empty() {
                    edge.step = Step::Op(Op::Skip);
                }
            }
        }
        Ok(())
    }
}
