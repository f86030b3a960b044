//! Decoding of a body to a program whose ids all name something that exists.

use super::encode::START_SPAN;
use super::*;
use crate::build::Parts;
use crate::expr::{ConstId, Expr, ExprId, ExprPool, RegionId, VarId};
use crate::file::Wire;
use crate::operator::{BinOp, CastOp, UnOp};
use crate::program::*;
use crate::types::Type;
use crate::value::Value;
use cranelift_entity::{EntityRef, PrimaryMap};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Reads a program; it may still break the rules of [`crate::validate`] and [`canonical`].
pub(super) fn program(input: &mut Decoder<'_>, version: Version) -> Decoded<Program> {
    let counts = counts(input)?;
    let name = Wire::decode(input)?;
    let pointer_width = Wire::decode(input)?;
    let big_endian = Wire::decode(input)?;
    let entry = FuncId::from_u32(input.id(counts.functions, "function")?);
    let mut reader = Reader { input, counts, frontier: 0, last_var: 0, last_span: START_SPAN };
    let files = reader.list(counts.files, |reader| Wire::decode(reader.input))?;
    let inputs = reader.list(counts.inputs, |reader| Wire::decode(reader.input))?;
    let mut exprs = ExprPool::default();
    reader.constants(&mut exprs)?;
    let functions = reader.functions()?;
    let vars = reader.variables(&functions)?;
    let regions: PrimaryMap<RegionId, Region> = reader.list(counts.regions, Reader::region)?;
    reader.expressions(&mut exprs, &Parts { vars: &vars, regions: &regions })?;
    let (edges, first_edge) = reader.edges()?;
    let targets = reader.list(counts.targets, Reader::target)?;
    let assumptions = reader.list(counts.assumptions, Reader::assumption)?;
    let labels = reader.labels()?;
    let cells = if version >= CELLS_SINCE { Wire::decode(input)? } else { Vec::new() };
    Ok(Program {
        name,
        pointer_width,
        big_endian,
        entry,
        files,
        inputs,
        exprs,
        vars,
        regions,
        cells,
        functions,
        edges,
        targets,
        assumptions,
        labels,
        first_edge,
    })
}

/// Reads the numbers of the parts and checks that the rest of the body can hold them.
fn counts(input: &mut Decoder<'_>) -> Decoded<Counts> {
    let mut all = [0; 12];
    for count in &mut all {
        *count = input.count()?;
    }
    let needed = all.iter().zip(MIN_BYTES).try_fold(0usize, |sum, (&count, bytes)| {
        count.checked_mul(bytes).and_then(|bytes| sum.checked_add(bytes))
    });
    // Ids have 32 bits, and the greatest one is reserved.
    let fits = all.iter().all(|&count| u32::try_from(count).is_ok_and(|count| count < u32::MAX));
    if !fits || needed.is_none_or(|needed| needed > input.remaining()) {
        return Err(WireError::new("it claims more parts than its bytes can hold"));
    }
    let [files, inputs, consts, functions, vars, regions, exprs, locs, edges, targets, assumptions, labels] =
        all;
    Ok(Counts {
        files,
        inputs,
        consts,
        functions,
        vars,
        regions,
        exprs,
        locs,
        edges,
        targets,
        assumptions,
        labels,
    })
}

/// Reads the parts, each relative to what came before.
struct Reader<'a, 'b> {
    input: &'a mut Decoder<'b>,
    counts: Counts,
    frontier: u32,
    last_var: u32,
    last_span: (u32, u32, u32),
}

impl Reader<'_, '_> {
    fn list<T, C: FromIterator<T>>(
        &mut self,
        count: usize,
        mut part: impl FnMut(&mut Self) -> Decoded<T>,
    ) -> Decoded<C> {
        (0..count).map(|_| part(self)).collect()
    }

    fn constant(&mut self) -> Decoded<ConstId> {
        self.input.id(self.counts.consts, "constant").map(ConstId::from_u32)
    }

    fn region_id(&mut self) -> Decoded<RegionId> {
        self.input.id(self.counts.regions, "region").map(RegionId::from_u32)
    }

    fn span(&mut self) -> Decoded<Span> {
        let file = FileId::from_u32(self.input.id(self.counts.files, "file")?);
        Ok(Span { file, line: self.input.small()?, col: self.input.small()? })
    }

    fn optional<T>(&mut self, part: impl FnOnce(&mut Self) -> Decoded<T>) -> Decoded<Option<T>> {
        if bool::decode(self.input)? { part(self).map(Some) } else { Ok(None) }
    }

