//! Bit-vector values and their arithmetic, for any width.
//!
//! Every operation works modulo two to the width. Widths up to 64 are one machine word; wider ones
//! go through big integers, which is slow and rare.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;

/// A bit-vector value.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    repr: Repr,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    /// Widths up to 64; the bits above the width are zero.
    Small(u64),
    /// Widths above 64; below two to the width.
    Big(BigUint),
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

impl Bits {
    /// The value modulo two to the width.
    pub fn new(width: u32, value: u64) -> Bits {
        let repr =
            if width <= 64 { Repr::Small(value & mask(width)) } else { Repr::Big(BigUint::from(value)) };
        Bits { width, repr }
    }

    /// The two's complement of the value modulo two to the width.
    pub fn from_i64(width: u32, value: i64) -> Bits {
        if width <= 64 {
            Bits::new(width, value as u64)
        } else {
            Bits::from_bigint(width, &BigInt::from(value))
        }
    }

    /// The value modulo two to the width.
    pub fn from_u128(width: u32, value: u128) -> Bits {
        if width <= 64 { Bits::new(width, value as u64) } else { Bits::from_big(width, BigUint::from(value)) }
    }

    /// The value modulo two to the width.
    pub fn from_big(width: u32, value: BigUint) -> Bits {
        if width <= 64 {
            let low = value.iter_u64_digits().next().unwrap_or(0);
            return Bits::new(width, low);
        }
        let value = if value.bits() > u64::from(width) { value % (BigUint::one() << width) } else { value };
        Bits { width, repr: Repr::Big(value) }
    }

    /// The two's complement of the value modulo two to the width.
    pub fn from_bigint(width: u32, value: &BigInt) -> Bits {
        let modulus = BigInt::one() << width;
        let mut rest = value % &modulus;
        if rest.sign() == Sign::Minus {
            rest += &modulus;
        }
        Bits::from_big(width, rest.to_biguint().unwrap_or_default())
    }

    /// All zeros.
    pub fn zero(width: u32) -> Bits {
        Bits::new(width, 0)
    }

    /// All ones.
    pub fn ones(width: u32) -> Bits {
        Bits::from_i64(width, -1)
    }

    /// Number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The unsigned value, if it fits.
    pub fn to_u64(&self) -> Option<u64> {
        match &self.repr {
            Repr::Small(value) => Some(*value),
            Repr::Big(value) => value.to_u64(),
        }
    }

    /// The unsigned value, if it fits.
    pub fn to_u128(&self) -> Option<u128> {
        match &self.repr {
            Repr::Small(value) => Some(u128::from(*value)),
            Repr::Big(value) => value.to_u128(),
        }
    }

    /// The signed value, if it fits.
    pub fn to_i64(&self) -> Option<i64> {
        match self.repr {
            Repr::Small(value) => {
                let shift = 64 - self.width.clamp(1, 64);
                Some(((value << shift) as i64) >> shift)
            }
            Repr::Big(_) => self.to_bigint().to_i64(),
        }
    }

    /// The unsigned value.
    pub fn to_biguint(&self) -> BigUint {
        match &self.repr {
            Repr::Small(value) => BigUint::from(*value),
            Repr::Big(value) => value.clone(),
        }
    }

    /// The signed value.
    pub fn to_bigint(&self) -> BigInt {
        let value = BigInt::from(self.to_biguint());
        if self.sign() { value - (BigInt::one() << self.width) } else { value }
    }

    /// The bytes of the value, least significant first; the last one is padded with zeros.
    pub fn to_le_bytes(&self) -> Vec<u8> {
        let mut bytes = match &self.repr {
            Repr::Small(value) => value.to_le_bytes().to_vec(),
            Repr::Big(value) => value.to_bytes_le(),
        };
        bytes.resize(self.width.div_ceil(8) as usize, 0);
        bytes
    }

    /// The value of bytes, least significant first, modulo two to the width.
    pub fn from_le_bytes(width: u32, bytes: &[u8]) -> Bits {
        Bits::from_big(width, BigUint::from_bytes_le(bytes))
    }

    /// Whether every bit is zero.
    pub fn is_zero(&self) -> bool {
        match &self.repr {
            Repr::Small(value) => *value == 0,
            Repr::Big(value) => value.is_zero(),
        }
    }

    /// Whether every bit is one.
    pub fn is_ones(&self) -> bool {
        match &self.repr {
            Repr::Small(value) => *value == mask(self.width),
            Repr::Big(value) => value.count_ones() == u64::from(self.width),
        }
    }

    /// The bit at an index, 0 being the least significant.
    pub fn bit(&self, index: u32) -> bool {
        match &self.repr {
            Repr::Small(value) => index < 64 && value >> index & 1 == 1,
            Repr::Big(value) => value.bit(u64::from(index)),
        }
    }

