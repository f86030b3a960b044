//! Oracles for what C leaves open: what compilers make of undefined operations, and every byte of copied parts.
//! More of them: `measure/fuzz-undefined`, `measure/fuzz-parts`.

use beeline_tests::driver::{Ran, beeline};
use beeline_tests::{CLANG, later_clang, parts, two_at_a_time, undefined};

/// The answer about a program, in a file with this ending.
fn checked(ending: &str, text: &str, options: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let name = format!("p.{ending}");
    std::fs::write(folder.path().join(&name), text).unwrap();
    beeline(folder.path(), &[&["check", name.as_str()], options].concat())
}

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
    let compare =
        |seed, clang| parts::compare(seed, clang, folder.path()).unwrap_or_else(|wrong| panic!("{wrong}"));
    (0..120).for_each(|seed| compare(seed, CLANG));
    if let Some(later) = later_clang() {
        (120..150).for_each(|seed| compare(seed, later));
    }
}

/// No sanitizer looks at divisions in bitcode that was made without one, whatever the program compares.
#[test]
fn a_division_in_plain_bitcode_is_a_target() {
    let program = |guard: &str| {
        format!(
            "declare i32 @__VERIFIER_nondet_int()\n@seen = global i1 0\ndefine i32 @main() {{\n  %x = call i32 @__VERIFIER_nondet_int()\n  \
             %y = call i32 @__VERIFIER_nondet_int()\n  %c = icmp eq i32 %y, 0\n  store i1 %c, ptr @seen\n  %g = {guard}\n  \
             br i1 %g, label %divides, label %ends\ndivides:\n  %q = sdiv i32 %x, %y\n  ret i32 %q\nends:\n  ret i32 0\n}}\n"
        )
    };
    let ran = checked("ll", &program("icmp sgt i32 %y, 0"), &["--property", "all"]);
    assert!(
        ran.verdict().starts_with("verdict: safe (") && !ran.out.contains("nothing to check"),
        "{}",
        ran.out
    );
    // By zero, and of the least number by -1.
    for guard in ["icmp sge i32 %y, 0", "icmp eq i32 %y, -1"] {
        let ran = checked("ll", &program(guard), &["--property", "all"]);
        assert_eq!(ran.verdict(), "verdict: unsafe (confirmed)", "{guard}: {}", ran.out);
    }
}

/// LLVM has several elements of such a vector in one byte.
#[test]
fn vectors_whose_elements_share_bytes_are_refused_in_memory() {
    let program = |first: &str| {
        format!(
            "@g = global <8 x i1> zeroinitializer\n@s = global {{ i32, [1 x <4 x i4>] }} zeroinitializer\ndeclare void @reach_error()\n\
             define i32 @main() {{\n  {first}\n  %x = load i8, ptr @b\n  %c = icmp eq i8 %x, 1\n  br i1 %c, label %bad, label %good\n\
             bad:\n  call void @reach_error()\n  ret i32 1\ngood:\n  ret i32 0\n}}\n@b = global i8 0\n@w = global <2 x i8> zeroinitializer\n"
        )
    };
    for first in [
        "store <8 x i1> <i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0>, ptr @b",
        "%v = load <8 x i1>, ptr @g",
        "%v = load { i32, [1 x <4 x i4>] }, ptr @s",
        "%v = load i8, ptr @g",
    ] {
        let ran = checked("ll", &program(first), &[]);
        assert!(
            ran.verdict().contains("whose elements are no whole bytes is not supported"),
            "{first}: {}",
            ran.out
        );
    }
    let ran = checked("ll", &program("store <2 x i8> zeroinitializer, ptr @w"), &[]);
    assert!(ran.verdict().starts_with("verdict: safe"), "{}", ran.out);
}

#[test]
fn digits_of_floats_in_32_bits_are_an_assumption() {
    let text = "float __VERIFIER_nondet_float(void);\nvoid reach_error(void);\nint main(void) {\n  float x = __VERIFIER_nondet_float();\n  \
        if (x > 1 && x / 2 > x)\n    reach_error();\n  return 0;\n}\n";
    for (flags, is_told) in [("-m32", true), ("-m64", false)] {
        let ran = checked("c", text, &["--", flags]);
        assert!(ran.verdict().starts_with("verdict: safe ("), "{}", ran.out);
        assert_eq!(
            ran.out.contains("floats have the digits of their types, as with -msse2"),
            is_told,
            "{}",
            ran.out
        );
    }
}

/// Of what alloca reserves again and again, the end of the block is known of the newest.
#[test]
fn older_memory_of_alloca_is_not_used_behind_its_block_by_assumption() {
    let program = |again: &str| {
        format!(
            "unsigned __VERIFIER_nondet_uint(void);\nint main(void) {{\n  unsigned n = __VERIFIER_nondet_uint() % 3 + 1;\n  char *kept = 0;\n  {{\n    \
             char all[n];\n    all[0] = 1;\n    {again} {{\n      kept = __builtin_alloca(1);\n      *kept = all[0];\n    }}\n  }}\n  return kept != 0;\n}}\n"
        )
    };
    let told =
        "no use of memory of alloca after the block of an array of variable length, but for the newest";
    let asked = &["--property", "memory-safety"];
    let ran = checked("c", &program("for (unsigned i = 0; i < n; i++)"), asked);
    assert!(ran.verdict().starts_with("verdict: safe (") && ran.out.contains(told), "{}", ran.out);
    let ran = checked("c", &program("if (n > 1)"), asked);
    assert!(ran.verdict().starts_with("verdict: safe (") && !ran.out.contains(told), "{}", ran.out);
}
