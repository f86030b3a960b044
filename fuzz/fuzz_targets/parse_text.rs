//! Any text: faults with their places, or a program that survives printing.
#![no_main]

use beeline_ir::text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    match text::parse(source) {
        Ok(program) => assert_eq!(text::parse(&text::print(&program)), Ok(program)),
        Err(faults) => assert!(faults.iter().all(|fault| !fault.to_string().is_empty())),
    }
});
