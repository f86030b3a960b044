//! Circuits of IEEE floats, rounded to nearest.
//!
//! A float is the word of its fraction, its exponent and its sign, the lowest bit first. There is one NaN, so that floats are
//! the same exactly if their bits are.

use crate::gates::{FALSE, Gates, TRUE, Word};
use crate::words::{complement, number};
use beeline_lrat::Literal;

mod convert;

/// A format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Format {
    /// The bits of the exponent.
    pub exponent: usize,
    /// The bits of the significand, with the one that is not stored.
    pub precision: usize,
}

/// The parts of a float.
pub(crate) struct Float {
    pub sign: Literal,
    pub nan: Literal,
    pub infinite: Literal,
    pub zero: Literal,
    pub subnormal: Literal,
    /// The absolute value if it is finite.
    pub number: Number,
}

/// An absolute value: digits times two to the power of a signed exponent.
#[derive(Clone)]
pub(crate) struct Number {
    pub exponent: Word,
    pub digits: Word,
}

impl Format {
    /// The bits of a float.
    pub(crate) fn width(self) -> usize {
        self.exponent + self.precision
    }

    fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The width of exponents of numbers with so many digits: it is enough for sums of two of them, and more.
    fn range(self, digits: usize) -> usize {
        self.exponent.max(usize::BITS as usize - digits.leading_zeros() as usize) + 4
    }

    /// The only NaN.
    pub(crate) fn nan(self) -> Word {
        let mut bits = self.infinity(FALSE);
        bits[self.precision - 2] = TRUE;
        bits
    }

    pub(crate) fn infinity(self, sign: Literal) -> Word {
        let mut bits = number(0, self.precision - 1);
        bits.extend(vec![TRUE; self.exponent]);
        bits.push(sign);
        bits
    }
}

/// A signed number in so many bits.
fn signed(value: i64, width: usize) -> Word {
    (0..width).map(|bit| if value >> bit.min(63) & 1 == 1 { TRUE } else { FALSE }).collect()
}

/// A signed number in another width.
fn resized(word: &[Literal], width: usize) -> Word {
    let sign = word.last().copied().unwrap_or(FALSE);
    word.iter().copied().chain(std::iter::repeat(sign)).take(width).collect()
}

/// The digits with so many zeros below them.
fn padded(digits: &[Literal], zeros: usize) -> Word {
    std::iter::repeat_n(FALSE, zeros).chain(digits.iter().copied()).collect()
}

impl Gates {
    /// The float with these bits.
    pub(crate) fn canonical(&mut self, format: Format, bits: &[Literal]) -> Word {
        let nan = self.float(format, bits).nan;
        self.choose(nan, &format.nan(), bits)
    }

    /// The parts of a float.
    pub(crate) fn float(&mut self, format: Format, bits: &[Literal]) -> Float {
        let (fraction, rest) = bits.split_at(format.precision - 1);
        let (field, sign) = rest.split_at(format.exponent);
        let (some_fraction, all, some) = (self.any(fraction), self.all(field), self.any(field));
        let mut digits = fraction.to_vec();
        digits.push(some);
        // The exponent of subnormal numbers is that of the least normal ones.
        let mut field: Word = field.to_vec();
        field[0] = self.or(field[0], -some);
        field.push(FALSE);
        let width = format.range(format.precision);
        let lowest = signed(-format.bias() - (format.precision as i64 - 1), width);
        let exponent = self.sum(&resized(&field, width), &lowest, FALSE).0;
        Float {
            sign: sign[0],
            nan: self.and(all, some_fraction),
            infinite: self.and(all, -some_fraction),
            zero: self.and(-some, -some_fraction),
            subnormal: self.and(-some, some_fraction),
            number: Number { exponent, digits },
        }
    }

    fn plus(&mut self, exponent: &[Literal], value: i64) -> Word {
        let value = signed(value, exponent.len());
        self.sum(exponent, &value, FALSE).0
    }

    /// The same number with a one as its highest digit, unless it is zero.
    fn normal(&mut self, number: &Number, width: usize) -> Number {
        let (mut digits, mut exponent) = (number.digits.clone(), resized(&number.exponent, width));
        let length = digits.len();
        for stage in (0..usize::BITS - (length - 1).leading_zeros()).rev() {
            let by = 1 << stage;
            let empty = -self.any(&digits[length - by..]);
            let moved = padded(&digits[..length - by], by);
            digits = self.choose(empty, &moved, &digits);
            let less = self.plus(&exponent, -(by as i64));
            exponent = self.choose(empty, &less, &exponent);
        }
        Number { exponent, digits }
    }

