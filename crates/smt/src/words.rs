//! Machine words of up to 64 bits as numbers.

/// The greatest value of a word.
pub(crate) fn mask(width: u32) -> u64 {
    u64::MAX >> (u64::BITS - width)
}

/// The signed value of a word.
pub(crate) fn signed(word: u64, width: u32) -> i64 {
    let unused = u64::BITS - width;
    ((word << unused) as i64) >> unused
}
