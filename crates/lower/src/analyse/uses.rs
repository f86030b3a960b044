//! Uses of the results of a function's instructions.

use crate::instruction::operands;
use beeline_module::*;
use cranelift_entity::{EntityRef, SecondaryMap};

/// Uses of instructions: how often, and whether outside their block.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// The number of uses of an instruction as an operand of reachable instructions.
    pub count: SecondaryMap<InstId, u32>,
    /// Whether one of them is in another block. A phi uses its value in the block it comes from.
    pub elsewhere: SecondaryMap<InstId, bool>,
}

impl Uses {
    /// Counts the uses in a function.
    pub(crate) fn new(function: &Function, order: &[BlockId]) -> Uses {
        let mut home: SecondaryMap<InstId, BlockId> = SecondaryMap::with_default(BlockId::new(0));
        for &block in order {
            for &inst in &function.blocks[block].insts {
                home[inst] = block;
            }
        }
        let mut uses = Uses::default();
        for &block in order {
            for &inst in &function.blocks[block].insts {
                let kind = &function.insts[inst].kind;
                let mut note = |operand: &Operand, at: BlockId| {
                    if let Operand::Inst(used) = operand {
                        uses.count[*used] += 1;
                        uses.elsewhere[*used] |= home[*used] != at;
                    }
                };
                match kind {
                    InstKind::Phi(incoming) => {
                        incoming.iter().for_each(|(from, operand)| note(operand, *from));
                    }
                    _ => operands(kind).into_iter().for_each(|operand| note(operand, block)),
                }
            }
        }
        uses
    }
}