    /// Digits shifted to the right. The lowest one also stands for all that are lost.
    fn shifted_sticky(&mut self, digits: &[Literal], by: &[Literal]) -> Word {
        let mut shifted = digits.to_vec();
        let mut past = Vec::new();
        for (stage, &bit) in by.iter().enumerate() {
            if stage >= usize::BITS as usize - 1 || 1 << stage >= digits.len() {
                past.push(bit);
                continue;
            }
            let step = 1 << stage;
            let mut moved: Word = shifted[step..].to_vec();
            moved.extend(vec![FALSE; step]);
            let lost = self.any(&shifted[..=step]);
            moved[0] = lost;
            shifted = self.choose(bit, &moved, &shifted);
        }
        let (past, some) = (self.any(&past), self.any(&shifted));
        let mut gone = vec![FALSE; digits.len()];
        gone[0] = some;
        self.choose(past, &gone, &shifted)
    }

    /// The float that is nearest to a number, with ties to even. The lowest digit may stand for what was lost below it.
    pub(crate) fn rounded(&mut self, format: Format, sign: Literal, value: &Number) -> Word {
        let padding = (format.precision + 3).saturating_sub(value.digits.len());
        let length = value.digits.len() + padding;
        let width = format.range(length).max(value.exponent.len() + 1);
        let exponent = resized(&value.exponent, width);
        let exponent = self.plus(&exponent, -(padding as i64));
        let value = self.normal(&Number { exponent, digits: padded(&value.digits, padding) }, width);
        // The exponent of the highest digit, as it is stored; below 1, digits move to the right.
        let field = self.plus(&value.exponent, length as i64 - 1 + format.bias());
        let one = signed(1, width);
        let (below, is_low) = {
            let (difference, _) = self.difference(&one, &field);
            (difference, self.less_signed(&field, &one))
        };
        let none = signed(0, width);
        let by = self.choose(is_low, &below, &none);
        let digits = self.shifted_sticky(&value.digits, &by);
        let low = length - format.precision;
        let kept = &digits[low..];
        let tie = digits[low - 1];
        let beyond = self.any(&digits[..low - 1]);
        let odd_or_beyond = self.or(beyond, kept[0]);
        let up = self.and(tie, odd_or_beyond);
        let highest = kept[format.precision - 1];
        let field = self.choose(highest, &field, &none);
        let mut packed: Word = kept[..format.precision - 1].to_vec();
        packed.extend(&field);
        let packed = self.sum(&packed, &number(0, format.precision - 1 + width), up).0;
        let (fraction, field) = packed.split_at(format.precision - 1);
        let too_large = signed((1 << format.exponent) - 2, width);
        let overflows = self.less_signed(&too_large, field);
        let mut bits = fraction.to_vec();
        bits.extend(&field[..format.exponent]);
        bits.push(sign);
        self.choose(overflows, &format.infinity(sign), &bits)
    }

    /// The sum of numbers with signs and equally many digits, and its sign: positive if it is zero, unless both are negative.
    fn summed(
        &mut self,
        (a, minus_a): (&Number, Literal),
        (b, minus_b): (&Number, Literal),
    ) -> (Number, Literal) {
        const GUARD: usize = 4;
        let width = a.exponent.len().max(b.exponent.len()) + 1;
        let (ea, eb) = (resized(&a.exponent, width), resized(&b.exponent, width));
        // The exponent of zero says nothing.
        let (some_a, some_b) = (self.any(&a.digits), self.any(&b.digits));
        let ea = self.choose(some_a, &ea, &eb);
        let eb = self.choose(some_b, &eb, &ea);
        let swap = self.less_signed(&ea, &eb);
        let (x, y) = (padded(&a.digits, GUARD), padded(&b.digits, GUARD));
        let (high, low) = (self.choose(swap, &y, &x), self.choose(swap, &x, &y));
        let (e_high, e_low) = (self.choose(swap, &eb, &ea), self.choose(swap, &ea, &eb));
        let (minus_high, minus_low) = (self.mux(swap, minus_b, minus_a), self.mux(swap, minus_a, minus_b));
        let distance = self.difference(&e_high, &e_low).0;
        let low = self.shifted_sticky(&low, &distance);
        let wide = high.len() + 2;
        let (high, low) =
            (resized(&[&high[..], &[FALSE]].concat(), wide), resized(&[&low[..], &[FALSE]].concat(), wide));
        let differ = self.xor(minus_high, minus_low);
        let flipped: Word = low.iter().map(|&bit| self.xor(bit, differ)).collect();
        let sum = self.sum(&high, &flipped, differ).0;
        let negative = sum[wide - 1];
        let negated = self.negated(&sum);
        let digits = self.choose(negative, &negated, &sum);
        let sign = self.xor(minus_high, negative);
        let some = self.any(&digits);
        let both = self.and(minus_a, minus_b);
        let sign = self.mux(some, sign, both);
        let exponent = self.plus(&e_high, -(GUARD as i64));
        (Number { exponent, digits }, sign)
    }