    fn constants(&mut self, exprs: &mut ExprPool) -> Decoded<()> {
        for index in 0..self.counts.consts {
            let value = Value::decode(self.input)?;
            if exprs.intern_const(value).index() != index {
                return Err(WireError::new("a constant is stored twice"));
            }
        }
        Ok(())
    }

    /// Functions with the ids of their variables and locations, which follow from the order.
    fn functions(&mut self) -> Decoded<PrimaryMap<FuncId, Function>> {
        struct Sizes {
            params: usize,
            ret: bool,
            locals: usize,
        }
        let mut functions = PrimaryMap::with_capacity(self.counts.functions);
        let mut sizes = Vec::with_capacity(self.counts.functions);
        let (mut loc, mut own_vars) = (0u32, 0usize);
        for _ in 0..self.counts.functions {
            let name = Wire::decode(self.input)?;
            let (params, ret, locals) = (self.input.count()?, bool::decode(self.input)?, self.input.count()?);
            let (locs, exit) = (self.input.small()?, self.input.small()?);
            let addr = Wire::decode(self.input)?;
            let file = self.optional(|reader| reader.input.id(reader.counts.files, "file"))?;
            own_vars = own_vars.saturating_add(params).saturating_add(locals).saturating_add(ret.into());
            sizes.push(Sizes { params, ret, locals });
            let end = loc.checked_add(locs).filter(|&end| end as usize <= self.counts.locs && exit < locs);
            let Some(end) = end else {
                return Err(WireError::new("a function's locations do not exist"));
            };
            functions.push(Function {
                name,
                params: Vec::new(),
                ret: None,
                locals: Vec::new(),
                locs: loc..end,
                exit: LocId::from_u32(loc + exit),
                addr,
                file: file.map(FileId::from_u32),
            });
            loc = end;
        }
        let globals = self.counts.vars.checked_sub(own_vars);
        let (Some(globals), true) = (globals, loc as usize == self.counts.locs) else {
            return Err(WireError::new("the number of variables or locations of functions does not match"));
        };
        let mut var = globals;
        let mut take = |count: usize| {
            var += count;
            (var - count..var).map(VarId::new)
        };
        for (function, Sizes { params, ret, locals }) in functions.values_mut().zip(sizes) {
            function.params = take(params).collect();
            function.ret = take(ret.into()).next();
            function.locals = take(locals).collect();
        }
        Ok(functions)
    }

    fn variables(&mut self, functions: &PrimaryMap<FuncId, Function>) -> Decoded<PrimaryMap<VarId, Var>> {
        let own: usize = functions.values().map(|function| function.variables().count()).sum();
        let mut vars = PrimaryMap::with_capacity(self.counts.vars);
        for _ in 0..self.counts.vars - own {
            vars.push(self.variable(None)?);
        }
        for (func, function) in functions.iter() {
            for _ in function.variables() {
                vars.push(self.variable(Some(func))?);
            }
        }
        Ok(vars)
    }

    fn variable(&mut self, owner: Option<FuncId>) -> Decoded<Var> {
        let (name, ty) = Wire::decode(self.input)?;
        let flags = self.input.byte()?;
        let has = |flag: u8| flags & flag != 0;
        if flags > HAS_INIT + HAS_SOURCE + HAS_SPAN || has(HAS_SPAN) && !has(HAS_SOURCE) {
            return Err(WireError::new("a variable has unknown flags"));
        }
        let init = if has(HAS_INIT) { Some(self.constant()?) } else { None };
        let mut source = None;
        if has(HAS_SOURCE) {
            let (name, ty) = Wire::decode(self.input)?;
            let span = if has(HAS_SPAN) { Some(self.span()?) } else { None };
            source = Some(SourceVar { name, ty, span });
        }
        Ok(Var { name, ty, owner, init, source })
    }

    fn region(&mut self) -> Decoded<Region> {
        let (name, addr, cell) = Wire::decode(self.input)?;
        let mut region = Region { name, addr, cell, extents: Vec::new(), init: Vec::new() };
        let mut end = 0u64;
        for _ in 0..self.input.count()? {
            let (distance, size) = (self.input.uint()?, self.input.uint()?);
            let base = end.wrapping_add(distance);
            region.extents.push(Extent { base, size });
            end = base.wrapping_add(size);
        }
        let mut end = 0u64;
        for _ in 0..self.input.count()? {
            let (distance, count) = (self.input.uint()?, self.input.uint()?);
            let addr = end.wrapping_add(distance);
            region.init.push(InitRun { addr, count, value: self.constant()? });
            end = addr.wrapping_add(count.wrapping_mul(region.stride()));
        }
        Ok(region)
    }

