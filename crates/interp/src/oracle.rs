//! Oracles: the source of values that the program does not determine.

use crate::run::{Run, Source};
use beeline_ir::{Bits, EdgeId, Type, Value};
use fastrand::Rng;
use std::collections::VecDeque;

/// Determines what the program leaves open.
pub trait Oracle {
    /// A value of a type.
    fn value(&mut self, source: &Source, ty: Type) -> Value;

    /// Chooses one of several enabled edges.
    fn choose(&mut self, enabled: usize) -> usize;

    /// The same, for an oracle that distinguishes edges.
    fn choose_edge(&mut self, enabled: &[EdgeId]) -> usize {
        self.choose(enabled.len())
    }
}

/// Given values for the inputs, in order. Further inputs, and everything that is not an input (uninitialised
/// variables and memory), are zero. Of several edges the first one is taken.
#[derive(Debug, Clone, Default)]
pub struct Given {
    values: VecDeque<Value>,
}

impl Given {
    /// An oracle with these values.
    pub fn new(values: impl IntoIterator<Item = Value>) -> Given {
        Given { values: values.into_iter().collect() }
    }

    /// The number of unused values.
    pub fn unused(&self) -> usize {
        self.values.len()
    }
}

/// The bits of a value as another type, truncated or extended with zeros.
pub fn coerced(value: &Value, ty: Type) -> Value {
    if value.ty() == ty {
        return value.clone();
    }
    let image = match value {
        Value::Bool(truth) => Bits::new(1, u64::from(*truth)),
        Value::Bv(bits) | Value::Float(_, bits) => bits.clone(),
    };
    let width = match ty {
        Type::Bool => return Value::Bool(!image.is_zero()),
        Type::Bv(width) => width,
        Type::Float(kind) => kind.width(),
    };
    let bits = image.zext(width.max(image.width())).extract(width - 1, 0);
    Value::from_image(ty, bits).unwrap_or_else(|| Value::zero(ty))
}

impl Oracle for Given {
    fn value(&mut self, source: &Source, ty: Type) -> Value {
        let given = if matches!(source, Source::Input { .. }) { self.values.pop_front() } else { None };
        given.map_or_else(|| Value::zero(ty), |value| coerced(&value, ty))
    }

    fn choose(&mut self, _enabled: usize) -> usize {
        0
    }
}

/// The recorded answers of an earlier run of the same program, in order.
#[derive(Debug, Clone)]
pub struct Recorded {
    values: VecDeque<(Source, Value)>,
    choices: VecDeque<usize>,
    faithful: bool,
}

impl Recorded {
    /// An oracle that answers as the one of the run did; see [`crate::Limits::record`].
    pub fn new(run: &Run) -> Recorded {
        let (values, choices) = (run.values.iter().cloned().collect(), run.choices.iter().copied().collect());
        Recorded { values, choices, faithful: true }
    }

    /// Whether all queries so far are those of the earlier run. After any other query the answers are zero
    /// and the first edge.
    pub fn is_faithful(&self) -> bool {
        self.faithful
    }
}

impl Oracle for Recorded {
    fn value(&mut self, source: &Source, ty: Type) -> Value {
        match self.values.pop_front() {
            Some((before, value)) if before == *source && self.faithful => value,
            _ => {
                self.faithful = false;
                Value::zero(ty)
            }
        }
    }

    fn choose(&mut self, _enabled: usize) -> usize {
        let chosen = self.choices.pop_front();
        self.faithful &= chosen.is_some();
        chosen.unwrap_or(0)
    }
}

/// Random values from a seed. Small and extreme values are more frequent than others.
#[derive(Debug, Clone)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// An oracle that depends only on the seed.
    pub fn new(seed: u64) -> Random {
        Random { rng: Rng::with_seed(seed) }
    }

    fn bits(&mut self, width: u32) -> Bits {
        match self.rng.u8(..8) {
            0..=2 => Bits::new(width, self.rng.u64(..10)),
            3 => Bits::from_i64(width, -self.rng.i64(1..10)),
            4 => {
                let greatest = Bits::ones(width).lshr(&Bits::new(width, 1));
                if self.rng.bool() { greatest } else { greatest.not() }
            }
            5 => Bits::new(width, self.rng.u64(..1000)),
            _ => Bits::from_u128(width, self.rng.u128(..)),
        }
    }
}

