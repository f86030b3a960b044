//! Conversions between floats and integers.

use super::{Float, Format, Number, padded, resized, signed};
use crate::gates::{FALSE, Gates, Word};
use crate::words::number;
use beeline_lrat::Literal;
use beeline_smt::parts::Rounding;

impl Gates {
    /// A float in another format.
    pub(crate) fn float_converted(&mut self, from: Format, to: Format, bits: &[Literal]) -> Word {
        let float = self.float(from, bits);
        let rounded = self.rounded(to, float.sign, &float.number);
        self.special(to, &rounded, float.nan, float.infinite, float.sign)
    }

    /// The float that is nearest to an integer.
    pub(crate) fn float_of_integer(&mut self, to: Format, bits: &[Literal], is_signed: bool) -> Word {
        let sign = if is_signed { bits.last().copied().unwrap_or(FALSE) } else { FALSE };
        let negated = self.negated(bits);
        let digits = self.choose(sign, &negated, bits);
        let exponent = signed(0, to.range(bits.len()));
        let rounded = self.rounded(to, sign, &Number { exponent, digits });
        // Zero has no sign as an integer.
        let some = self.any(bits);
        let sign = self.and(some, sign);
        [&rounded[..rounded.len() - 1], &[sign]].concat()
    }

    /// The integer that a finite float is after truncation, where it fits so many bits; otherwise any.
    pub(crate) fn integer_of_float(&mut self, from: Format, bits: &[Literal], width: usize) -> Word {
        let float = self.float(from, bits);
        let (integer, _) = self.whole(&float, from, width);
        let negated = self.negated(&integer);
        self.choose(float.sign, &negated, &integer)
    }

    /// The digits above the point, in so many bits, and those below: a half, and whether there is more.
    fn whole(&mut self, float: &Float, format: Format, width: usize) -> (Word, [Literal; 2]) {
        let digits = &float.number.digits;
        let exponent = resized(&float.number.exponent, format.range(width.max(format.precision)) + 1);
        let minus = exponent[exponent.len() - 1];
        let magnitude = {
            let negated = self.negated(&exponent);
            self.choose(minus, &negated, &exponent)
        };
        let wide: Word =
            digits.iter().copied().chain(std::iter::repeat(FALSE)).take(width.max(digits.len())).collect();
        let left = self.shifted_left(&wide, &magnitude);
        // Two digits below the point, the second of which stands for all that follow.
        let right = self.shifted_sticky(&padded(digits, 2), &magnitude);
        let whole: Word =
            right[2..].iter().copied().chain(std::iter::repeat(FALSE)).take(wide.len()).collect();
        let chosen = self.choose(minus, &whole, &left);
        let (half, more) = (self.and(minus, right[1]), self.and(minus, right[0]));
        (chosen[..width].to_vec(), [half, more])
    }

    /// The float rounded to an integer.
    pub(crate) fn float_integral(&mut self, format: Format, bits: &[Literal], mode: Rounding) -> Word {
        let float = self.float(format, bits);
        // What has no digits below the point stays as it is.
        let minus = float.number.exponent[float.number.exponent.len() - 1];
        let (whole, [half, more]) = self.whole(&float, format, format.precision + 1);
        let inexact = self.or(half, more);
        let up = match mode {
            Rounding::NearestEven => {
                let odd_or_more = self.or(whole[0], more);
                self.and(half, odd_or_more)
            }
            Rounding::NearestAway => half,
            Rounding::Up => self.and(inexact, -float.sign),
            Rounding::Down => self.and(inexact, float.sign),
            Rounding::Zero => FALSE,
        };
        let digits = self.sum(&whole, &number(0, whole.len()), up).0;
        let exponent = signed(0, format.range(whole.len()));
        let rounded = self.rounded(format, float.sign, &Number { exponent, digits });
        let special = self.or(float.nan, float.infinite);
        let kept = self.or(special, -minus);
        self.choose(kept, bits, &rounded)
    }
}
