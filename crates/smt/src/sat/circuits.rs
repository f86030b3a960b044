//! Circuits of the operators on bit-vectors. A word is a sequence of literals, the lowest bit first.

use super::clauses::Literal;
use super::gates::{Gates, Refused, TRUE};

/// A word that others may share.
pub(super) type Word = std::rc::Rc<[Literal]>;

/// Whether words are signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Unsigned,
    Signed,
}

/// The direction of a shift, and what moves in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shift {
    Left,
    Logical,
    Arithmetic,
}

/// Each bit inverted.
pub(super) fn inverted(word: &[Literal]) -> Vec<Literal> {
    word.iter().map(|&bit| -bit).collect()
}

/// A word with copies of a literal above it.
pub(super) fn widened(word: &[Literal], width: usize, fill: Literal) -> Vec<Literal> {
    let mut wide = word.to_vec();
    wide.resize(width, fill);
    wide
}

/// The number that a word of known bits is, if it has at most 64 of them.
pub(super) fn known(word: &[Literal]) -> Option<u64> {
    if word.len() > 64 {
        return None;
    }
    word.iter().rev().try_fold(0, |number, &bit| match bit {
        TRUE => Some(number << 1 | 1),
        bit if bit == -TRUE => Some(number << 1),
        _ => None,
    })
}

