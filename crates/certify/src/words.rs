//! Circuits of operations on numbers. A number is the list of its bits, the lowest first.

use crate::gates::{FALSE, Gates, TRUE, Word};
use beeline_lrat::Literal;

/// The number with a value in so many bits.
pub(crate) fn number(value: u64, width: usize) -> Word {
    (0..width).map(|bit| if bit < 64 && value >> bit & 1 == 1 { TRUE } else { FALSE }).collect()
}

/// The value of a number whose bits are all known and that is less than 2^64.
pub(crate) fn known(word: &[Literal]) -> Option<u64> {
    word.iter().enumerate().try_fold(0, |sum, (bit, &literal)| match literal {
        TRUE if bit < 64 => Some(sum | 1 << bit),
        FALSE => Some(sum),
        _ => None,
    })
}

impl Gates {
    /// A number of which nothing is known.
    pub(crate) fn word(&mut self, width: usize) -> Word {
        (0..width).map(|_| self.input()).collect()
    }

    /// Whether two numbers are the same.
    pub(crate) fn equal(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        debug_assert_eq!(a.len(), b.len());
        let same: Vec<Literal> = a.iter().zip(b).map(|(&a, &b)| -self.xor(a, b)).collect();
        self.all(&same)
    }

    /// The second number if a condition holds, otherwise the third.
    pub(crate) fn choose(&mut self, c: Literal, a: &[Literal], b: &[Literal]) -> Word {
        debug_assert_eq!(a.len(), b.len());
        a.iter().zip(b).map(|(&a, &b)| self.mux(c, a, b)).collect()
    }

