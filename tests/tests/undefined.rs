//! Oracles for what C leaves open: what compilers make of undefined operations, and every byte of copied parts.
//! More of them: `measure/fuzz-undefined`, `measure/fuzz-parts`.

use beeline_tests::{CLANG, later_clang, parts, two_at_a_time, undefined};

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
