//! The models of the C library, compiled from `models/libc.c` when this crate is built.

/// The bitcode for a pointer width, if there is one.
pub fn libc(pointer_width: u32) -> Option<&'static [u8]> {
    match pointer_width {
        32 => Some(include_bytes!(concat!(env!("OUT_DIR"), "/libc32.bc"))),
        64 => Some(include_bytes!(concat!(env!("OUT_DIR"), "/libc64.bc"))),
        _ => None,
    }
}
