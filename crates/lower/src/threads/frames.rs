//! Frames without a fixed place, in several threads.

use super::flow::{Edge, Flows, Step};
use crate::analyse::bounds::STACK_NEXT;
use crate::options::{Fault, LowerError, Options};
use beeline_ir::{Expr, Op, VarId};
use std::collections::BTreeSet;

impl Flows<'_> {
    /// Keeps frames of threads apart. Frames without a fixed place lie one after the other, and the last one is freed
    /// first. Threads that interleave do not keep to that order: then nothing is freed, so that no two frames get one
    /// place.
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
            // What is not freed seems to be live.
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
