//! Any bytes as the body of a `.cfa` file: refused, or a program that survives writing and printing.
#![no_main]

use beeline_ir::file::{Body, Decoder, from_bytes, to_bytes};
use beeline_ir::{Program, text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|body: &[u8]| {
    let Ok(program) = Program::decode_body(&mut Decoder::new(body), Program::VERSION) else { return };
    let bytes = to_bytes(&program, None).expect("what was read can be written");
    let again = from_bytes::<Program>("again", &bytes).expect("what was written can be read");
    assert_eq!(again.body, program);
    let parsed = text::parse(&text::print(&program)).expect("what was printed can be parsed");
    assert_eq!(parsed, program);
});
