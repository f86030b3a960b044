//! The form of LLVM values and memory in the IR: types as lists of leaves, constants as bytes.

use beeline_ir::{Bits, Type};
use beeline_module::{BinaryOp, Const, FnId, GlobalId, Module, TyId, TyKind};
use smallvec::SmallVec;

/// A scalar part of a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Leaf {
    /// Its offset in bytes.
    pub offset: u64,
    /// The type of its values; `i1` is a truth value.
    pub ty: Type,
    /// Bytes that it takes in memory.
    pub size: u64,
    /// Whether a float is represented by its bits, since the program inspects those of NaNs.
    pub as_bits: bool,
}

impl Leaf {
    /// A leaf that is no float, or a float that is represented as one.
    pub(crate) fn new(offset: u64, ty: Type, size: u64) -> Leaf {
        Leaf { offset, ty, size, as_bits: false }
    }

    /// The type of its image in memory: whole bytes, or a float.
    pub(crate) fn memory_type(&self) -> Type {
        match self.ty {
            Type::Float(_) if !self.as_bits => self.ty,
            _ => Type::Bv(self.size as u32 * 8),
        }
    }

    /// The type of a parameter or result that it is.
    pub(crate) fn passed_type(&self) -> Type {
        match self.ty {
            Type::Float(kind) if self.as_bits => Type::Bv(kind.width()),
            ty => ty,
        }
    }
}

/// The leaves of a type; most have one.
pub(crate) type Leaves = SmallVec<[Leaf; 1]>;

/// The most leaves of a type that is divided into them.
pub(crate) const MAX_LEAVES: usize = 4096;

/// The leaves of a type, or nothing for one that has no values or too many leaves.
pub(crate) fn leaves(module: &Module, ty: TyId) -> Option<Leaves> {
    let mut out = Leaves::new();
    collect(module, ty, 0, &mut out).then_some(out)
}

fn collect(module: &Module, ty: TyId, offset: u64, out: &mut Leaves) -> bool {
    if out.len() > MAX_LEAVES {
        return false;
    }
    let size = module.types[ty].store_size;
    match module.kind(ty) {
        TyKind::Int(1) => out.push(Leaf::new(offset, Type::Bool, size)),
        TyKind::Int(width) => out.push(Leaf::new(offset, Type::Bv(*width), size)),
        TyKind::Float(kind) => {
            out.push(Leaf { as_bits: module.float_bits, ..Leaf::new(offset, Type::Float(*kind), size) })
        }
        TyKind::Ptr => out.push(Leaf::new(offset, Type::Bv(module.pointer_width), size)),
        TyKind::Array(element, count) | TyKind::Vector(element, count) => {
            let step = module.types[*element].size;
            return (0..*count).all(|index| collect(module, *element, offset + index * step, out));
        }
        TyKind::Struct(fields) => {
            return fields.iter().all(|(field, at)| collect(module, *field, offset + at, out));
        }
        TyKind::Void => {}
        TyKind::Func(..) | TyKind::Other(_) => return false,
    }
    true
}

/// The reason that values with [`shares_bytes`] are refused in memory.
pub(crate) const VECTOR_OF_BITS: &str =
    "a vector in memory whose elements are no whole bytes is not supported";

/// Whether a value has a vector in it whose elements share bytes in memory.
pub(crate) fn shares_bytes(module: &Module, ty: TyId) -> bool {
    match module.kind(ty) {
        TyKind::Vector(element, _) => matches!(module.kind(*element), TyKind::Int(width) if width % 8 != 0),
        TyKind::Array(element, _) => shares_bytes(module, *element),
        TyKind::Struct(fields) => fields.iter().any(|(field, _)| shares_bytes(module, *field)),
        _ => false,
    }
}

/// The type of a value that has one leaf.
pub(crate) fn scalar(module: &Module, ty: TyId) -> Option<Type> {
    match module.kind(ty) {
        TyKind::Int(1) => Some(Type::Bool),
        TyKind::Int(width) => Some(Type::Bv(*width)),
        TyKind::Float(kind) => Some(Type::Float(*kind)),
        TyKind::Ptr => Some(Type::Bv(module.pointer_width)),
        _ => None,
    }
}

/// The index of the first leaf at a path of indices into an aggregate, and the type there.
pub(crate) fn leaf_index(module: &Module, ty: TyId, path: &[u32]) -> Option<(usize, TyId)> {
    let Some((&first, rest)) = path.split_first() else { return Some((0, ty)) };
    let count = |ty: TyId| leaves(module, ty).map(|list| list.len());
    let (before, field) = match module.kind(ty) {
        TyKind::Struct(fields) => {
            let mut before = 0;
            for (field, _) in fields.get(..first as usize)? {
                before += count(*field)?;
            }
            (before, fields.get(first as usize)?.0)
        }
        TyKind::Array(element, _) | TyKind::Vector(element, _) => {
            (count(*element)? * first as usize, *element)
        }
        _ => return None,
    };
    let (inner, ty) = leaf_index(module, field, rest)?;
    Some((before + inner, ty))
}

/// Addresses of globals and functions.
pub(crate) trait Addresses {
    /// The address of a global.
    fn global(&self, global: GlobalId) -> u64;
    /// The address of a function.
    fn function(&self, function: FnId) -> u64;
}

