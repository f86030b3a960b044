//! Random C programs that copy and fill parts of objects, at every offset and size, between objects of other shapes.
//! All values are known, so that the native program and the interpreter must agree to the byte.

use crate::{compile_by, finished, lowered_by_tool};
use beeline_interp::oracle::Random;
use beeline_interp::{Limits, Machine, Outcome};
use beeline_ir::Value;
use fastrand::Rng;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The objects: declaration and size.
const OBJECTS: [(&str, &str, u64); 7] = [
    ("x", "unsigned x", 4),
    ("l", "unsigned long l", 8),
    ("d", "double d", 8),
    ("a", "unsigned short a[5]", 10),
    ("s", "struct { char c; int i; short t; } s", 12),
    ("p", "struct { unsigned char b; unsigned n; } __attribute__((packed)) p", 5),
    ("g", "", 16),
];

/// A program that returns a number made of all bytes that its objects hold in the end.
pub fn program(seed: u64) -> String {
    let mut random = Rng::with_seed(seed);
    let mut text =
        String::from("#include <stdlib.h>\n#include <string.h>\nstatic int g[4] = {1, 2, 3, 4};\n");
    text.push_str("int main(void) {\n  unsigned char *h = malloc(16), out[16];\n  if (!h) return 0;\n");
    for (name, declaration, _) in OBJECTS.iter().filter(|object| !object.1.is_empty()) {
        let _ = writeln!(text, "  {declaration};\n  memset(&{name}, {}, sizeof {name});", random.u8(..));
    }
    text.push_str("  memset(h, 9, 16);\n  memset(out, 0, 16);\n");
    for _ in 0..random.usize(4..12) {
        let line = statement(&mut random);
        let _ = writeln!(text, "  {line}");
    }
    text.push_str("  unsigned sum = 0;\n");
    for (name, _, size) in OBJECTS {
        let (start, length) = range(&mut random, size);
        let _ = writeln!(
            text,
            "  memcpy(out, (char *)&{name} + {start}, {length});\n  for (int i = 0; i < {length}; i++) sum = sum * 31 + out[i];"
        );
    }
    text.push_str("  for (int i = 0; i < 16; i++) sum = sum * 31 + h[i];\n  return sum % 251;\n}\n");
    text
}

/// Compares what the program of a seed returns, native against interpreter, when this clang compiles it: what differs.
pub fn compare(seed: u64, clang: &str, folder: &Path) -> Result<(), String> {
    let text = program(seed);
    let (source, bitcode, native) = (folder.join("p.c"), folder.join("p.bc"), folder.join("native"));
    std::fs::write(&source, &text).map_err(|error| error.to_string())?;
    let level = if seed.is_multiple_of(4) { "-O1" } else { "-O0" };
    compile_by(clang, &source, &bitcode, &[level, "-Xclang", "-disable-O0-optnone"])?;
    let built = Command::new(clang).arg("-w").arg(&bitcode).arg("-o").arg(&native).output();
    finished(built.map_err(|error| error.to_string())?)?;
    let expected = Command::new(&native).status().map_err(|error| error.to_string())?.code();
    for memory in ["regions", "flat"] {
        let program = lowered_by_tool(&bitcode, &["--memory", memory])?;
        // Whatever is open is made up: no result may depend on it.
        let outcome = Machine::new(&program).run(&mut Random::new(seed), &Limits::default()).outcome;
        let found = match &outcome {
            Outcome::Returned(Some(Value::Bv(bits))) => bits.to_u64().map(|bits| (bits & 0xff) as i32),
            _ => None,
        };
        if found.is_none() || found != expected {
            return Err(format!("seed {seed}, {memory}: {outcome:?} where {expected:?} is right\n{text}"));
        }
    }
    Ok(())
}

/// A part of so many bytes.
fn range(random: &mut Rng, size: u64) -> (u64, u64) {
    let start = random.u64(..size);
    (start, random.u64(1..=size - start))
}

fn statement(random: &mut Rng) -> String {
    let (to, _, to_size) = OBJECTS[random.usize(..OBJECTS.len())];
    let (from, _, from_size) = OBJECTS[random.usize(..OBJECTS.len())];
    let value = random.u16(..);
    match random.u8(..9) {
        0 => format!("x = {value}u * 65521u;"),
        1 => format!("s.i = {value} - 300; s.c = (char)x;"),
        2 => format!("a[{}] = (unsigned short)(l >> 3);", random.u8(..5)),
        3 => format!("l = l * 3 + x + p.n; p.b = (unsigned char)a[{}];", random.u8(..5)),
        4 => {
            let (start, length) = range(random, to_size);
            format!("memset((char *)&{to} + {start}, {}, {length});", value & 255)
        }
        5 => {
            let (start, length) = range(random, to_size);
            format!("memcpy(h + {}, (char *)&{to} + {start}, {length});", random.u64(..=16 - length))
        }
        6 => {
            let (start, length) = range(random, to_size);
            format!("memcpy((char *)&{to} + {start}, h + {}, {length});", random.u64(..=16 - length))
        }
        _ => {
            let length = random.u64(1..=to_size.min(from_size));
            let (at, start) = (random.u64(..=to_size - length), random.u64(..=from_size - length));
            format!("memmove((char *)&{to} + {at}, (char *)&{from} + {start}, {length});")
        }
    }
}
