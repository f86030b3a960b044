//! Code of expressions: the instructions that the machine makes of a program before it runs it.
//!
//! Each expression, or group of expressions of an edge, becomes a straight sequence of instructions on
//! registers, with jumps for the lazy operators. Values of at most 64 bits are in word registers, the others
//! in wide registers. Constants have registers of their own that nothing writes.
//!
//! Expressions are graphs: a node with several users is computed once. When its first use is lazy (one branch
//! of `? :`), no place in the sequence is certain to come before all uses. Such a node is a subroutine that
//! each use calls and that does its work once for each evaluation.

use crate::word;
use beeline_ir::{
    BinOp, CastOp, ConstId, Expr, ExprId, Program, RegionId, Type, UnOp, Value, VarId, cells_of,
};
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A register, or the place of a variable in its activation or among the globals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Word(u32),
    Wide(u32),
}

/// The place of a variable.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub global: bool,
    pub place: Place,
}

/// What the code of a whole program shares: the places of variables and constants.
#[derive(Debug)]
pub(crate) struct Layout {
    pub slots: PrimaryMap<VarId, Slot>,
    pub consts: PrimaryMap<ConstId, Place>,
    /// The first registers, which hold the constants.
    pub words: Vec<u64>,
    pub wides: Vec<Value>,
}

/// The number of places of each kind.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Size {
    pub words: u32,
    pub wides: u32,
}

impl Size {
    pub(crate) fn place(&mut self, ty: Type) -> Place {
        let counter = if word::fits(ty) { &mut self.words } else { &mut self.wides };
        *counter += 1;
        let index = *counter - 1;
        if word::fits(ty) { Place::Word(index) } else { Place::Wide(index) }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum Instr {
    /// The end of the evaluation.
    End,
    Local {
        dst: u32,
        slot: u32,
        var: VarId,
    },
    Global {
        dst: u32,
        slot: u32,
        var: VarId,
    },
    SetLocal {
        slot: u32,
        src: u32,
    },
    SetGlobal {
        slot: u32,
        src: u32,
    },
    /// Reads or writes a variable that is not a word.
    WideVar {
        dst: u32,
        var: VarId,
    },
    SetWide {
        var: VarId,
        src: u32,
    },
    Binary {
        op: BinOp,
        width: u8,
        dst: u32,
        a: u32,
        b: u32,
    },
    Unary {
        op: UnOp,
        width: u8,
        dst: u32,
        a: u32,
    },
    SExt {
        from: u8,
        to: u8,
        dst: u32,
        a: u32,
    },
    Extract {
        lo: u8,
        width: u8,
        dst: u32,
        a: u32,
    },
    Copy {
        dst: u32,
        src: u32,
    },
    CopyWide {
        dst: u32,
        src: u32,
    },
    JumpIf {
        cond: u32,
        to: u32,
    },
    JumpUnless {
        cond: u32,
        to: u32,
    },
    Jump {
        to: u32,
    },
    /// An operator that [`crate::eval`] computes.
    General(u32),
    Load(u32),
    /// Calls the subroutine of a shared node, unless this evaluation has already called it.
    Force {
        shared: u32,
    },
    Return,
}

/// An operator whose operands or result are not words, or that is too rare for an instruction.
#[derive(Debug)]
pub(crate) struct General {
    pub op: GeneralOp,
    pub args: SmallVec<[(Place, Type); 3]>,
    pub dst: Place,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum GeneralOp {
    Unary(UnOp),
    Binary(BinOp),
    Fma,
    Extract { hi: u32, lo: u32 },
    Cast(CastOp, Type),
}

/// A read of memory.
#[derive(Debug)]
pub(crate) struct Load {
    pub region: RegionId,
    pub addr: u32,
    pub ty: Type,
    pub cells: u32,
    pub dst: Place,
}

/// Instructions, with the tables that they refer to.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub instrs: Vec<Instr>,
    pub general: Vec<General>,
    pub loads: Vec<Load>,
    /// The first instruction of each shared node's subroutine.
    pub shared: Vec<u32>,
    /// The required registers, including those of the constants.
    pub size: Size,
}

/// The compiler for the expressions of one edge.
pub(crate) struct Compiler<'a> {
    program: &'a Program,
    layout: &'a Layout,
    code: &'a mut Code,
    next: Size,
    users: FxHashMap<ExprId, u32>,
    /// The expressions whose values are in registers here, and the order in which they got there.
    known: FxHashMap<ExprId, Place>,
    order: Vec<ExprId>,
    lazy: bool,
    shared: FxHashMap<ExprId, (u32, Place)>,
    pending: Vec<ExprId>,
}

/// The code of an edge: its start, and the places of its values.
pub(crate) struct Compiled {
    pub start: u32,
    pub places: SmallVec<[Place; 2]>,
}

impl<'a> Compiler<'a> {
    /// Compiles code that computes the expressions in order and then assigns the first of them to variables.
    pub(crate) fn compile(
        program: &'a Program,
        layout: &'a Layout,
        code: &'a mut Code,
        roots: &[ExprId],
        set: &[VarId],
    ) -> Compiled {
        let next = Size { words: layout.words.len() as u32, wides: layout.wides.len() as u32 };
        let mut compiler = Compiler {
            program,
            layout,
            code,
            next,
            users: program.exprs.uses(roots),
            known: FxHashMap::default(),
            order: Vec::new(),
            lazy: false,
            shared: FxHashMap::default(),
            pending: Vec::new(),
        };
        let start = compiler.here();
        let places: SmallVec<[Place; 2]> = roots.iter().map(|&root| compiler.emit(root)).collect();
        for (&var, &place) in set.iter().zip(&places) {
            compiler.set(var, place);
        }
        compiler.push(Instr::End);
        compiler.subroutines();
        let Compiler { code, next, .. } = compiler;
        code.size.words = code.size.words.max(next.words);
        code.size.wides = code.size.wides.max(next.wides);
        Compiled { start, places }
    }