    /// The sum with a carry into it, and the carry out of it.
    pub(crate) fn sum(&mut self, a: &[Literal], b: &[Literal], carry: Literal) -> (Word, Literal) {
        debug_assert_eq!(a.len(), b.len());
        let mut carry = carry;
        let mut sum = Word::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.majority(a, b, carry);
        }
        (sum, carry)
    }

    pub(crate) fn negated(&mut self, a: &[Literal]) -> Word {
        let zero = number(0, a.len());
        self.sum(&zero, &complement(a), TRUE).0
    }

    /// The difference, and whether it is not negative.
    pub(crate) fn difference(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Literal) {
        self.sum(a, &complement(b), TRUE)
    }

    /// Whether the first number is less than the second, both unsigned.
    pub(crate) fn less(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        let mut less = FALSE;
        for (&a, &b) in a.iter().zip(b) {
            less = self.majority(-a, b, less);
        }
        less
    }

    /// Whether the first number is less than the second, both signed.
    pub(crate) fn less_signed(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        // The order of signs is the other way round.
        let flipped = |word: &[Literal]| {
            let mut word = word.to_vec();
            if let Some(sign) = word.last_mut() {
                *sign = -*sign;
            }
            word
        };
        self.less(&flipped(a), &flipped(b))
    }

    /// The product, in the width of the first number.
    pub(crate) fn product(&mut self, a: &[Literal], b: &[Literal]) -> Word {
        let fixed = |word: &[Literal]| word.iter().filter(|bit| bit.abs() == TRUE).count();
        // The number that decides which multiples are added should be the one with more known bits.
        let (a, b) = if a.len() == b.len() && fixed(a) > fixed(b) { (b, a) } else { (a, b) };
        let mut product = number(0, a.len());
        for (shift, &bit) in b.iter().enumerate().take(a.len()) {
            if bit == FALSE {
                continue;
            }
            let part: Word = a[..a.len() - shift].iter().map(|&literal| self.and(literal, bit)).collect();
            let high = product.split_off(shift);
            product.extend(self.sum(&high, &part, FALSE).0);
        }
        product
    }

    /// The number shifted by another one, in the direction in which `from` says what bit moves to a place; `fill` comes
    /// from outside.
    fn shifted(
        &mut self,
        a: &[Literal],
        by: &[Literal],
        fill: Literal,
        from: impl Fn(usize, usize) -> Option<usize>,
    ) -> Word {
        let mut shifted = a.to_vec();
        let mut past = Vec::new();
        for (stage, &bit) in by.iter().enumerate() {
            if stage >= usize::BITS as usize - 1 || 1 << stage >= a.len() {
                past.push(bit);
                continue;
            }
            let moved: Word = (0..a.len())
                .map(|place| {
                    from(place, 1 << stage).and_then(|from| shifted.get(from).copied()).unwrap_or(fill)
                })
                .collect();
            shifted = self.choose(bit, &moved, &shifted);
        }
        let past = self.any(&past);
        let all = vec![fill; a.len()];
        self.choose(past, &all, &shifted)
    }

    pub(crate) fn shifted_left(&mut self, a: &[Literal], by: &[Literal]) -> Word {
        self.shifted(a, by, FALSE, |place, by| place.checked_sub(by))
    }

    pub(crate) fn shifted_right(&mut self, a: &[Literal], by: &[Literal], fill: Literal) -> Word {
        self.shifted(a, by, fill, |place, by| place.checked_add(by))
    }

    /// The unsigned quotient and remainder; all ones and the dividend for division by zero.
    pub(crate) fn divided(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Word) {
        match known(b) {
            Some(divisor) if divisor > 0 && a.iter().any(|bit| bit.abs() != TRUE) => {
                self.divided_by_constant(a, divisor)
            }
            _ => self.divided_by_steps(a, b),
        }
    }

    /// A step for each bit of the quotient: subtract where the remainder is not less than the divisor.
    fn divided_by_steps(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Word) {
        let width = a.len();
        let mut divisor = b.to_vec();
        divisor.push(FALSE);
        let (mut quotient, mut rest) = (number(0, width), number(0, width + 1));
        for bit in (0..width).rev() {
            // The lost bit is zero: what was left is less than the divisor, or no more than the dividend's highest bits.
            rest.pop();
            rest.insert(0, a[bit]);
            let (less, fits) = self.difference(&rest, &divisor);
            quotient[bit] = fits;
            rest = self.choose(fits, &less, &rest);
        }
        rest.pop();
        (quotient, rest)
    }

    /// Quotient and remainder are the only numbers such that the quotient times the divisor plus the remainder is the
    /// dividend, and the remainder is less than the divisor.
    fn divided_by_constant(&mut self, a: &[Literal], divisor: u64) -> (Word, Word) {
        let width = a.len();
        let log = divisor.ilog2() as usize;
        if divisor.is_power_of_two() {
            let quotient = a[log..].iter().copied().chain(std::iter::repeat_n(FALSE, log)).collect();
            let rest = a[..log].iter().copied().chain(std::iter::repeat_n(FALSE, width - log)).collect();
            return (quotient, rest);
        }
        if let Some(known) = self.quotients.get(&(a.to_vec(), divisor)) {
            return known.clone();
        }
        // The quotient has no more bits, and nothing overflows in two bits more than the dividend has.
        let extended = |word: &[Literal], width| {
            word.iter().copied().chain(std::iter::repeat(FALSE)).take(width).collect::<Word>()
        };
        let wide = width + 2;
        let quotient = self.word(width - log);
        let rest = self.word((log + 1).min(width));
        let product = self.product(&extended(&quotient, wide), &number(divisor, wide));
        let (sum, _) = self.sum(&product, &extended(&rest, wide), FALSE);
        for (&sum, &bit) in sum.iter().zip(&extended(a, wide)) {
            self.assert(&[-sum, bit]);
            self.assert(&[sum, -bit]);
        }
        let less = self.less(&rest, &number(divisor, rest.len()));
        self.assert(&[less]);
        let both = (extended(&quotient, width), extended(&rest, width));
        self.quotients.insert((a.to_vec(), divisor), both.clone());
        both
    }

    fn magnitude(&mut self, a: &[Literal]) -> (Word, Literal) {
        let sign = a.last().copied().unwrap_or(FALSE);
        let negated = self.negated(a);
        (self.choose(sign, &negated, a), sign)
    }

    /// The signed quotient and remainder.
    pub(crate) fn divided_signed(&mut self, a: &[Literal], b: &[Literal]) -> (Word, Word) {
        let ((x, negative), (y, other)) = (self.magnitude(a), self.magnitude(b));
        let (quotient, rest) = self.divided(&x, &y);
        let (minus_quotient, minus_rest) = (self.negated(&quotient), self.negated(&rest));
        let differ = self.xor(negative, other);
        (self.choose(differ, &minus_quotient, &quotient), self.choose(negative, &minus_rest, &rest))
    }
}

/// The bits of a number, each negated.
pub(crate) fn complement(word: &[Literal]) -> Word {
    word.iter().map(|literal| -literal).collect()
}
