//! Branches: executing the nodes and edges of a block in their order, with a selector where several edges can be
//! taken.

use super::{Executor, Made};
use crate::control::block::Block;
use crate::control::place::{Place, Step, condition};
use crate::formula::state::{Executed, SymState};
use beeline_ir::{BinOp, Expr, UnOp};
use beeline_smt::{Formula, Unsupported};

impl Executor<'_> {
    /// Executes a block from a state to one of its exits.
    pub fn block(&mut self, block: &Block, start: SymState, exit: usize) -> Result<Executed, Unsupported> {
        let mut done = self.ways(block, start, &block.ways_to(exit), exit)?;
        if !done.arrives {
            done.state.guard = Formula::constant(false);
        }
        Ok(done)
    }

    /// Executes all paths through a block. The resulting state is the one at its start.
    pub fn whole_block(&mut self, block: &Block, start: SymState) -> Result<Executed, Unsupported> {
        self.ways(block, start, &vec![true; block.nodes.len()], block.nodes.len())
    }

    /// Executes the wanted nodes of a block, up to the last one.
    fn ways(
        &mut self,
        block: &Block,
        mut start: SymState,
        wanted: &[bool],
        last: usize,
    ) -> Result<Executed, Unsupported> {
        start.settle();
        let mut pending: Vec<Vec<SymState>> = block.nodes.iter().map(|_| Vec::new()).collect();
        let mut done = Executed::new(start.clone());
        pending[0].push(start);
        let mut next_edge = 0;
        for node in 0..block.nodes.len() {
            let first = next_edge;
            while next_edge < block.edges.len() && block.edges[next_edge].src == node {
                next_edge += 1;
            }
            let arriving = std::mem::take(&mut pending[node]);
            if arriving.is_empty() || !wanted[node] {
                continue;
            }
            let state = self.join(arriving)?;
            if node == last {
                done.state = state;
                done.arrives = true;
                return Ok(done);
            }
            let leaving: Vec<usize> = (first..next_edge).filter(|&e| wanted[block.edges[e].dst]).collect();
            for (edge, after) in self.leave(block, &leaving, state, &mut done)? {
                pending[block.edges[edge].dst].push(after);
            }
        }
        Ok(done)
    }

    /// Executes the edges out of a node from its state. Returns the edges that can be taken, with the states
    /// after them.
    pub(crate) fn leave(
        &mut self,
        block: &Block,
        leaving: &[usize],
        state: SymState,
        done: &mut Executed,
    ) -> Result<Vec<(usize, SymState)>, Unsupported> {
        let selectors = self.selectors(block, leaving);
        let mut left = Vec::with_capacity(leaving.len());
        let mut state = Some(state);
        for (&edge, selector) in leaving.iter().zip(selectors) {
            let is_last = leaving.last() == Some(&edge);
            let after = if is_last { state.take() } else { state.clone() };
            let mut after = after.expect("only the last edge takes the state");
            after.guard = after.guard.and(&selector);
            if self.take(block, edge, &mut after, done)? {
                left.push((edge, after));
            }
        }
        Ok(left)
    }

    /// Executes an edge of a block from a state and records its effects. Returns whether the edge can be
    /// taken.
    fn take(
        &mut self,
        block: &Block,
        edge: usize,
        after: &mut SymState,
        done: &mut Executed,
    ) -> Result<bool, Unsupported> {
        let BlockStep { from, step, to } = BlockStep::of(block, edge);
        let mut made = Made::default();
        self.step(after, from, step, to, &mut made)?;
        let undefined = std::mem::take(&mut self.undefined);
        if !undefined.is_empty() {
            done.undefined.insert(edge, undefined);
        }
        if after.guard.is_constant(false) {
            return Ok(false);
        }
        if let Step::Call(..) = step {
            done.calls.insert(edge, self.counter);
        }
        made.input.map(|term| done.inputs.insert(edge, term));
        made.region.map(|memory| done.havocked_regions.insert(edge, memory));
        if !made.range.is_empty() {
            done.ranges.insert(edge, made.range);
        }
        done.guards.insert(edge, after.guard.clone());
        Ok(true)
    }

    /// For each edge out of a node, the formula that selects it where several can be taken.
    fn selectors(&self, block: &Block, leaving: &[usize]) -> Vec<Formula> {
        if leaving.len() < 2 || self.exclusive(block, leaving) {
            return vec![Formula::constant(true); leaving.len()];
        }
        let mut rest = Formula::constant(true);
        let mut selectors = Vec::with_capacity(leaving.len());
        for _ in 1..leaving.len() {
            let choice = Formula::fresh("choice");
            selectors.push(rest.and(&choice));
            rest = rest.and(&choice.not());
        }
        selectors.push(rest);
        selectors
    }

    /// Whether these are the two edges of one branch.
    fn exclusive(&self, block: &Block, leaving: &[usize]) -> bool {
        let &[a, b] = leaving else { return false };
        let pool = &self.program.exprs;
        let cond = |edge: usize| condition(self.program, block.edges[edge].step);
        let (Some(a), Some(b)) = (cond(a), cond(b)) else { return false };
        match (pool[a], pool[b]) {
            (Expr::Unary(UnOp::Not, inner), _) if inner == b => true,
            (_, Expr::Unary(UnOp::Not, inner)) if inner == a => true,
            (Expr::Binary(op, x, y), Expr::Binary(other, u, v)) => {
                let dual = matches!(
                    (op, other),
                    (BinOp::Ult, BinOp::Ule)
                        | (BinOp::Ule, BinOp::Ult)
                        | (BinOp::Slt, BinOp::Sle)
                        | (BinOp::Sle, BinOp::Slt)
                );
                dual && x == v && y == u
            }
            _ => false,
        }
    }
}

/// A step with its source and destination.
struct BlockStep {
    from: Place,
    step: Step,
    to: Place,
}

impl BlockStep {
    fn of(block: &Block, edge: usize) -> BlockStep {
        let edge = block.edges[edge];
        BlockStep { from: block.nodes[edge.src], step: edge.step, to: block.nodes[edge.dst] }
    }
}