// A fault for tests of who notices: sums lose their carries.
#[cfg(test)]
thread_local! {
    pub(crate) static LOSES_CARRIES: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

impl Gates {
    /// The sum of two words and a carry.
    pub(super) fn sum(&mut self, a: &[Literal], b: &[Literal], mut carry: Literal) -> Vec<Literal> {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.majority(a, b, carry);
            #[cfg(test)]
            if LOSES_CARRIES.get() {
                carry = -TRUE;
            }
        }
        sum
    }

    /// The difference of two words.
    pub(super) fn difference(&mut self, a: &[Literal], b: &[Literal]) -> Vec<Literal> {
        self.sum(a, &inverted(b), TRUE)
    }

    /// The negation of a word.
    pub(super) fn negative(&mut self, a: &[Literal]) -> Vec<Literal> {
        self.difference(&vec![-TRUE; a.len()], a)
    }

    /// The product of two words.
    pub(super) fn product(&mut self, a: &[Literal], b: &[Literal]) -> Vec<Literal> {
        let is_known = |word: &[Literal]| word.iter().filter(|bit| bit.abs() == TRUE).count();
        let (a, by) = if is_known(a) > is_known(b) { (b, a) } else { (a, b) };
        if by.iter().all(|bit| bit.abs() == TRUE) {
            return self.multiple(a, by);
        }
        let mut product = vec![-TRUE; a.len()];
        for (low, &bit) in by.iter().enumerate() {
            if bit != -TRUE {
                let row: Vec<Literal> =
                    a[..a.len() - low].iter().map(|&part| self.and(vec![part, bit])).collect();
                let upper = self.sum(&product[low..], &row, -TRUE);
                product.splice(low.., upper);
            }
        }
        product
    }

    /// The product with a number. A run of ones is a difference of two powers of two.
    fn multiple(&mut self, a: &[Literal], by: &[Literal]) -> Vec<Literal> {
        let mut product = vec![-TRUE; a.len()];
        let mut carry = false;
        for low in 0..by.len() {
            let is_one = (by[low] == TRUE) != carry;
            let next = by.get(low + 1) == Some(&TRUE);
            // Two ones in a row: subtract here, and carry one on.
            let subtracts = is_one && next;
            carry = if is_one { subtracts } else { carry && by[low] == TRUE };
            if is_one {
                let row = &a[..a.len() - low];
                let upper = if subtracts {
                    self.difference(&product[low..], row)
                } else {
                    self.sum(&product[low..], row, -TRUE)
                };
                product.splice(low.., upper);
            }
        }
        product
    }

    /// Whether two words are equal.
    pub(super) fn equal(&mut self, a: &[Literal], b: &[Literal]) -> Literal {
        let bits = a.iter().zip(b).map(|(&a, &b)| -self.xor(a, b)).collect();
        self.and(bits)
    }

    /// Whether a word is less than another.
    pub(super) fn less(&mut self, a: &[Literal], b: &[Literal], sign: Sign) -> Literal {
        let mut less = -TRUE;
        let highest = a.len() - 1;
        for (index, (&a, &b)) in a.iter().zip(b).enumerate() {
            // The highest bit of a signed word counts downwards.
            let (a, b) = if sign == Sign::Signed && index == highest { (b, a) } else { (a, b) };
            less = self.majority(-a, b, less);
        }
        less
    }

    /// The first word if a condition holds, otherwise the second.
    pub(super) fn chosen(&mut self, c: Literal, a: &[Literal], b: &[Literal]) -> Vec<Literal> {
        a.iter().zip(b).map(|(&a, &b)| self.choice(c, a, b)).collect()
    }

    /// A word that is shifted by another of its width.
    pub(super) fn shifted(&mut self, word: &[Literal], by: &[Literal], shift: Shift) -> Vec<Literal> {
        let width = word.len();
        let fill = if shift == Shift::Arithmetic { word[width - 1] } else { -TRUE };
        let mut shifted = word.to_vec();
        let stages = width.next_power_of_two().trailing_zeros() as usize;
        for (stage, &bit) in by.iter().take(stages).enumerate() {
            let distance = 1 << stage;
            let moved: Vec<Literal> = (0..width)
                .map(|index| {
                    let from = match shift {
                        Shift::Left => index.checked_sub(distance),
                        Shift::Logical | Shift::Arithmetic => Some(index + distance),
                    };
                    from.and_then(|from| shifted.get(from)).copied().unwrap_or(fill)
                })
                .collect();
            shifted = self.chosen(bit, &moved, &shifted);
        }
        let far = self.or(&by[stages.min(by.len())..]);
        self.chosen(far, &vec![fill; width], &shifted)
    }

    /// The quotient and the remainder of unsigned words. Division by zero has all ones, and the dividend remains.
    pub(super) fn divided(&mut self, a: &[Literal], by: &[Literal]) -> Result<[Vec<Literal>; 2], Refused> {
        match known(by) {
            Some(number) if number.is_power_of_two() => {
                let low = number.trailing_zeros() as usize;
                Ok([widened(&a[low..], a.len(), -TRUE), widened(&a[..low], a.len(), -TRUE)])
            }
            Some(number) if number > 0 => self.divided_by_number(a, by, number),
            _ => Ok(self.divided_bit_by_bit(a, by)),
        }
    }

    /// The dividend is a multiple of the number plus a smaller remainder. That takes a few additions, and says just
    /// as much about the dividend when the result is known.
    fn divided_by_number(
        &mut self,
        a: &[Literal],
        by: &[Literal],
        number: u64,
    ) -> Result<[Vec<Literal>; 2], Refused> {
        let (width, used) = (a.len(), number.ilog2() as usize + 1);
        let [mut quotient, mut rest] = [0, 1].map(|_| vec![-TRUE; width]);
        quotient[..=width - used].fill_with(|| self.fresh());
        rest[..used].fill_with(|| self.fresh());
        let simulation = self.simulation();
        for assignment in simulation.valid() {
            if let Some(value) = simulation.number(a, assignment) {
                simulation.set(&quotient[..=width - used], assignment, value / number);
                simulation.set(&rest[..used], assignment, value % number);
            }
        }
        // The highest bits show that nothing overflows.
        let [wide, factor, added, whole] =
            [&quotient, by, &rest, a].map(|word| widened(word, width + used, -TRUE));
        let product = self.product(&wide, &factor);
        let sum = self.sum(&product, &added, -TRUE);
        let (is_whole, is_rest) = (self.equal(&sum, &whole), self.less(&rest, by, Sign::Unsigned));
        self.clause(&[is_whole])?;
        self.clause(&[is_rest])?;
        Ok([quotient, rest])
    }

    /// Long division: from the highest bit of the dividend on, the divisor is subtracted where it fits.
    fn divided_bit_by_bit(&mut self, a: &[Literal], by: &[Literal]) -> [Vec<Literal>; 2] {
        let width = a.len();
        let divisor = widened(by, width + 1, -TRUE);
        let (mut quotient, mut rest) = (vec![-TRUE; width], vec![-TRUE; width]);
        for index in (0..width).rev() {
            let next: Vec<Literal> = std::iter::once(a[index]).chain(rest).collect();
            let fits = -self.less(&next, &divisor, Sign::Unsigned);
            let less = self.difference(&next, &divisor);
            quotient[index] = fits;
            rest = self.chosen(fits, &less[..width], &next[..width]);
        }
        [quotient, rest]
    }

    /// The quotient and the remainder of signed words, rounded to zero.
    pub(super) fn divided_signed(
        &mut self,
        a: &[Literal],
        by: &[Literal],
    ) -> Result<[Vec<Literal>; 2], Refused> {
        let (is_less, divides_down) = (a[a.len() - 1], by[by.len() - 1]);
        let [size, divisor] = [(a, is_less), (by, divides_down)].map(|(word, sign)| {
            let negative = self.negative(word);
            self.chosen(sign, &negative, word)
        });
        let [quotient, rest] = self.divided(&size, &divisor)?;
        let differ = self.xor(is_less, divides_down);
        Ok([(quotient, differ), (rest, is_less)].map(|(word, sign)| {
            let negative = self.negative(&word);
            self.chosen(sign, &negative, &word)
        }))
    }
}
