//! Small functions that threads need in a module, and their types.

use super::marker;
use beeline_ir::Bits;
use beeline_module::*;

/// Functions that create a thread.
pub(super) const CREATE: [&str; 2] = ["pthread_create", "thrd_create"];
/// The beginning of the names of functions in which threads start.
pub(super) const START: &str = "__beeline_thread";

/// Types and small functions that the module needs.
pub(super) struct Types {
    void: TyId,
    int: TyId,
    word: TyId,
    pointer: TyId,
    boolean: TyId,
    byte: TyId,
}

impl Types {
    pub(super) fn new(module: &mut Module) -> Types {
        let width = module.pointer_width;
        let bytes = u64::from(width / 8);
        let mut find = |kind: TyKind, size: u64| {
            let known = module.types.iter().find(|(_, ty)| ty.kind == kind).map(|(id, _)| id);
            known.unwrap_or_else(|| {
                module.types.push(Ty { kind, size, store_size: size, align: size.max(1), is_union: false })
            })
        };
        Types {
            void: find(TyKind::Void, 0),
            int: find(TyKind::Int(32), 4),
            word: find(TyKind::Int(width), bytes),
            pointer: find(TyKind::Ptr, bytes),
            boolean: find(TyKind::Int(1), 1),
            byte: find(TyKind::Int(8), 1),
        }
    }

    fn function(&self, module: &mut Module, result: TyId, params: Vec<TyId>) -> TyId {
        let kind = TyKind::Func(result, params, false);
        let known = module.types.iter().find(|(_, ty)| ty.kind == kind).map(|(id, _)| id);
        known.unwrap_or_else(|| {
            module.types.push(Ty { kind, size: 0, store_size: 0, align: 1, is_union: false })
        })
    }

    /// A function of Beeline's own, without a block.
    fn add(&self, module: &mut Module, name: &str, result: TyId, params: Vec<TyId>) -> FnId {
        let count = params.len();
        let ty = self.function(module, result, params);
        module.functions.push(Function::new(name, ty, count))
    }

    pub(super) fn marker(&self, module: &mut Module, name: &str) -> (FnId, TyId) {
        let known = module.functions.iter().find(|(_, f)| f.name == name).map(|(id, _)| id);
        let id = known.unwrap_or_else(|| {
            let params = match name {
                marker::POINT | marker::WAIT => vec![self.int],
                marker::ACCESS => vec![self.int, self.pointer, self.pointer],
                marker::READ => vec![self.byte],
                marker::ENDED | marker::IS_NEW => vec![self.word],
                _ => Vec::new(),
            };
            self.add(module, name, self.result(name), params)
        });
        (id, module.functions[id].ty)
    }

    /// The type of the result of a marker.
    fn result(&self, name: &str) -> TyId {
        match name {
            marker::ENDED | marker::IS_NEW | marker::SPURIOUS => self.int,
            marker::SELF => self.word,
            _ => self.void,
        }
    }

    /// Gives a marker a body, so that calls of it stay.
    pub(super) fn give_body(&self, module: &mut Module, name: &str) {
        let (id, _) = self.marker(module, name);
        let ty = self.result(name);
        let result = match module.kind(ty) {
            TyKind::Int(width) => Some(Operand::Const(ty, Const::Int(Bits::zero(*width)))),
            _ => None,
        };
        let mut body = Blocks::new(&mut module.functions[id], None);
        let block = body.block();
        body.push(block, InstKind::Ret(result), self.void);
    }

    pub(super) fn call(&self, callee: (FnId, TyId), args: Vec<Operand>, place: Option<Place>) -> Inst {
        let kind = self.call_kind(callee, args);
        Inst { kind, flags: Flags::default(), ty: self.void, name: String::new(), place }
    }

    /// An address so many bytes behind another one.
    pub(super) fn behind(&self, base: Operand, bytes: u64, place: Option<Place>) -> Inst {
        let kind = InstKind::Gep { base, offset: bytes.cast_signed(), steps: Vec::new() };
        Inst { kind, flags: Flags::default(), ty: self.pointer, name: String::new(), place }
    }

    /// Loads a byte.
    pub(super) fn load(&self, addr: Operand, place: Option<Place>) -> Inst {
        let kind = InstKind::Load { addr, volatile: false };
        Inst { kind, flags: Flags::default(), ty: self.byte, name: String::new(), place }
    }

    fn call_kind(&self, (callee, ty): (FnId, TyId), args: Vec<Operand>) -> InstKind {
        InstKind::Call(CallInst {
            callee: Operand::Const(self.pointer, Const::Func(callee)),
            ty,
            byval: vec![None; args.len()],
            args,
            noreturn: false,
            asm: None,
        })
    }

    /// An `int`.
    pub(super) fn int(&self, number: u64) -> Operand {
        Operand::Const(self.int, Const::Int(Bits::new(32, number)))
    }