    /// The most significant bit.
    pub fn sign(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// Combines two values of one width by a function on words or on big integers.
    fn zip(
        &self,
        other: &Bits,
        small: impl FnOnce(u64, u64) -> u64,
        big: impl FnOnce(&BigUint, &BigUint) -> BigUint,
    ) -> Bits {
        debug_assert_eq!(self.width, other.width);
        match (&self.repr, &other.repr) {
            (Repr::Small(a), Repr::Small(b)) => Bits::new(self.width, small(*a, *b)),
            (Repr::Big(a), Repr::Big(b)) => Bits::from_big(self.width, big(a, b)),
            _ => Bits::from_big(self.width, big(&self.to_biguint(), &other.to_biguint())),
        }
    }

    /// Sum.
    pub fn add(&self, other: &Bits) -> Bits {
        self.zip(other, u64::wrapping_add, |a, b| a + b)
    }

    /// Difference.
    pub fn sub(&self, other: &Bits) -> Bits {
        self.zip(other, u64::wrapping_sub, |a, b| (BigUint::one() << self.width) + a - b)
    }

    /// Product.
    pub fn mul(&self, other: &Bits) -> Bits {
        self.zip(other, u64::wrapping_mul, |a, b| a * b)
    }

    /// Two's complement.
    pub fn neg(&self) -> Bits {
        Bits::zero(self.width).sub(self)
    }

    /// Bitwise complement.
    pub fn not(&self) -> Bits {
        Bits::ones(self.width).sub(self)
    }

    /// Bitwise and.
    pub fn and(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a & b, |a, b| a & b)
    }

