//! Has the program find Z3 where `scripts/install` puts it, relative to itself.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-link-arg-bins=-Wl,-rpath,$ORIGIN/../lib/beeline");
}
