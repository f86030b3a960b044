//! Oracles for what C leaves open: what compilers make of undefined operations, and every byte of copied parts.
//! More of the first: `measure/fuzz-undefined`.

use beeline_interp::oracle::Random;
use beeline_interp::{Limits, Machine, Outcome};
use beeline_ir::Value;
use beeline_lower::Options;
use beeline_tests::{CLANG, compile, lowered, parts, two_at_a_time, undefined};
use std::process::Command;

#[test]
fn no_compiler_reaches_what_is_safe() {
    let tools = beeline_tests::tools().unwrap();
    let known = two_at_a_time(0..24, |seed| {
        let folder = tempfile::tempdir().unwrap();
        let (wrong, known) = undefined::compare(seed, &tools.join("beeline"), folder.path());
        assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
        known
    });
    let answered = known.into_iter().filter(|known| *known).count();
    assert!(answered >= 12, "most are answered: {answered}");
}

#[test]
fn no_byte_of_a_copied_part_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let (source, bitcode, native) =
        (folder.path().join("p.c"), folder.path().join("p.bc"), folder.path().join("native"));
    for seed in 0..120 {
        let text = parts::program(seed);
        std::fs::write(&source, &text).unwrap();
        let level = if seed % 4 == 0 { "-O1" } else { "-O0" };
        compile(&source, &bitcode, &[level, "-Xclang", "-disable-O0-optnone"]).unwrap();
        let built = Command::new(CLANG).args(["-w"]).arg(&bitcode).arg("-o").arg(&native).output().unwrap();
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        let expected = Command::new(&native).status().unwrap().code();
        for flat in [false, true] {
            let program = lowered(&bitcode, &Options { flat, ..Options::default() }).unwrap();
            // Whatever is open is made up: no result may depend on it.
            let run = Machine::new(&program).run(&mut Random::new(seed), &Limits::default());
            let Outcome::Returned(Some(Value::Bv(bits))) = &run.outcome else {
                panic!("seed {seed}, flat {flat}: {:?}\n{text}", run.outcome)
            };
            let found = bits.to_u64().map(|bits| (bits & 0xff) as i32);
            assert_eq!(found, expected, "seed {seed}, flat {flat}\n{text}");
        }
    }
}