    /// A float with other values where it is NaN or infinite.
    fn special(
        &mut self,
        format: Format,
        bits: &[Literal],
        nan: Literal,
        infinite: Literal,
        sign: Literal,
    ) -> Word {
        let bits = self.choose(infinite, &format.infinity(sign), bits);
        self.choose(nan, &format.nan(), &bits)
    }

    pub(crate) fn float_sum(&mut self, format: Format, a: &[Literal], b: &[Literal]) -> Word {
        let (a, b) = (self.float(format, a), self.float(format, b));
        let (sum, sign) = self.summed((&a.number, a.sign), (&b.number, b.sign));
        let rounded = self.rounded(format, sign, &sum);
        let (both, differ) = (self.and(a.infinite, b.infinite), self.xor(a.sign, b.sign));
        let opposite = self.and(both, differ);
        let nan = self.any(&[a.nan, b.nan, opposite]);
        let infinite = self.or(a.infinite, b.infinite);
        let sign = self.mux(a.infinite, a.sign, b.sign);
        self.special(format, &rounded, nan, infinite, sign)
    }

    /// The exact product of two absolute values.
    fn times(&mut self, a: &Number, b: &Number) -> Number {
        let (digits, width) = (a.digits.len() + b.digits.len(), a.exponent.len() + 1);
        let wide = |word: &[Literal]| resized(&[word, &[FALSE]].concat(), digits);
        let digits = self.product(&wide(&a.digits), &wide(&b.digits));
        let exponent = self.sum(&resized(&a.exponent, width), &resized(&b.exponent, width), FALSE).0;
        Number { exponent, digits }
    }

    pub(crate) fn float_product(&mut self, format: Format, a: &[Literal], b: &[Literal]) -> Word {
        let (a, b) = (self.float(format, a), self.float(format, b));
        let product = self.times(&a.number, &b.number);
        let sign = self.xor(a.sign, b.sign);
        let rounded = self.rounded(format, sign, &product);
        let (infinite, zero) = (self.or(a.infinite, b.infinite), self.or(a.zero, b.zero));
        let undefined = self.and(infinite, zero);
        let nan = self.any(&[a.nan, b.nan, undefined]);
        self.special(format, &rounded, nan, infinite, sign)
    }

    /// The product of two floats plus a third one, with one rounding.
    pub(crate) fn float_fma(&mut self, format: Format, [a, b, c]: [&[Literal]; 3]) -> Word {
        let (a, b, c) = (self.float(format, a), self.float(format, b), self.float(format, c));
        let product = self.times(&a.number, &b.number);
        let width = format.range(2 * format.precision).max(product.exponent.len() + 1);
        let product = self.normal(&product, width);
        let exponent = self.plus(&resized(&c.number.exponent, width), -(format.precision as i64));
        let third = Number { exponent, digits: padded(&c.number.digits, format.precision) };
        let minus = self.xor(a.sign, b.sign);
        let (sum, sign) = self.summed((&product, minus), (&third, c.sign));
        let rounded = self.rounded(format, sign, &sum);
        let (infinite, zero) = (self.or(a.infinite, b.infinite), self.or(a.zero, b.zero));
        let undefined = self.and(infinite, zero);
        let differ = self.xor(minus, c.sign);
        let opposite = self.all(&[infinite, c.infinite, differ]);
        let nan = self.any(&[a.nan, b.nan, c.nan, undefined, opposite]);
        let (sign, infinite) = (self.mux(infinite, minus, c.sign), self.or(infinite, c.infinite));
        self.special(format, &rounded, nan, infinite, sign)
    }