/// The value of a scalar constant at a width; nothing for undef and unsupported constants.
pub(crate) fn constant_bits(constant: &Const, width: u32, addresses: &impl Addresses) -> Option<Bits> {
    match constant {
        Const::Int(bits) => Some(if bits.width() == width {
            bits.clone()
        } else {
            bits.zext(width.max(bits.width())).extract(width - 1, 0)
        }),
        Const::Float(_, bits) => Some(bits.clone()),
        Const::Zero => Some(Bits::zero(width)),
        Const::Global(global, offset) => {
            Some(Bits::new(width, addresses.global(*global).wrapping_add_signed(*offset)))
        }
        Const::Func(function) => Some(Bits::new(width, addresses.function(*function))),
        Const::Binary(op, a, b) => {
            let (a, b) = (constant_bits(a, width, addresses)?, constant_bits(b, width, addresses)?);
            Some(match op {
                BinaryOp::Add => a.add(&b),
                BinaryOp::Sub => a.sub(&b),
                BinaryOp::Mul => a.mul(&b),
                BinaryOp::And => a.and(&b),
                BinaryOp::Or => a.or(&b),
                BinaryOp::Xor => a.xor(&b),
                BinaryOp::Shl => a.shl(&b),
                BinaryOp::LShr => a.lshr(&b),
                BinaryOp::AShr => a.ashr(&b),
                _ => return None,
            })
        }
        Const::Resize { to, signed, value } => {
            let from = constant_width(value).unwrap_or(64);
            let value = constant_bits(value, from, addresses)?;
            Some(match (*to < from, signed) {
                (true, _) => value.extract(to - 1, 0),
                (false, true) => value.sext(*to),
                (false, false) => value.zext(*to),
            })
        }
        Const::Undef | Const::Bytes(_) | Const::Aggregate(_) | Const::Unknown(_) => None,
    }
}

/// The width of an integer constant, where the constant has it itself.
fn constant_width(constant: &Const) -> Option<u32> {
    match constant {
        Const::Int(bits) => Some(bits.width()),
        Const::Resize { to, .. } => Some(*to),
        Const::Binary(_, a, b) => constant_width(a).or_else(|| constant_width(b)),
        _ => None,
    }
}

/// The parts of an aggregate constant, with their offsets and types.
fn placed<'c>(
    module: &'c Module,
    ty: TyId,
    parts: &'c [(TyId, Const)],
) -> impl DoubleEndedIterator<Item = (u64, TyId, &'c Const)> {
    parts.iter().enumerate().map(move |(index, (part_ty, part))| {
        let at = match module.kind(ty) {
            TyKind::Struct(fields) => fields.get(index).map_or(0, |field| field.1),
            _ => index as u64 * module.types[*part_ty].size,
        };
        (at, *part_ty, part)
    })
}

/// The pieces that a constant consists of, with offsets and types: the constant itself, if it is no aggregate.
pub(crate) fn pieces<'c>(module: &'c Module, ty: TyId, constant: &'c Const) -> Vec<(u64, TyId, &'c Const)> {
    let (mut found, mut left) = (Vec::new(), vec![(0, ty, constant)]);
    while let Some((offset, ty, constant)) = left.pop() {
        match constant {
            Const::Aggregate(parts) => {
                left.extend(placed(module, ty, parts).rev().map(|(at, ty, part)| (offset + at, ty, part)));
            }
            piece => found.push((offset, ty, piece)),
        }
    }
    found
}

/// The initial content of consecutive bytes of an object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Segment {
    /// A number of zeros.
    Zero(u64),
    /// These bytes.
    Bytes(Vec<u8>),
}

/// The known bytes of a constant, as segments by offset in ascending order; the others are undefined.
pub(crate) fn image(
    module: &Module,
    ty: TyId,
    constant: &Const,
    addresses: &impl Addresses,
) -> Vec<(u64, Segment)> {
    let mut out = Vec::new();
    fill(module, ty, constant, 0, addresses, &mut out);
    out
}

fn fill(
    module: &Module,
    ty: TyId,
    constant: &Const,
    offset: u64,
    addresses: &impl Addresses,
    out: &mut Vec<(u64, Segment)>,
) {
    let size = module.types[ty].store_size;
    match constant {
        Const::Zero => out.push((offset, Segment::Zero(size))),
        Const::Bytes(bytes) => out.push((offset, Segment::Bytes(bytes.clone()))),
        Const::Aggregate(parts) => {
            // Padding between fields is zero: that is what compilers emit, and harmless elsewhere.
            out.push((offset, Segment::Zero(size)));
            for (at, part_ty, part) in placed(module, ty, parts) {
                fill(module, part_ty, part, offset + at, addresses, out);
            }
        }
        Const::Undef | Const::Unknown(_) => {}
        scalar => {
            let width = match module.kind(ty) {
                TyKind::Int(width) => *width,
                TyKind::Float(kind) => kind.width(),
                _ => module.pointer_width,
            };
            if let Some(bits) = constant_bits(scalar, width, addresses) {
                let mut bytes = bits.to_le_bytes();
                bytes.resize(size as usize, 0);
                if module.big_endian {
                    bytes.reverse();
                }
                out.push((offset, Segment::Bytes(bytes)));
            }
        }
    }
}

/// Bits that a leaf takes in a packed value.
pub(crate) fn image_bits(ty: Type) -> u32 {
    match ty {
        Type::Bool => 1,
        Type::Bv(width) => width,
        Type::Float(kind) => kind.width(),
    }
}
