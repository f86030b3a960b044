//! The body of `.cfa` files: a program, compact and quick to read.
//!
//! The parts of the program follow each other, sizes first. Ids of variables and sources of edges follow from the order
//! of a canonical program and are not written. The rest is written as differences to what came before, which mostly fit
//! a byte. `ir-spec/files.md` has the layout.

mod decode;
mod encode;

use super::codec::{Decoded, Decoder, Encoder, WireError};
use super::{Body, Kind, Version};
use crate::canonical;
use crate::cells::{NamedCells, Repeat};
use crate::program::Program;
use crate::validate::first_fault;

/// The numbers of a program's parts, at the start of the body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    files: usize,
    inputs: usize,
    consts: usize,
    functions: usize,
    vars: usize,
    regions: usize,
    exprs: usize,
    locs: usize,
    edges: usize,
    targets: usize,
    assumptions: usize,
    labels: usize,
}

/// The first version in which cells of memory may have names.
const CELLS_SINCE: Version = Version { major: 1, minor: 1 };

crate::wire_struct!(Repeat { stride, count });
crate::wire_struct!(NamedCells { name, ty, addr, repeats });

/// The fewest bytes that a part of each sort takes, in the order of the counts.
const MIN_BYTES: [usize; 12] = [1, 1, 2, 8, 3, 5, 2, 1, 1, 4, 5, 2];

// Tags of expression nodes. After `UNARY`, `BINARY` and `CAST` follow the operators in their order.
const CONST: u8 = 0;
const VAR: u8 = 1;
const LOAD: u8 = 2;
const ITE: u8 = 3;
const FMA: u8 = 4;
const EXTRACT: u8 = 5;
const UNARY: u8 = 6;
const BINARY: u8 = 23;
const CAST: u8 = 52;

// Tags of operations. After `ASSUME` follow the eight combinations of its flags.
const SKIP: u8 = 0;
const ASSUME: u8 = 1;
const ASSIGN: u8 = 9;
const ASSIGN_MANY: u8 = 10;
const HAVOC: u8 = 11;
const INPUT: u8 = 12;
const HAVOC_REGION: u8 = 13;
const STORE: u8 = 14;
const CALL: u8 = 15;
const CALL_INDIRECT: u8 = 16;

// The forms of an edge's source: none, as the last edge's, in the same file, with its file.
const NO_SPAN: u8 = 0;
const SAME_SPAN: u8 = 1;
const SAME_FILE: u8 = 2;
const FULL_SPAN: u8 = 3;

// Flags of a variable.
const HAS_INIT: u8 = 1;
const HAS_SOURCE: u8 = 2;
const HAS_SPAN: u8 = 4;

impl Body for Program {
    const KIND: Kind = Kind::Cfa;
    const VERSION: Version = CELLS_SINCE;

    fn encode_body(&self, out: &mut Encoder) -> Result<(), WireError> {
        canonical::check(self).map_err(WireError::new)?;
        encode::program(self, out);
        Ok(())
    }

    fn decode_body(input: &mut Decoder<'_>, version: Version) -> Decoded<Program> {
        let program = decode::program(input, version)?;
        // The rules of order come second: they rely on those of validity.
        if let Some(fault) = first_fault(&program) {
            return Err(WireError::new(fault.to_string()));
        }
        canonical::check(&program).map_err(WireError::new)?;
        Ok(program)
    }
}
