//! Numbers as bincode 2 writes them in its standard configuration; the bytes of all files depend on it.
//!
//! A number below 251 is one byte; 251, 252, 253 and 254 announce two, four, eight and sixteen bytes, least significant
//! first. Signed numbers are folded before (0, -1, 1, -2 ... become 0, 1, 2, 3 ...). Numbers of eight bits and truth
//! values are one byte, floats eight.
//!
//! bincode itself is no longer maintained (RUSTSEC-2025-0141). `tests/bincode.rs` holds this module against its last
//! version: the same bytes are written, and the same are read or refused.

use super::wire_error::{Decoded, WireError};

/// The greatest number that is its own byte.
const GREATEST_BYTE: u8 = 250;
const TWO: u8 = 251;
const FOUR: u8 = 252;
const EIGHT: u8 = 253;
const SIXTEEN: u8 = 254;

/// A number that can be part of a body.
pub(super) trait Number: Sized {
    /// Appends it.
    fn write(self, out: &mut Vec<u8>);
    /// Takes it from the front.
    fn read(rest: &mut &[u8]) -> Decoded<Self>;
}

#[cold]
fn too_short() -> WireError {
    WireError::new("the body ends too early")
}

#[cold]
fn malformed() -> WireError {
    WireError::new("a number has no valid encoding")
}

#[inline]
fn take<const N: usize>(rest: &mut &[u8]) -> Decoded<[u8; N]> {
    let (taken, after) = rest.split_first_chunk::<N>().ok_or_else(too_short)?;
    *rest = after;
    Ok(*taken)
}

/// Reads a number that may be announced, with at most `size` bytes.
fn announced(rest: &mut &[u8], size: usize) -> Decoded<u128> {
    Ok(match take::<1>(rest)?[0] {
        byte @ ..=GREATEST_BYTE => byte.into(),
        TWO => u16::from_le_bytes(take(rest)?).into(),
        FOUR if size >= 4 => u32::from_le_bytes(take(rest)?).into(),
        EIGHT if size >= 8 => u64::from_le_bytes(take(rest)?).into(),
        SIXTEEN if size >= 16 => u128::from_le_bytes(take(rest)?),
        _ => return Err(malformed()),
    })
}

/// Appends a number as short as it can be.
fn announce(value: u128, out: &mut Vec<u8>) {
    let mut write = |tag: u8, size: usize| {
        out.push(tag);
        out.extend_from_slice(&value.to_le_bytes()[..size]);
    };
    match value {
        0..=0xfa => out.push(value as u8),
        0xfb..=0xffff => write(TWO, 2),
        0x1_0000..=0xffff_ffff => write(FOUR, 4),
        0x1_0000_0000..=0xffff_ffff_ffff_ffff => write(EIGHT, 8),
        _ => write(SIXTEEN, 16),
    }
}

macro_rules! unsigned_and_signed {
    ($($unsigned:ty, $signed:ty);*) => {$(
        impl Number for $unsigned {
            #[inline]
            fn write(self, out: &mut Vec<u8>) {
                match u8::try_from(self) {
                    Ok(byte @ ..=GREATEST_BYTE) => out.push(byte),
                    _ => announce(self.into(), out),
                }
            }
            #[inline]
            fn read(rest: &mut &[u8]) -> Decoded<Self> {
                match **rest {
                    [byte @ ..=GREATEST_BYTE, ref after @ ..] => {
                        *rest = after;
                        Ok(byte.into())
                    }
                    // No wider number is read than fits.
                    _ => announced(rest, size_of::<$unsigned>()).map(|value| value as $unsigned),
                }
            }
        }

        impl Number for $signed {
            #[inline]
            fn write(self, out: &mut Vec<u8>) {
                ((self << 1) ^ (self >> (<$signed>::BITS - 1))).cast_unsigned().write(out);
            }
            #[inline]
            fn read(rest: &mut &[u8]) -> Decoded<Self> {
                let folded = <$unsigned>::read(rest)?;
                let half = (folded >> 1).cast_signed();
                Ok(if folded % 2 == 0 { half } else { !half })
            }
        }
    )*};
}
unsigned_and_signed!(u16, i16; u32, i32; u64, i64; u128, i128);

macro_rules! bytes {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            #[inline]
            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            #[inline]
            fn read(rest: &mut &[u8]) -> Decoded<Self> {
                take(rest).map(<$ty>::from_le_bytes)
            }
        }
    )*};
}
bytes!(u8, i8, f64);

impl Number for bool {
    #[inline]
    fn write(self, out: &mut Vec<u8>) {
        out.push(self.into());
    }
    #[inline]
    fn read(rest: &mut &[u8]) -> Decoded<Self> {
        match take::<1>(rest)?[0] {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(malformed()),
        }
    }
}