    fn here(&self) -> u32 {
        self.code.instrs.len() as u32
    }

    fn push(&mut self, instr: Instr) -> u32 {
        self.code.instrs.push(instr);
        self.here() - 1
    }

    /// Makes a jump lead to the next instruction.
    fn land(&mut self, jump: u32) {
        let here = self.here();
        match &mut self.code.instrs[jump as usize] {
            Instr::JumpIf { to, .. } | Instr::JumpUnless { to, .. } | Instr::Jump { to } => *to = here,
            other => unreachable!("{other:?} is no jump"),
        }
    }

    fn set(&mut self, var: VarId, place: Place) {
        let Slot { global, place: slot } = self.layout.slots[var];
        match (place, slot) {
            (Place::Word(src), Place::Word(slot)) if global => self.push(Instr::SetGlobal { slot, src }),
            (Place::Word(src), Place::Word(slot)) => self.push(Instr::SetLocal { slot, src }),
            (Place::Wide(src) | Place::Word(src), _) => self.push(Instr::SetWide { var, src }),
        };
    }

    fn copy(&mut self, dst: Place, src: Place) {
        match (dst, src) {
            (Place::Word(dst), Place::Word(src)) => self.push(Instr::Copy { dst, src }),
            (Place::Wide(dst) | Place::Word(dst), Place::Wide(src) | Place::Word(src)) => {
                self.push(Instr::CopyWide { dst, src })
            }
        };
    }

    /// Emits the code of an expression, unless a register holds its value. Returns its place.
    fn emit(&mut self, id: ExprId) -> Place {
        if let Expr::Const(value) = self.program.exprs[id] {
            return self.layout.consts[value];
        }
        if let Some(&place) = self.known.get(&id) {
            return place;
        }
        let several = self.users.get(&id).is_some_and(|&count| count > 1);
        let variable = matches!(self.program.exprs[id], Expr::Var(_));
        let place = if self.shared.contains_key(&id) || (self.lazy && several && !variable) {
            self.force(id)
        } else {
            stacker::maybe_grow(64 * 1024, 4 * 1024 * 1024, || self.inline(id))
        };
        self.known.insert(id, place);
        self.order.push(id);
        place
    }

    fn force(&mut self, id: ExprId) -> Place {
        let (shared, place) = match self.shared.get(&id) {
            Some(&known) => known,
            None => {
                let place = self.next.place(self.program.exprs.ty(id));
                let index = self.code.shared.len() as u32;
                self.code.shared.push(0);
                self.shared.insert(id, (index, place));
                self.pending.push(id);
                (index, place)
            }
        };
        self.push(Instr::Force { shared });
        place
    }

    /// Emits the subroutines of the shared nodes.
    fn subroutines(&mut self) {
        self.lazy = true;
        while let Some(id) = self.pending.pop() {
            self.known.clear();
            self.order.clear();
            let (index, dst) = self.shared[&id];
            self.code.shared[index as usize] = self.here();
            let place = self.inline(id);
            self.copy(dst, place);
            self.push(Instr::Return);
        }
    }

    /// Emits an operand that is computed on some branches only, and copies it.
    fn emit_lazily(&mut self, id: ExprId, dst: Place) {
        let (mark, lazy) = (self.order.len(), self.lazy);
        self.lazy = true;
        let place = self.emit(id);
        self.copy(dst, place);
        self.lazy = lazy;
        for id in self.order.drain(mark..) {
            self.known.remove(&id);
        }
    }

