//! Dumps, assembles, checks and runs files of Beeline.
fn main() {}
