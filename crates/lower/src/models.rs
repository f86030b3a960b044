//! The models of library functions, compiled from `models/libc.c` and `models/threads.c` when this crate is built.

/// The name and the bitcode of those for a pointer width, if there are some.
pub fn models(pointer_width: u32) -> Vec<(String, Vec<u8>)> {
    let models: [(&str, &[u8]); 2] = match pointer_width {
        32 => [
            ("libc32", include_bytes!(concat!(env!("OUT_DIR"), "/libc32.bc"))),
            ("threads32", include_bytes!(concat!(env!("OUT_DIR"), "/threads32.bc"))),
        ],
        64 => [
            ("libc64", include_bytes!(concat!(env!("OUT_DIR"), "/libc64.bc"))),
            ("threads64", include_bytes!(concat!(env!("OUT_DIR"), "/threads64.bc"))),
        ],
        _ => return Vec::new(),
    };
    models.map(|(name, bitcode)| (name.to_string(), bitcode.to_vec())).to_vec()
}