    /// The null pointer.
    pub(super) fn null(&self, module: &Module) -> Operand {
        Operand::Const(self.pointer, Const::Int(Bits::zero(module.pointer_width)))
    }

    fn number(&self, number: u64, width: u32) -> Operand {
        Operand::Const(self.word, Const::Int(Bits::new(width, number)))
    }

    /// The function that a thread runs: it calls the thread's function and keeps the result for the thread that joins
    /// it.
    pub(super) fn run(&self, module: &mut Module, start: FnId, number: u64, place: Option<Place>) -> FnId {
        let id = self.add(module, &format!("{START}{number}"), self.void, vec![self.pointer]);
        let bytes = u64::from(module.pointer_width / 8);
        let results = module.globals.iter().find(|(_, g)| g.name == "__beeline_results").map(|(id, _)| id);
        let (ty, returned) = match module.kind(module.functions[start].ty) {
            TyKind::Func(result, ..) => (module.functions[start].ty, *result),
            _ => (self.void, self.void),
        };
        let kind = module.kind(returned).clone();
        let mut body = Blocks::new(&mut module.functions[id], place);
        let block = body.block();
        let result = body.push(block, self.call_kind((start, ty), vec![Operand::Param(0)]), returned);
        let result = match kind {
            TyKind::Ptr => Some(Operand::Inst(result)),
            TyKind::Int(_) => {
                let cast = InstKind::Cast(CastKind::IntToPtr, Operand::Inst(result));
                Some(Operand::Inst(body.push(block, cast, self.pointer)))
            }
            _ => None,
        };
        if let (Some(value), Some(results)) = (result, results) {
            let at = Const::Global(results, (number * bytes).cast_signed());
            let addr = Operand::Const(self.pointer, at);
            body.push(block, InstKind::Store { addr, value }, self.void);
        }
        body.push(block, InstKind::Ret(None), self.void);
        id
    }

    /// The function that creates the next thread of a call that creates several: it tries one after the other.
    pub(super) fn creator(
        &self,
        module: &mut Module,
        created: FnId,
        site: u32,
        instances: &[(FnId, u64, (FnId, TyId))],
        (at, given, known): (usize, usize, bool),
        place: Option<Place>,
    ) -> FnId {
        let width = module.pointer_width;
        let (is_new, too_many) = (self.marker(module, marker::IS_NEW), self.marker(module, marker::TOO_MANY));
        let name = beeline_ir::copy_for_call(&module.functions[created].name, site);
        let id = self.add(module, &name, self.int, vec![self.pointer; given + 1]);
        let zero = Operand::Const(self.int, Const::Int(Bits::new(32, 0)));
        let mut body = Blocks::new(&mut module.functions[id], place);
        let mut block = body.block();
        for &(start, number, run) in instances {
            let (begin, next) = (body.block(), body.block());
            let asked = body.push(block, self.call_kind(is_new, vec![self.number(number, width)]), self.int);
            let compare = InstKind::IntCompare(IntPredicate::Ne, Operand::Inst(asked), zero.clone());
            let mut fits = body.push(block, compare, self.boolean);
            if !known {
                let function = Operand::Const(self.pointer, Const::Func(start));
                let same = InstKind::IntCompare(IntPredicate::Eq, Operand::Param(at as u32), function);
                let same = body.push(block, same, self.boolean);
                let both = InstKind::Binary(BinaryOp::And, Operand::Inst(fits), Operand::Inst(same));
                fits = body.push(block, both, self.boolean);
            }
            body.push(block, InstKind::CondBr(Operand::Inst(fits), begin, next), self.void);
            let handle = InstKind::Store { addr: Operand::Param(0), value: self.number(number, width) };
            body.push(begin, handle, self.void);
            body.push(begin, self.call_kind(run, vec![Operand::Param(given as u32)]), self.void);
            body.push(begin, InstKind::Ret(Some(zero.clone())), self.void);
            block = next;
        }
        body.push(block, self.call_kind(too_many, Vec::new()), self.void);
        body.push(block, InstKind::Ret(Some(zero)), self.void);
        id
    }
}

/// The body of a function under construction.
struct Blocks<'a> {
    function: &'a mut Function,
    place: Option<Place>,
}

impl Blocks<'_> {
    fn new(function: &mut Function, place: Option<Place>) -> Blocks<'_> {
        Blocks { function, place }
    }

    fn block(&mut self) -> BlockId {
        self.function.blocks.push(Block::default())
    }

    fn push(&mut self, block: BlockId, kind: InstKind, ty: TyId) -> InstId {
        let inst = Inst { kind, flags: Flags::default(), ty, name: String::new(), place: self.place };
        let inst = self.function.insts.push(inst);
        self.function.blocks[block].insts.push(inst);
        inst
    }
}
