//! The part of a block by which executions get from one state to another.

use super::transfer::{Arrival, Taken, Transfer, watched_through_block};
use super::{Tracking, Values};
use crate::control::block::Block;
use beeline_smt::Meter;
use rustc_hash::{FxHashMap, FxHashSet};

/// The steps by which each state at a node was reached: edges, with the numbers of the states at their sources.
type Origins = FxHashMap<usize, Vec<Vec<(usize, usize)>>>;

/// The ways from a state at the start of a block to its exits, as far as values tell.
#[derive(Debug)]
pub(crate) struct Ways {
    origins: Origins,
    /// The states at exits.
    leaving: Vec<(usize, Values)>,
}

impl Ways {
    /// All ways; `None` if the run has to stop, or if there are too many.
    pub(crate) fn from<P: Tracking>(
        transfer: &Transfer<'_, P>,
        block: &Block,
        start: &Values,
        most: usize,
        meter: &Meter,
    ) -> Option<Ways> {
        let mut origins = Origins::default();
        let leaving = watched_through_block(transfer, block, start, most, meter, |taken| {
            note(&mut origins, block.edges[taken.edge].dst, taken);
        })?;
        Some(Ways { origins, leaving })
    }

    /// The part of the block that leads to a state at an exit, and the exit in it. `None` if no step leads there.
    pub(crate) fn part_to(&self, block: &Block, exit: usize, end: &Values) -> Option<(Block, usize)> {
        let at_exit = self.leaving.iter().filter(|(node, _)| *node == exit);
        let wanted =
            at_exit.enumerate().filter(|(_, (_, values))| values == end).map(|(number, _)| (exit, number));
        let mut pending: Vec<(usize, usize)> = wanted.collect();
        let mut seen: FxHashSet<(usize, usize)> = pending.iter().copied().collect();
        let mut edges = Vec::new();
        while let Some((node, number)) = pending.pop() {
            let Some(states) = self.origins.get(&node) else { continue };
            for &(edge, from) in &states[number] {
                edges.push(edge);
                let source = (block.edges[edge].src, from);
                if seen.insert(source) {
                    pending.push(source);
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let part = (!edges.is_empty()).then(|| block.restricted(&edges, exit))?;
        let exit = part.exits[0];
        Some((part, exit))
    }
}

/// Notes how a state arrived at a node.
fn note(origins: &mut Origins, node: usize, taken: Taken) {
    let states = origins.entry(node).or_default();
    let origin = (taken.edge, taken.from);
    match taken.to {
        Arrival::As(number) if number < states.len() => states[number].push(origin),
        Arrival::As(_) => states.push(vec![origin]),
        Arrival::Joined => {
            let mut joined = states.concat();
            joined.push(origin);
            *states = vec![joined];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::control::block::{BlockOperator, CutPoints};
    use crate::control::call_strings::CallStrings;
    use crate::control::place::Slot;
    use crate::values::{Everything, Key};
    use beeline_ir::{Value, VarId};
    use cranelift_entity::EntityRef;

    /// One block in which three branches lead to two values of `a`.
    const PROGRAM: &str = "beeline 1.0
fn main() {
  var a: i8
  var x: i8
  first: x := input \"x\"
  if x <s 0 goto negative else other
  negative: a := 1 goto bad
  other: if x == 7 goto seven else rest
  seven: a := 2 goto bad
  rest: a := 2 goto bad
  bad: target \"end\"
  done: exit
}
";

    /// What is assigned to `a` in the part of the block that leads to this value of it.
    fn assigned(a: Option<u64>, most: usize) -> Option<Vec<u64>> {
        let program = beeline_ir::text::parse(PROGRAM).unwrap_or_else(|faults| panic!("{faults:?}"));
        let mut control = CallStrings::new(&program);
        let start = control.start(&program);
        let cut_points = CutPoints::new(&program, BlockOperator::LoopHeads, [program.targets[0].loc]);
        let block = Block::build(&program, &mut control, &cut_points, start);
        let transfer = Transfer {
            program: &program,
            control: &control,
            precision: &Everything,
            undefined_operations: None,
            live_variables: None,
        };
        let mut end = Values::default();
        if let Some(a) = a {
            end.set(Key::Var(Slot { var: VarId::new(0), level: 0 }), Some(Value::bv(8, a)));
        }
        let ways = Ways::from(&transfer, &block, &Values::default(), most, &Meter::default())?;
        let (part, exit) = ways.part_to(&block, block.exits[0], &end)?;
        assert_eq!(part.nodes[exit].loc, program.targets[0].loc);
        assert!(
            part.edges.is_sorted_by_key(|edge| edge.src) && part.edges.iter().all(|edge| edge.src < edge.dst)
        );
        let constants = part.edges.iter().filter_map(|edge| match &program.edges[edge.step.edge()].op {
            beeline_ir::Op::Assign(list) => list.first().map(|&(_, value)| value),
            _ => None,
        });
        let value = |value| match program.exprs[value] {
            beeline_ir::Expr::Const(value) => {
                program.exprs.value(value).as_bits().and_then(beeline_ir::Bits::to_u64)
            }
            _ => None,
        };
        let mut assigned: Vec<u64> = constants.filter_map(value).collect();
        assigned.sort_unstable();
        Some(assigned)
    }

    #[test]
    fn a_part_has_the_branches_that_lead_to_its_values() {
        assert_eq!(assigned(Some(1), 10), Some(vec![1]));
        // Where `x` is 7, that is known too.
        assert_eq!(assigned(Some(2), 10), Some(vec![2]));
        assert_eq!(assigned(Some(3), 10), None);
        // All are joined into one state.
        assert_eq!(assigned(None, 1), Some(vec![1, 2, 2]));
    }
}