    pub(crate) fn float_quotient(&mut self, format: Format, a: &[Literal], b: &[Literal]) -> Word {
        let (a, b) = (self.float(format, a), self.float(format, b));
        let width = format.range(format.precision) + 1;
        let (x, y) = (self.normal(&a.number, width), self.normal(&b.number, width));
        // The remainder stays less than twice the divisor.
        let (mut rest, divisor) = ([&x.digits[..], &[FALSE]].concat(), [&y.digits[..], &[FALSE]].concat());
        let steps = format.precision + 3;
        let mut digits = Word::new();
        for _ in 0..steps {
            let (less, fits) = self.difference(&rest, &divisor);
            digits.insert(0, fits);
            let left = self.choose(fits, &less, &rest);
            rest = padded(&left[..left.len() - 1], 1);
        }
        digits.insert(0, self.any(&rest));
        let exponent = self.difference(&x.exponent, &y.exponent).0;
        let exponent = self.plus(&exponent, -(steps as i64));
        let sign = self.xor(a.sign, b.sign);
        let rounded = self.rounded(format, sign, &Number { exponent, digits });
        // Zero and infinite divisors.
        let rounded = self.choose(b.infinite, &padded(&[sign], format.width() - 1), &rounded);
        let rounded = self.choose(a.zero, &padded(&[sign], format.width() - 1), &rounded);
        let (zeros, infinities) = (self.and(a.zero, b.zero), self.and(a.infinite, b.infinite));
        let nan = self.any(&[a.nan, b.nan, zeros, infinities]);
        let infinite = self.or(a.infinite, b.zero);
        self.special(format, &rounded, nan, infinite, sign)
    }

    pub(crate) fn float_root(&mut self, format: Format, a: &[Literal]) -> Word {
        let bits = a;
        let a = self.float(format, a);
        let width = format.range(format.precision) + 1;
        let value = self.normal(&a.number, width);
        // So many zeros that the exponent becomes even.
        let places = format.precision + 2;
        let odd = self.xor(value.exponent[0], if format.precision % 2 == 1 { TRUE } else { FALSE });
        let (more, less) = (format.precision + 4, format.precision + 3);
        let radicand = {
            let (high, low) =
                (padded(&value.digits, more), [padded(&value.digits, less), vec![FALSE]].concat());
            self.choose(odd, &low, &high)
        };
        let (e_more, e_less) =
            (self.plus(&value.exponent, -(more as i64)), self.plus(&value.exponent, -(less as i64)));
        let exponent = self.choose(odd, &e_less, &e_more);
        let (mut rest, mut root) = (number(0, places + 2), number(0, places));
        for place in (0..places).rev() {
            rest = [&[radicand[2 * place], radicand[2 * place + 1]], &rest[..places]].concat();
            let trial = [&[TRUE, FALSE], &root[..]].concat();
            let (less, fits) = self.difference(&rest, &trial);
            rest = self.choose(fits, &less, &rest);
            root = [&[fits], &root[..places - 1]].concat();
        }
        root.insert(0, self.any(&rest));
        let half: Word = resized(&exponent[1..], width);
        let exponent = self.plus(&half, -1);
        let rounded = self.rounded(format, FALSE, &Number { exponent, digits: root });
        let rounded = self.choose(a.zero, bits, &rounded);
        let negative = self.and(a.sign, -a.zero);
        let nan = self.or(a.nan, negative);
        self.special(format, &rounded, nan, a.infinite, FALSE)
    }

    /// Whether the first float is less than the second.
    pub(crate) fn float_less(&mut self, format: Format, a: &[Literal], b: &[Literal]) -> Literal {
        let ordered = self.ordered(format, a, b);
        let (x, y) = (self.ranked(a), self.ranked(b));
        let less = self.less_signed(&x, &y);
        self.and(ordered, less)
    }

    /// Whether two floats are equal as numbers: zeros are, NaN is to nothing.
    pub(crate) fn float_equal(&mut self, format: Format, a: &[Literal], b: &[Literal]) -> Literal {
        let ordered = self.ordered(format, a, b);
        let (x, y) = (self.ranked(a), self.ranked(b));
        let equal = self.equal(&x, &y);
        self.and(ordered, equal)
    }

    fn ordered(&mut self, format: Format, a: &[Literal], b: &[Literal]) -> Literal {
        let (a, b) = (self.float(format, a), self.float(format, b));
        self.and(-a.nan, -b.nan)
    }

    /// A signed integer that is ordered as floats are.
    fn ranked(&mut self, bits: &[Literal]) -> Word {
        let (magnitude, sign) = bits.split_at(bits.len() - 1);
        let magnitude = [magnitude, &[FALSE]].concat();
        let negated = self.negated(&magnitude);
        self.choose(sign[0], &negated, &magnitude)
    }
}

/// The float with the other sign; there is one NaN.
pub(crate) fn negated(gates: &mut Gates, format: Format, bits: &[Literal]) -> Word {
    let (magnitude, sign) = bits.split_at(bits.len() - 1);
    gates.canonical(format, &[magnitude, &complement(sign)].concat())
}