    /// Bitwise or.
    pub fn or(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a | b, |a, b| a | b)
    }

    /// Bitwise exclusive or.
    pub fn xor(&self, other: &Bits) -> Bits {
        self.zip(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// Unsigned quotient; all ones when the divisor is zero.
    pub fn udiv(&self, other: &Bits) -> Bits {
        if other.is_zero() {
            return Bits::ones(self.width);
        }
        self.zip(other, |a, b| a / b, |a, b| a / b)
    }

    /// Unsigned remainder; the dividend when the divisor is zero.
    pub fn urem(&self, other: &Bits) -> Bits {
        if other.is_zero() {
            return self.clone();
        }
        self.zip(other, |a, b| a % b, |a, b| a % b)
    }

    fn abs(&self) -> Bits {
        if self.sign() { self.neg() } else { self.clone() }
    }

    /// Signed quotient, rounded towards zero.
    pub fn sdiv(&self, other: &Bits) -> Bits {
        let magnitude = self.abs().udiv(&other.abs());
        if self.sign() == other.sign() { magnitude } else { magnitude.neg() }
    }

    /// Signed remainder, with the sign of the dividend.
    pub fn srem(&self, other: &Bits) -> Bits {
        let magnitude = self.abs().urem(&other.abs());
        if self.sign() { magnitude.neg() } else { magnitude }
    }

    /// The shift distance, or nothing when it is not below the width.
    fn shift_distance(&self, by: &Bits) -> Option<u32> {
        by.to_u64().filter(|&n| n < u64::from(self.width)).map(|n| n as u32)
    }

    /// Left shift; zero when the distance is not below the width.
    pub fn shl(&self, by: &Bits) -> Bits {
        let Some(n) = self.shift_distance(by) else { return Bits::zero(self.width) };
        match &self.repr {
            Repr::Small(value) => Bits::new(self.width, value << n),
            Repr::Big(value) => Bits::from_big(self.width, value << n),
        }
    }

    /// Logical right shift; zero when the distance is not below the width.
    pub fn lshr(&self, by: &Bits) -> Bits {
        let Some(n) = self.shift_distance(by) else { return Bits::zero(self.width) };
        match &self.repr {
            Repr::Small(value) => Bits::new(self.width, value >> n),
            Repr::Big(value) => Bits::from_big(self.width, value >> n),
        }
    }

    /// Arithmetic right shift; copies of the sign when the distance is not below the width.
    pub fn ashr(&self, by: &Bits) -> Bits {
        if !self.sign() {
            return self.lshr(by);
        }
        self.not().lshr(by).not()
    }

    /// Unsigned order.
    pub fn ucmp(&self, other: &Bits) -> Ordering {
        match (&self.repr, &other.repr) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            _ => self.to_biguint().cmp(&other.to_biguint()),
        }
    }

    /// Signed order.
    pub fn scmp(&self, other: &Bits) -> Ordering {
        other.sign().cmp(&self.sign()).then_with(|| self.ucmp(other))
    }

    /// The bits from `lo` to `hi`, both included.
    pub fn extract(&self, hi: u32, lo: u32) -> Bits {
        debug_assert!(lo <= hi && hi < self.width);
        match &self.repr {
            Repr::Small(value) => Bits::new(hi - lo + 1, value >> lo),
            Repr::Big(value) => Bits::from_big(hi - lo + 1, value >> lo),
        }
    }

    /// These bits above those of `low`.
    pub fn concat(&self, low: &Bits) -> Bits {
        let width = self.width + low.width;
        match (&self.repr, &low.repr) {
            (Repr::Small(a), Repr::Small(b)) if width <= 64 => Bits::new(width, a << low.width | b),
            _ => Bits::from_big(width, (self.to_biguint() << low.width) | low.to_biguint()),
        }
    }

    /// Extension with zeros, or nothing but the same bits when the width is equal.
    pub fn zext(&self, width: u32) -> Bits {
        match &self.repr {
            Repr::Small(value) => Bits::new(width, *value),
            Repr::Big(value) => Bits::from_big(width, value.clone()),
        }
    }

    /// Extension with copies of the sign.
    pub fn sext(&self, width: u32) -> Bits {
        if !self.sign() {
            return self.zext(width);
        }
        self.not().zext(width).not()
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}i{}", self.to_biguint(), self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same value at a width of 64 and less, and in the low bits of a wide one.
    fn truncated(width: u32, value: u64) -> (u64, Bits) {
        (value & mask(width), Bits::new(width, value))
    }

    proptest! {
        #[test]
        fn agrees_with_machine_words(a: u64, b: u64) {
            let (x, y) = (Bits::new(64, a), Bits::new(64, b));
            prop_assert_eq!(x.add(&y).to_u64(), Some(a.wrapping_add(b)));
            prop_assert_eq!(x.sub(&y).to_u64(), Some(a.wrapping_sub(b)));
            prop_assert_eq!(x.mul(&y).to_u64(), Some(a.wrapping_mul(b)));
            prop_assert_eq!(x.scmp(&y), (a as i64).cmp(&(b as i64)));
            if b != 0 {
                prop_assert_eq!(x.sdiv(&y).to_i64(), Some((a as i64).wrapping_div(b as i64)));
                prop_assert_eq!(x.srem(&y).to_i64(), Some((a as i64).wrapping_rem(b as i64)));
            }
            let n = Bits::new(64, b % 70);
            prop_assert_eq!(x.shl(&n).to_u64(), Some(a.checked_shl((b % 70) as u32).unwrap_or(0)));
            prop_assert_eq!(x.lshr(&n).to_u64(), Some(a.checked_shr((b % 70) as u32).unwrap_or(0)));
            let filled = if (a as i64) < 0 { -1 } else { 0 };
            prop_assert_eq!(x.ashr(&n).to_i64(), Some((a as i64).checked_shr((b % 70) as u32).unwrap_or(filled)));
        }

        #[test]
        fn wide_agrees_with_u128(a: u128, b: u128) {
            let (x, y) = (Bits::from_u128(128, a), Bits::from_u128(128, b));
            prop_assert_eq!(x.add(&y).to_u128(), Some(a.wrapping_add(b)));
            prop_assert_eq!(x.sub(&y).to_u128(), Some(a.wrapping_sub(b)));
            prop_assert_eq!(x.mul(&y).to_u128(), Some(a.wrapping_mul(b)));
            prop_assert_eq!(x.xor(&y).to_u128(), Some(a ^ b));
            prop_assert_eq!(x.not().to_u128(), Some(!a));
            prop_assert_eq!(x.scmp(&y), (a as i128).cmp(&(b as i128)));
            if b != 0 {
                prop_assert_eq!(x.sdiv(&y).to_u128(), Some((a as i128).wrapping_div(b as i128) as u128));
                prop_assert_eq!(x.srem(&y).to_u128(), Some((a as i128).wrapping_rem(b as i128) as u128));
            }
            prop_assert_eq!(x.extract(95, 32).to_u64(), Some((a >> 32) as u64));
            prop_assert_eq!(Bits::from_le_bytes(128, &x.to_le_bytes()), x);
        }

        #[test]
        fn extension_keeps_the_value(width in 1u32..=64, to in 64u32..200, value: u64) {
            let (plain, bits) = truncated(width, value);
            prop_assert_eq!(bits.zext(to).to_u64(), Some(plain));
            prop_assert_eq!(bits.sext(to).to_bigint(), bits.to_bigint());
            prop_assert_eq!(bits.concat(&Bits::new(40, value)).extract(39, 0), Bits::new(40, value));
            prop_assert_eq!(bits.concat(&Bits::new(40, value)).extract(39 + width, 40), bits);
        }
    }

    #[test]
    fn division_by_zero_is_total() {
        let x = Bits::new(8, 200);
        assert_eq!(x.udiv(&Bits::zero(8)), Bits::ones(8));
        assert_eq!(x.urem(&Bits::zero(8)), x);
        assert_eq!(Bits::new(8, 0x80).sdiv(&Bits::ones(8)), Bits::new(8, 0x80));
    }
}