impl Oracle for Random {
    fn value(&mut self, _source: &Source, ty: Type) -> Value {
        match ty {
            Type::Bool => Value::Bool(self.rng.bool()),
            Type::Bv(width) => Value::Bv(self.bits(width)),
            Type::Float(kind) if self.rng.bool() => {
                crate::float::from_integer(kind, &self.rng.i32(-20..20).into())
            }
            Type::Float(kind) => {
                let bits = self.bits(kind.width());
                Value::float(kind, bits)
            }
        }
    }

    fn choose(&mut self, enabled: usize) -> usize {
        self.rng.usize(..enabled)
    }
}

/// Every combination of values and choices, run after run: call [`Enumerated::next`] between runs. The number
/// of runs is the number of combinations, so it suits programs with few bits of input.
#[derive(Debug, Clone, Default)]
pub struct Enumerated {
    /// The choices so far, each with the number of alternatives.
    choices: Vec<(u64, u64)>,
    position: usize,
    /// The greatest number of bits that are enumerated. Wider types get only so many different values.
    max_bits: u32,
    truncated: bool,
}

impl Enumerated {
    /// An oracle that tries all values of types of at most so many bits. Of wider types it tries only the
    /// first ones.
    pub fn new(max_bits: u32) -> Enumerated {
        Enumerated { max_bits: max_bits.min(32), ..Enumerated::default() }
    }

    /// Advances to the next combination. Returns false when all were tried.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> bool {
        self.choices.truncate(self.position);
        self.position = 0;
        while let Some((chosen, of)) = self.choices.pop() {
            if chosen + 1 < of {
                self.choices.push((chosen + 1, of));
                return true;
            }
        }
        false
    }

    /// Whether some values are never tried because their type is too wide.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    fn pick(&mut self, of: u64) -> u64 {
        if self.position == self.choices.len() {
            self.choices.push((0, of));
        }
        self.position += 1;
        self.choices[self.position - 1].0
    }
}

impl Oracle for Enumerated {
    fn value(&mut self, _source: &Source, ty: Type) -> Value {
        let width = match ty {
            Type::Bool => return Value::Bool(self.pick(2) == 1),
            Type::Bv(width) => width,
            Type::Float(kind) => kind.width(),
        };
        self.truncated |= width > self.max_bits;
        let chosen = self.pick(1 << width.min(self.max_bits));
        Value::from_image(ty, Bits::new(width, chosen)).unwrap_or_else(|| Value::zero(ty))
    }

    fn choose(&mut self, enabled: usize) -> usize {
        self.pick(enabled as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use beeline_ir::{FloatKind, VarId};

    #[test]
    fn random_values_are_often_extreme() {
        let source = Source::Variable(VarId::from_u32(0));
        let mut random = Random::new(1);
        let drawn: Vec<Value> = (0..400).map(|_| random.value(&source, Type::Bv(32))).collect();
        for extreme in [0, 1, u32::MAX, 1 << 31, (1 << 31) - 1] {
            assert!(drawn.contains(&Value::bv(32, extreme.into())), "{extreme:#x}");
        }
        let mut same = Random::new(1);
        assert_eq!(drawn[0], same.value(&source, Type::Bv(32)), "only the seed counts");
    }

    #[test]
    fn coerced_values_have_the_type() {
        let values = [
            Value::Bool(true),
            Value::bv(8, 0x81),
            Value::bv(100, 1),
            Value::float(FloatKind::F64, Bits::new(64, 2)),
        ];
        for ty in [Type::Bool, Type::Bv(4), Type::Bv(300), Type::Float(FloatKind::F16)] {
            for value in &values {
                assert_eq!(coerced(value, ty).ty(), ty);
            }
        }
        assert_eq!(coerced(&values[1], Type::Bv(4)), Value::bv(4, 1));
        assert_eq!(coerced(&values[1], Type::Bv(16)), Value::bv(16, 0x81));
    }
}
