//! Damaged files: whatever the bytes are, reading them neither panics nor takes more memory than their
//! size justifies, and what is read is a program that can be written again.

use beeline_ir::file::{self, Digest};
use beeline_ir::{Program, random, text};
use fastrand::Rng;
use peak_alloc::PeakAlloc;
use sha2::{Digest as _, Sha256};
use std::ops::Range;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const MUTANTS: usize = 100_000;
/// Where things are in the header.
const DIGEST: Range<usize> = 16..48;
const BODY_LEN: Range<usize> = 80..88;
const PRODUCER_LEN: usize = 88;
/// Bytes of memory that a byte of a file may take.
const FACTOR: usize = 150;
/// What reading takes, whatever the file.
const BASE: usize = 16 << 10;

fn valid_files() -> Vec<Vec<u8>> {
    let figures = [
        include_str!("../../../tests/file/graph/figure-3-1.cfa"),
        include_str!("../../../tests/file/graph/figure-7-5.cfa"),
    ];
    let programs = figures.map(|figure| text::parse(figure).expect("the figure is a program"));
    let programs = programs.into_iter().chain((0..60).map(random::program));
    programs
        .map(|program| file::to_bytes(&program, Some(Digest([7; 32]))).expect("it can be written"))
        .collect()
}

fn body_start(bytes: &[u8]) -> usize {
    PRODUCER_LEN + 1 + usize::from(bytes[PRODUCER_LEN])
}

/// Makes the header fit the body, so that the damage gets past it.
fn mend(bytes: &mut [u8]) {
    let start = body_start(bytes).min(bytes.len());
    let digest = Sha256::digest(&bytes[start..]);
    let len = (bytes.len() - start) as u64;
    bytes[DIGEST].copy_from_slice(&digest);
    bytes[BODY_LEN].copy_from_slice(&len.to_le_bytes());
}

/// Damages one place at or behind `from`.
fn mutate(rng: &mut Rng, bytes: &mut Vec<u8>, from: usize, others: &[Vec<u8>]) {
    let at = rng.usize(from..bytes.len());
    let end = (at + rng.usize(1..12)).min(bytes.len());
    match rng.u8(..8) {
        0 | 1 => bytes[at] ^= 1 << rng.u8(..8),
        2 => bytes[at] = rng.u8(..),
        3 => bytes[at] = rng.choice([0, 1, 2, 127, 250, 251, 252, 253, 254, 255]).unwrap_or(0),
        4 => bytes.truncate(at.max(from + 1)),
        5 => {
            // A number that is far too large where a small one was.
            let wide = [253, 255, 255, 255, rng.u8(..), rng.u8(..), 0, 0, rng.u8(..)];
            let narrow = [252, rng.u8(..), rng.u8(..), rng.u8(..), 0];
            let number: &[u8] = if rng.bool() { &wide } else { &narrow };
            bytes.splice(at..(at + 1).min(bytes.len()), number.iter().copied());
        }
        6 => {
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..if rng.bool() { at } else { end }, if rng.bool() { piece } else { vec![] });
        }
        _ => {
            let other = &others[rng.usize(..others.len())];
            let start = rng.usize(body_start(other)..other.len());
            let piece = &other[start..(start + rng.usize(1..40)).min(other.len())];
            bytes.splice(at..end, piece.iter().copied());
        }
    }
}

#[test]
fn a_hundred_thousand_mutants_are_read_or_refused() {
    let files = valid_files();
    let mut rng = Rng::with_seed(1);
    let (mut accepted, mut decoded) = (0, 0);
    for _ in 0..MUTANTS {
        let mut bytes = files[rng.usize(..files.len())].clone();
        let whole_header = rng.u8(..10) > 0;
        let from = if whole_header { body_start(&bytes) } else { 0 };
        for _ in 0..rng.u8(1..4) {
            if bytes.len() > from + 1 {
                mutate(&mut rng, &mut bytes, from, &files);
            }
        }
        if whole_header {
            mend(&mut bytes);
            decoded += 1;
        }
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let read = file::from_bytes::<Program>("mutant", &bytes);
        let taken = MEMORY.peak_usage().saturating_sub(before);
        assert!(taken <= BASE + FACTOR * bytes.len(), "{taken} bytes for a file of {}", bytes.len());
        let Ok(read) = read else { continue };
        accepted += 1;
        let written = file::to_bytes(&read.body, read.header.upstream).expect("it can be written");
        let again = file::from_bytes::<Program>("again", &written).expect("it can be read");
        assert_eq!(again.body, read.body);
        let parsed = text::parse(&text::print(&read.body)).expect("its text can be read");
        assert_eq!(parsed, read.body, "{}", text::print(&read.body));
    }
    // Without these the test would show nothing.
    assert!(decoded > MUTANTS / 2 && accepted > MUTANTS / 100, "{decoded} decoded, {accepted} accepted");
}
