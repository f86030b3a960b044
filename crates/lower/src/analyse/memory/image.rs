//! The initial bytes of objects.

use crate::analyse::shape::{Addresses, Segment, image};
use beeline_ir::{Bits, Type, Value};
use beeline_module::*;
use std::collections::BTreeMap;

/// The initial bytes of an object.
#[derive(Debug, Default)]
pub(crate) struct Image {
    zeros: Vec<(u64, u64)>,
    bytes: BTreeMap<u64, Vec<u8>>,
}

impl Image {
    pub(super) fn new(module: &Module, global: &Global, addresses: &impl Addresses) -> Image {
        let mut image_ = Image::default();
        let Some(init) = &global.init else { return image_ };
        for (offset, segment) in image(module, global.ty, init, addresses) {
            match segment {
                Segment::Zero(len) => image_.zeros.push((offset, offset + len)),
                Segment::Bytes(bytes) => {
                    image_.bytes.insert(offset, bytes);
                }
            }
        }
        image_
    }

    /// The byte at an offset, if it is known.
    pub(super) fn byte(&self, offset: u64) -> Option<u8> {
        if let Some((start, bytes)) = self.bytes.range(..=offset).next_back()
            && let Some(byte) = bytes.get((offset - start) as usize)
        {
            return Some(*byte);
        }
        self.zeros.iter().any(|zero| zero.0 <= offset && offset < zero.1).then_some(0)
    }

    /// The value of a type at an offset, if all of it is known.
    pub(super) fn value(&self, offset: u64, size: u64, ty: Type, big_endian: bool) -> Option<Value> {
        let mut bytes: Vec<u8> = (offset..offset + size).map(|at| self.byte(at)).collect::<Option<_>>()?;
        if big_endian {
            bytes.reverse();
        }
        Value::from_image(ty, Bits::from_le_bytes(ty.memory_bits()?, &bytes))
    }

    /// The end of the zeros that begin at an offset.
    pub(super) fn zeros_from(&self, offset: u64) -> u64 {
        let Some(end) =
            self.zeros.iter().filter(|zero| zero.0 <= offset && offset < zero.1).map(|zero| zero.1).max()
        else {
            return offset;
        };
        if self
            .bytes
            .range(..=offset)
            .next_back()
            .is_some_and(|(start, bytes)| start + bytes.len() as u64 > offset)
        {
            return offset;
        }
        self.bytes.range(offset..).next().map_or(end, |(start, _)| end.min(*start))
    }
}
