//! Functions that fill or copy a range of bytes and do nothing else, which an unrolling passes in one step.
//!
//! The lowering makes one of each `memset`, `memcpy` and `memmove` whose size it does not know. They are recognised by
//! their shape, not by their names: `ir-spec/proofs.md` defines it for proof checkers. A function
//! - has three parameters, `to`, `from` and `size`, one other variable, `i`, no result and no target;
//! - either copies, `if to <=u from` upwards else downwards, or fills upwards, with no edge besides;
//! - upwards: `i := 0; while i + 1 <=u size { region[to + i] := B; i := i + 1 }`;
//! - downwards: `i := size; while 0 <u i { i := i - 1; region[to + i] := B }`;
//! - where the byte `B` is `region[from + i]` if it copies, and `from` if it fills.
//!
//! Nothing is written before it is read, so that all bytes are written at once. Each access has to be allowed. All are
//! if the range is inside one extent: the extents of the region are disjoint, and none of them extends to where
//! addresses wrap around.

use crate::expr::{Expr, ExprId, RegionId, VarId};
use crate::operator::{BinOp, UnOp};
use crate::program::{Callee, EdgeId, FuncId, LocId, Op, Program, Region};
use rustc_hash::FxHashMap;

/// The effect of such a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The region.
    pub region: RegionId,
    /// The address of the first byte that is written.
    pub to: VarId,
    /// The source of the written bytes.
    pub source: RangeSource,
    /// The number of written bytes.
    pub size: VarId,
}

/// The source of the bytes of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeSource {
    /// Copies of a byte.
    Byte(VarId),
    /// The content of the range of the same size that begins at this address.
    Copy(VarId),
}

impl Range {
    /// The effect of a function, if it is one of these.
    pub fn of(program: &Program, func: FuncId) -> Option<Range> {
        let function = &program.functions[func];
        let &[to, from, size] = &function.params[..] else { return None };
        let mut others = function.variables().filter(|var| !function.params.contains(var));
        let (Some(index), None, None) = (others.next(), others.next(), function.ret) else { return None };
        let shape = Shape { program, to, from, size, index, exit: function.exit };
        let (source, region, edges) =
            shape.copies(function.entry()).or_else(|| shape.fills(function.entry()))?;
        let all: usize = function.locations().map(|loc| program.out_edges(loc).count()).sum();
        let types = [to, size, index].iter().all(|&var| program.vars[var].ty == program.regions[region].addr);
        let targets = program.targets.iter().any(|target| function.locs.contains(&target.loc.as_u32()));
        let is_whole = all == edges && types && !targets && is_of_bytes(&program.regions[region]);
        is_whole.then_some(Range { region, to, source, size })
    }

    /// The effects of the functions that call edges call, for those that call one of these.
    pub fn of_calls(program: &Program) -> FxHashMap<EdgeId, Range> {
        let of: FxHashMap<FuncId, Range> =
            program.functions.keys().filter_map(|func| Some((func, Range::of(program, func)?))).collect();
        let called = |op: &Op| match op.as_call()?.callee {
            Callee::Direct(func) => of.get(&func).copied(),
            Callee::Indirect { .. } => None,
        };
        program.edges.iter().filter_map(|(id, edge)| Some((id, called(&edge.op)?))).collect()
    }
}

/// Whether cells of the region are bytes, and its extents are disjoint and end before addresses wrap around.
fn is_of_bytes(region: &Region) -> bool {
    let width = region.addr.bv_width().unwrap_or(0);
    let ends = |base: u64, size: u64| {
        // The index is increased up to the end, which needs a number after it.
        let behind = base.checked_add(size).and_then(|end| end.checked_add(1));
        behind.is_some_and(|behind| width == 64 || behind >> width == 0)
    };
    let apart =
        region.extents.windows(2).all(|pair| pair[0].base.saturating_add(pair[0].size) < pair[1].base);
    region.stride() == 1
        && !region.extents.is_empty()
        && region.extents.iter().all(|extent| ends(extent.base, extent.size))
        && apart
}

/// The comparison with the edges of a function.
struct Shape<'p> {
    program: &'p Program,
    to: VarId,
    from: VarId,
    size: VarId,
    index: VarId,
    exit: LocId,
}

/// The result: what is written, where, and by how many edges.
type Found = (RangeSource, RegionId, usize);

