//! Programs with a change.

use beeline_ir::Program;
use beeline_ir::text::parse;
use fastrand::Rng;

/// The program with one number or operator changed; `None` if it does not parse.
pub(crate) fn changed(text: &str, rng: &mut Rng) -> Option<Program> {
    const SWAPS: [(&str, &str); 8] = [
        (" + ", " - "),
        (" <u ", " <=u "),
        (" == ", " != "),
        ("0i8", "1i8"),
        ("1i8", "2i8"),
        (":= 3", ":= 5"),
        (" & ", " | "),
        (" && ", " || "),
    ];
    let (from, to) = SWAPS[rng.usize(..SWAPS.len())];
    let places: Vec<usize> = text.match_indices(from).map(|(at, _)| at).collect();
    let at = *places.get(rng.usize(..places.len().max(1)))?;
    parse(&format!("{}{to}{}", &text[..at], &text[at + from.len()..])).ok()
}