    fn expressions(&mut self, exprs: &mut ExprPool, parts: &Parts<'_>) -> Decoded<()> {
        exprs.reserve(self.counts.exprs);
        let (mut next_const, mut last_var) = (0, 0);
        for index in 0..self.counts.exprs as u32 {
            let node = self.node(index, &mut next_const, &mut last_var)?;
            let id = exprs.intern(node, parts).map_err(|error| WireError::new(error.to_string()))?;
            if id.as_u32() != index {
                return Err(WireError::new("an expression is stored twice"));
            }
        }
        Ok(())
    }

    /// An operand, as the number of expressions from it to its user.
    #[inline]
    fn back(&mut self, index: u32) -> Decoded<ExprId> {
        match index.checked_sub(self.input.small()?) {
            Some(operand) if operand < index => Ok(ExprId::from_u32(operand)),
            _ => Err(WireError::new("an operand is used before its definition")),
        }
    }

    fn node(&mut self, index: u32, next_const: &mut u32, last_var: &mut u32) -> Decoded<Expr> {
        const UNARY_END: u8 = UNARY + UnOp::ALL.len() as u8 - 1;
        const BINARY_END: u8 = BINARY + BinOp::ALL.len() as u8 - 1;
        const CAST_END: u8 = CAST + CastOp::ALL.len() as u8 - 1;
        Ok(match self.input.byte()? {
            CONST => {
                let value = self.input.relative_id(*next_const, self.counts.consts, "constant")?;
                *next_const = value + 1;
                Expr::Const(ConstId::from_u32(value))
            }
            VAR => {
                *last_var = self.input.relative_id(*last_var, self.counts.vars, "variable")?;
                Expr::Var(VarId::from_u32(*last_var))
            }
            LOAD => {
                let region = self.region_id()?;
                let addr = self.back(index)?;
                Expr::Load { region, addr, ty: Type::decode(self.input)? }
            }
            ITE => Expr::Ite(self.back(index)?, self.back(index)?, self.back(index)?),
            FMA => Expr::Fma(self.back(index)?, self.back(index)?, self.back(index)?),
            EXTRACT => {
                let (lo, more) = (self.input.small()?, self.input.small()?);
                let Some(hi) = lo.checked_add(more) else {
                    return Err(WireError::new("a bit does not exist"));
                };
                Expr::Extract { hi, lo, arg: self.back(index)? }
            }
            tag @ UNARY..=UNARY_END => Expr::Unary(UnOp::ALL[usize::from(tag - UNARY)], self.back(index)?),
            tag @ BINARY..=BINARY_END => {
                let op = BinOp::ALL[usize::from(tag - BINARY)];
                Expr::Binary(op, self.back(index)?, self.back(index)?)
            }
            tag @ CAST..=CAST_END => {
                let op = CastOp::ALL[usize::from(tag - CAST)];
                Expr::Cast(op, Type::decode(self.input)?, self.back(index)?)
            }
            tag => return Err(WireError::new(format!("unknown expression tag {tag}"))),
        })
    }

    /// The edges, and the index from locations to them.
    fn edges(&mut self) -> Decoded<(PrimaryMap<EdgeId, Edge>, Vec<u32>)> {
        let Counts { locs, edges: total, .. } = self.counts;
        let mut edges = PrimaryMap::with_capacity(total);
        let mut first_edge = Vec::with_capacity(locs + 1);
        let wrong = || WireError::new("the number of edges of locations does not match");
        for src in 0..locs as u32 {
            first_edge.push(edges.len() as u32);
            let degree = self.input.uint()?;
            if degree > (total - edges.len()) as u64 {
                return Err(wrong());
            }
            for _ in 0..degree {
                edges.push(self.edge(src)?);
            }
        }
        first_edge.push(edges.len() as u32);
        if edges.len() == total { Ok((edges, first_edge)) } else { Err(wrong()) }
    }

    fn edge(&mut self, src: u32) -> Decoded<Edge> {
        let tag = self.input.byte()?;
        let locs = self.counts.locs;
        let dst = match tag & 4 {
            0 => self.input.relative_id(src, locs, "location")?,
            _ if ((src + 1) as usize) < locs => src + 1,
            _ => return Err(WireError::new("the last edge leads to no location")),
        };
        let span = self.edge_span(tag & 3)?;
        let op = self.operation(tag >> 3)?;
        Ok(Edge { src: LocId::from_u32(src), dst: LocId::from_u32(dst), op, span })
    }

