//! Random C programs of csmith: the checksum that the native program prints is the one that the
//! interpreter computes. More of them: `measure/csmith`.

use beeline_lower::Options;
use beeline_tests::{Compared, compare_csmith};

fn compare(seeds: std::ops::Range<u64>, options: &Options) {
    let folder = tempfile::tempdir().unwrap();
    let mut equal = 0;
    let count = seeds.end - seeds.start;
    for seed in seeds {
        for level in ["-O0", "-O2"] {
            match compare_csmith(seed, &[level], options, folder.path()) {
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
    compare(16..17, &Options::default());
    compare(1000..1012, &Options::default());
}

#[test]
fn flat_memory() {
    compare(1000..1004, &Options { flat: true, ..Options::default() });
}
