//! Answers about one program do not contradict each other, however it is asked about. More of them:
//! `measure/fuzz-metamorphic`.

use beeline_tests::activations::{Asked, source};
use beeline_tests::metamorphic::contradiction;
use beeline_tests::{SOME_WORK, two_at_a_time};

#[test]
fn no_two_answers_contradict_each_other() {
    two_at_a_time(1000..1003, |seed| {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let (asked, text) = source(seed);
        let file = folder.path().join("program.c");
        std::fs::write(&file, text).expect("it can be written");
        let property = if asked == Asked::Reach { "unreach-call" } else { "valid-deref" };
        let found = contradiction(folder.path(), &file, property, &SOME_WORK);
        assert!(found.is_none(), "seed {seed}: {found:#?}");
    });
}