    fn edge_span(&mut self, mode: u8) -> Decoded<Option<Span>> {
        if mode == NO_SPAN {
            return Ok(None);
        }
        let (mut file, mut line, mut col) = self.last_span;
        if mode == FULL_SPAN {
            file = self.input.id(self.counts.files, "file")?;
        }
        if mode == SAME_FILE || mode == FULL_SPAN {
            line = self.input.relative_id(line, u32::MAX as usize, "line")?;
            col = self.input.small()?;
        }
        if file as usize >= self.counts.files {
            return Err(WireError::new("an edge's file does not exist"));
        }
        self.last_span = (file, line, col);
        Ok(Some(Span { file: FileId::from_u32(file), line, col }))
    }

    fn var(&mut self) -> Decoded<VarId> {
        self.last_var = self.input.relative_id(self.last_var, self.counts.vars, "variable")?;
        Ok(VarId::from_u32(self.last_var))
    }

    fn expr(&mut self) -> Decoded<ExprId> {
        let expr = self.input.relative_id(self.frontier, self.counts.exprs, "expression")?;
        self.frontier = self.frontier.max(expr + 1);
        Ok(ExprId::from_u32(expr))
    }

    fn operation(&mut self, tag: u8) -> Decoded<Op> {
        Ok(match tag {
            SKIP => Op::Skip,
            ASSUME..ASSIGN => {
                let flags = tag - ASSUME;
                let kind =
                    AssumeKind { branch: flags & 1 != 0, looping: flags & 2 != 0, negated: flags & 4 != 0 };
                Op::Assume(self.expr()?, kind)
            }
            ASSIGN => {
                let var = self.var()?;
                Op::assign(var, self.expr()?)
            }
            ASSIGN_MANY => {
                let count = self.input.count()?;
                if count == 1 {
                    return Err(WireError::new("a single assignment is stored as several"));
                }
                let mut list: Assignments = SmallVec::new();
                for _ in 0..count {
                    list.push((self.var()?, self.expr()?));
                }
                Op::Assign(list)
            }
            HAVOC => Op::Havoc(self.var()?, None),
            INPUT => {
                let var = self.var()?;
                let input = self.input.id(self.counts.inputs, "input")?;
                Op::Havoc(var, Some(InputId::from_u32(input)))
            }
            HAVOC_REGION => Op::HavocRegion(self.region_id()?),
            STORE => Op::Store { region: self.region_id()?, addr: self.expr()?, value: self.expr()? },
            CALL | CALL_INDIRECT => Op::Call(Box::new(self.call(tag)?)),
            tag => return Err(WireError::new(format!("unknown operation tag {tag}"))),
        })
    }

    fn func(&mut self) -> Decoded<FuncId> {
        self.input.id(self.counts.functions, "function").map(FuncId::from_u32)
    }

    fn call(&mut self, tag: u8) -> Decoded<Call> {
        let callee = if tag == CALL {
            Callee::Direct(self.func()?)
        } else {
            let target = self.expr()?;
            let count = self.input.count()?;
            Callee::Indirect { target, candidates: self.list(count, Self::func)? }
        };
        let count = self.input.count()?;
        let args = self.list(count, Self::expr)?;
        let ret = self.optional(Self::var)?;
        Ok(Call { callee, args, ret })
    }

    fn target(&mut self) -> Decoded<Target> {
        let loc = LocId::from_u32(self.input.id(self.counts.locs, "location")?);
        let (name, property) = Wire::decode(self.input)?;
        Ok(Target { loc, name, property, span: self.optional(Self::span)? })
    }

    fn assumption(&mut self) -> Decoded<Assumption> {
        let (kind, text) = Wire::decode(self.input)?;
        let direction = Direction::ALL[self.input.id(Direction::ALL.len(), "direction")? as usize];
        let edge = self.optional(|reader| reader.input.id(reader.counts.edges, "edge"))?;
        Ok(Assumption {
            kind,
            text,
            direction,
            edge: edge.map(EdgeId::from_u32),
            span: self.optional(Self::span)?,
        })
    }

    /// Labels in the order of their locations, each as the distance from the one before.
    fn labels(&mut self) -> Decoded<BTreeMap<LocId, String>> {
        let mut next = 0;
        self.list(self.counts.labels, |reader| {
            let distance = reader.input.uint()?;
            let loc = u64::from(next).checked_add(distance).filter(|&loc| loc < reader.counts.locs as u64);
            let Some(loc) = loc else { return Err(WireError::new("a label's location does not exist")) };
            next = loc as u32 + 1;
            Ok((LocId::from_u32(loc as u32), Wire::decode(reader.input)?))
        })
    }
}
