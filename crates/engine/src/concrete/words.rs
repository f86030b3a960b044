//! Inputs of a program that starts as a command: words that it mentions, options, numbers. Random bytes are
//! none of these, so executions with random bytes end where arguments are first examined.

use beeline_interp::Source;
use beeline_ir::{Bits, Program, Type, Value};
use fastrand::Rng;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The prefix of inputs that are parts of the world of a command (`models/world.c` of the lowering).
const WORLD: &str = "world.";
/// The length of an argument in the model.
pub(super) const LONGEST: usize = 8;
/// Longer texts are messages.
const LONGEST_WORD: usize = 12;
/// Bytes that separate arguments and lines, or are numbers.
const USUAL: &[u8] = b"-= \n0129";

/// The words and letters that a program mentions.
#[derive(Debug, Default)]
pub(super) struct Words {
    words: Vec<Vec<u8>>,
    letters: Vec<u8>,
}

/// The remaining bytes of words that were begun.
#[derive(Debug, Default)]
pub(super) struct Begun {
    argument: VecDeque<u8>,
    text: VecDeque<u8>,
}

/// Whether a program draws parts of a world.
pub(super) fn is_command(program: &Program) -> bool {
    program.inputs.values().any(|input| input.starts_with(WORLD))
}

/// The part of the world that an input is, if it is one.
pub(super) fn part<'p>(program: &'p Program, source: &Source) -> Option<&'p str> {
    match source {
        Source::Input { input, .. } => program.inputs[*input].strip_prefix(WORLD),
        _ => None,
    }
}

impl Words {
    /// The words in the memory that a program starts with.
    pub(super) fn of(program: &Program) -> Words {
        let mut words = BTreeSet::new();
        for region in program.regions.values().filter(|region| region.cell == Type::Bv(8)) {
            let mut bytes = BTreeMap::new();
            for run in &region.init {
                let value = program.exprs.value(run.value).as_bits().and_then(Bits::to_u64);
                let byte = value.and_then(|value| u8::try_from(value).ok()).filter(|byte| *byte != 0);
                if let Some(byte) = byte.filter(|_| run.count <= LONGEST_WORD as u64) {
                    bytes.extend((0..run.count).map(|index| (run.addr.wrapping_add(index), byte)));
                }
            }
            let mut word = Vec::new();
            let mut next = 0;
            for (addr, byte) in bytes {
                if addr != next {
                    words.insert(std::mem::take(&mut word));
                }
                word.push(byte);
                next = addr.wrapping_add(1);
            }
            words.insert(word);
        }
        let letters: BTreeSet<u8> = words.iter().flatten().chain(USUAL).copied().collect();
        words.retain(|word| !word.is_empty() && word.len() <= LONGEST_WORD);
        Words { words: words.into_iter().collect(), letters: letters.into_iter().collect() }
    }

    fn letter(&self, rng: &mut Rng) -> u8 {
        match rng.u8(..8) {
            0 => 0,
            1 | 2 => rng.choice(USUAL).copied().unwrap_or(0),
            3 => rng.u8(..),
            _ => rng.choice(&self.letters).copied().unwrap_or(0),
        }
    }

    fn word(&self, rng: &mut Rng) -> Vec<u8> {
        match rng.u8(..8) {
            0 => Vec::new(),
            1 | 2 => vec![b'-', self.letter(rng)],
            3 => vec![b'-', self.letter(rng), self.letter(rng), self.letter(rng)],
            4 => {
                let most = if rng.bool() { 4 } else { 300 };
                rng.u16(..most).to_string().into_bytes()
            }
            5 => vec![self.letter(rng)],
            _ => rng.choice(&self.words).cloned().unwrap_or_default(),
        }
    }

    /// An argument, padded with zeros.
    pub(super) fn argument(&self, rng: &mut Rng) -> [u8; LONGEST] {
        let word = self.word(rng);
        std::array::from_fn(|index| word.get(index).copied().unwrap_or(0))
    }

    /// Draws the value of a part of the world.
    pub(super) fn draw(&self, part: &str, ty: Type, begun: &mut Begun, rng: &mut Rng) -> Option<Value> {
        let width = ty.bv_width()?;
        let number = match part {
            "more-arguments" => {
                begun.argument = self.argument(rng).into();
                i64::from(rng.u8(..4) > 0)
            }
            "letter" => i64::from(begun.argument.pop_front().unwrap_or_else(|| self.letter(rng))),
            "opened" => i64::from(rng.u8(..8) > 0),
            _ => match begun.text.pop_front() {
                Some(byte) => i64::from(byte),
                None if rng.u8(..10) == 0 => -1,
                None => {
                    if rng.u8(..3) == 0 {
                        begun.text = self.word(rng).into();
                    }
                    i64::from(self.letter(rng))
                }
            },
        };
        Some(Value::Bv(Bits::from_i64(width, number)))
    }
}
