//! Random C programs of csmith: the checksum that the native program prints is the one that the
//! interpreter computes. More of them: `measure/csmith`.

use beeline_tests::csmith::{Compared, Comparison};
use beeline_tests::{CLANG, later_clang};

fn compare(seeds: std::ops::Range<u64>, clang: &str, lowering: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let comparison = Comparison { clang, lowering, folder: folder.path() };
    let mut equal = 0;
    let count = seeds.end - seeds.start;
    for seed in seeds {
        for level in ["-O0", "-O2"] {
            match comparison.compare(seed, &[level]) {
                Compared::Equal(_) => equal += 1,
                Compared::TooLong => {}
                Compared::Different(what) => panic!("seed {seed} {level}: {what}"),
            }
        }
    }
    assert!(equal >= count, "too few of the programs end in time: {equal}");
}

#[test]
fn regions() {
    // Seed 16 copies structures that it does not access otherwise.
    compare(16..17, CLANG, &[]);
    compare(1000..1012, CLANG, &[]);
}

#[test]
fn flat_memory() {
    compare(1000..1004, CLANG, &["--memory", "flat"]);
}

#[test]
fn by_a_later_clang() {
    if let Some(later) = later_clang() {
        compare(1012..1018, later, &[]);
    }
}