impl Shape<'_> {
    fn copies(&self, entry: LocId) -> Option<Found> {
        let to_is_first = |cond| self.is_binary(cond, BinOp::Ule, self.is(self.to), self.is(self.from));
        let (up, down) = self.branch(entry, to_is_first)?;
        let source = RangeSource::Copy(self.from);
        let (region, upwards) = self.upwards(up, source)?;
        let (also, downwards) = self.downwards(down, source)?;
        (region == also).then_some((source, region, 2 + upwards + downwards))
    }

    fn fills(&self, entry: LocId) -> Option<Found> {
        let source = RangeSource::Byte(self.from);
        let (region, edges) = self.upwards(entry, source)?;
        Some((source, region, edges))
    }

    fn upwards(&self, start: LocId, source: RangeSource) -> Option<(RegionId, usize)> {
        let next = |expr| self.is_binary(expr, BinOp::Add, self.is(self.index), |one| self.is_number(one, 1));
        let head = self.assigned(start, |value| self.is_number(value, 0))?;
        let goes_on = |cond| self.is_binary(cond, BinOp::Ule, next, self.is(self.size));
        let (body, after) = self.branch(head, goes_on)?;
        let (region, stored) = self.stored(body, source)?;
        let back = self.assigned(stored, next)?;
        (back == head && after == self.exit).then_some((region, 5))
    }

    fn downwards(&self, start: LocId, source: RangeSource) -> Option<(RegionId, usize)> {
        let before =
            |expr| self.is_binary(expr, BinOp::Sub, self.is(self.index), |one| self.is_number(one, 1));
        let head = self.assigned(start, self.is(self.size))?;
        let goes_on =
            |cond| self.is_binary(cond, BinOp::Ult, |zero| self.is_number(zero, 0), self.is(self.index));
        let (body, after) = self.branch(head, goes_on)?;
        let inside = self.assigned(body, before)?;
        let (region, back) = self.stored(inside, source)?;
        (back == head && after == self.exit).then_some((region, 5))
    }

    /// The only edge out of a location.
    fn single(&self, loc: LocId) -> Option<(&Op, LocId)> {
        let mut edges = self.program.out_edges(loc);
        let (Some(edge), None) = (edges.next(), edges.next()) else { return None };
        let edge = &self.program.edges[edge];
        Some((&edge.op, edge.dst))
    }

    /// The location after an assignment to the index, if nothing else happens.
    fn assigned(&self, loc: LocId, is_value: impl Fn(ExprId) -> bool) -> Option<LocId> {
        let (Op::Assign(list), next) = self.single(loc)? else { return None };
        match list[..] {
            [(var, value)] if var == self.index && is_value(value) => Some(next),
            _ => None,
        }
    }

    /// The location after the store of the byte at the index.
    fn stored(&self, loc: LocId, source: RangeSource) -> Option<(RegionId, LocId)> {
        let (&Op::Store { region, addr, value }, next) = self.single(loc)? else { return None };
        let exprs = &self.program.exprs;
        let at = |base| move |addr| self.is_binary(addr, BinOp::Add, self.is(base), self.is(self.index));
        let is_source = match (source, exprs[value]) {
            (RangeSource::Byte(byte), Expr::Var(var)) => var == byte,
            (RangeSource::Copy(from), Expr::Load { region: read, addr, .. }) => {
                read == region && at(from)(addr)
            }
            _ => false,
        };
        let cell = self.program.regions[region].cell;
        (at(self.to)(addr) && is_source && exprs.ty(value) == cell).then_some((region, next))
    }

    /// The destinations where a condition holds and where not, if these are the edges out of a location.
    fn branch(&self, loc: LocId, is_condition: impl Fn(ExprId) -> bool) -> Option<(LocId, LocId)> {
        let mut ways = Vec::with_capacity(2);
        for edge in self.program.out_edges(loc) {
            let edge = &self.program.edges[edge];
            let Op::Assume(cond, _) = edge.op else { return None };
            ways.push((cond, edge.dst));
        }
        let &[(a, first), (b, second)] = &ways[..] else { return None };
        if !self.are_opposite(a, b) {
            return None;
        }
        if is_condition(a) { Some((first, second)) } else { is_condition(b).then_some((second, first)) }
    }

    fn are_opposite(&self, a: ExprId, b: ExprId) -> bool {
        let exprs = &self.program.exprs;
        match (exprs[a], exprs[b]) {
            (Expr::Unary(UnOp::Not, inner), _) if inner == b => true,
            (_, Expr::Unary(UnOp::Not, inner)) if inner == a => true,
            (Expr::Binary(BinOp::Ult, x, y), Expr::Binary(BinOp::Ule, u, v))
            | (Expr::Binary(BinOp::Ule, x, y), Expr::Binary(BinOp::Ult, u, v)) => (x, y) == (v, u),
            _ => false,
        }
    }

    fn is(&self, var: VarId) -> impl Fn(ExprId) -> bool {
        move |expr| matches!(self.program.exprs[expr], Expr::Var(found) if found == var)
    }

    fn is_number(&self, expr: ExprId, number: u64) -> bool {
        self.program.exprs.as_bits(expr).and_then(|bits| bits.to_u64()) == Some(number)
    }

    fn is_binary(
        &self,
        expr: ExprId,
        op: BinOp,
        is_left: impl Fn(ExprId) -> bool,
        is_right: impl Fn(ExprId) -> bool,
    ) -> bool {
        matches!(self.program.exprs[expr], Expr::Binary(found, a, b) if found == op && is_left(a) && is_right(b))
    }
}