    fn inline(&mut self, id: ExprId) -> Place {
        let ty = self.program.exprs.ty(id);
        match self.program.exprs[id] {
            Expr::Const(value) => self.layout.consts[value],
            Expr::Var(var) => self.variable(var, ty),
            Expr::Binary(op @ (BinOp::BoolAnd | BinOp::BoolOr), a, b) => {
                let left = self.emit(a);
                let dst = self.next.place(ty);
                self.copy(dst, left);
                let jump = self.jump_on(left, op == BinOp::BoolOr);
                self.emit_lazily(b, dst);
                self.land(jump);
                dst
            }
            Expr::Ite(c, a, b) => {
                let cond = self.emit(c);
                let dst = self.next.place(ty);
                let to_else = self.jump_on(cond, false);
                self.emit_lazily(a, dst);
                let to_end = self.push(Instr::Jump { to: 0 });
                self.land(to_else);
                self.emit_lazily(b, dst);
                self.land(to_end);
                dst
            }
            Expr::Unary(op, a) => self.unary(op, a, ty),
            Expr::Binary(op, a, b) => self.binary(op, a, b, ty),
            Expr::Fma(a, b, c) => self.general(GeneralOp::Fma, &[a, b, c], ty),
            Expr::Extract { hi, lo, arg } => match self.emit(arg) {
                Place::Word(a) => {
                    let (dst, width) = (self.word(ty), (hi - lo + 1) as u8);
                    self.push(Instr::Extract { lo: lo as u8, width, dst, a });
                    Place::Word(dst)
                }
                Place::Wide(_) => self.general(GeneralOp::Extract { hi, lo }, &[arg], ty),
            },
            Expr::Cast(op, to, a) => self.cast(op, to, a),
            Expr::Load { region, addr, ty } => self.load(region, addr, ty),
        }
    }

    fn jump_on(&mut self, cond: Place, truth: bool) -> u32 {
        let (Place::Word(cond) | Place::Wide(cond)) = cond;
        self.push(if truth { Instr::JumpIf { cond, to: 0 } } else { Instr::JumpUnless { cond, to: 0 } })
    }

    /// A new word register.
    fn word(&mut self, ty: Type) -> u32 {
        let (Place::Word(index) | Place::Wide(index)) = self.next.place(ty);
        index
    }

    fn variable(&mut self, var: VarId, ty: Type) -> Place {
        let dst = self.next.place(ty);
        let Slot { global, place } = self.layout.slots[var];
        match (dst, place) {
            (Place::Word(dst), Place::Word(slot)) if global => self.push(Instr::Global { dst, slot, var }),
            (Place::Word(dst), Place::Word(slot)) => self.push(Instr::Local { dst, slot, var }),
            (Place::Wide(dst) | Place::Word(dst), _) => self.push(Instr::WideVar { dst, var }),
        };
        dst
    }

    fn unary(&mut self, op: UnOp, a: ExprId, ty: Type) -> Place {
        let width = match self.program.exprs.ty(a) {
            Type::Bool => 1,
            Type::Bv(width @ 1..=64) => width as u8,
            _ => return self.general(GeneralOp::Unary(op), &[a], ty),
        };
        let (Place::Word(a) | Place::Wide(a)) = self.emit(a);
        let dst = self.word(ty);
        self.push(Instr::Unary { op, width, dst, a });
        Place::Word(dst)
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId, ty: Type) -> Place {
        // A concatenation needs the width of its lower operand.
        let operand = self.program.exprs.ty(b);
        if !word::has_binary(op, operand, ty) {
            return self.general(GeneralOp::Binary(op), &[a, b], ty);
        }
        let width = operand.memory_bits().unwrap_or(1) as u8;
        let (Place::Word(a) | Place::Wide(a)) = self.emit(a);
        let (Place::Word(b) | Place::Wide(b)) = self.emit(b);
        let dst = self.word(ty);
        self.push(Instr::Binary { op, width, dst, a, b });
        Place::Word(dst)
    }

    fn cast(&mut self, op: CastOp, to: Type, arg: ExprId) -> Place {
        let from = self.program.exprs.ty(arg);
        if !word::fits(from) || !word::fits(to) {
            return self.general(GeneralOp::Cast(op, to), &[arg], to);
        }
        match (op, from, to) {
            // Words of both types are the same.
            (CastOp::ZExt | CastOp::ToBits, _, _) => self.emit(arg),
            (CastOp::SExt, Type::Bv(from), Type::Bv(width)) => {
                let (Place::Word(a) | Place::Wide(a)) = self.emit(arg);
                let dst = self.word(to);
                self.push(Instr::SExt { from: from as u8, to: width as u8, dst, a });
                Place::Word(dst)
            }
            _ => self.general(GeneralOp::Cast(op, to), &[arg], to),
        }
    }

    fn general(&mut self, op: GeneralOp, args: &[ExprId], ty: Type) -> Place {
        let args = args.iter().map(|&arg| (self.emit(arg), self.program.exprs.ty(arg))).collect();
        let dst = self.next.place(ty);
        self.code.general.push(General { op, args, dst });
        self.push(Instr::General(self.code.general.len() as u32 - 1));
        dst
    }

    fn load(&mut self, region: RegionId, addr: ExprId, ty: Type) -> Place {
        let (Place::Word(addr) | Place::Wide(addr)) = self.emit(addr);
        let dst = self.next.place(ty);
        let cells = cells_of(ty, self.program.regions[region].cell).unwrap_or(1);
        self.code.loads.push(Load { region, addr, ty, cells, dst });
        self.push(Instr::Load(self.code.loads.len() as u32 - 1));
        dst
    }
}
