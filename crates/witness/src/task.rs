//! The verification task, as witnesses of all formats state it.

use beeline_ir::{Program, Target};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::time::SystemTime;

/// A verification task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The C file.
    pub file: String,
    /// Its SHA-256 hash, in hexadecimal digits.
    pub hash: String,
    /// The property, as a file in the format of SV-COMP has it.
    pub specification: String,
    /// Bits of a pointer.
    pub pointer_width: u32,
    /// The time when the witness is made, in the format of ISO 8601.
    pub time: String,
    /// The version of the producer.
    pub version: String,
}

impl Task {
    /// The task of a program that was compiled from one C file with this content. The specification is
    /// that of the property of the target, if none is given; without a target, that of the first one.
    pub fn new(
        program: &Program,
        (file, content): (&str, &[u8]),
        target: Option<&Target>,
        specification: Option<String>,
    ) -> Task {
        let target = target.or(program.targets.first());
        let entry = &program.functions[program.entry].name;
        let specification = specification.unwrap_or_else(|| match target.map(|it| it.property.as_str()) {
            Some("no-overflow") => format!("CHECK( init({entry}()), LTL(G ! overflow) )"),
            _ => {
                let called = target.and_then(|target| target.name.split(' ').next());
                format!("CHECK( init({entry}()), LTL(G ! call({}())) )", called.unwrap_or("reach_error"))
            }
        });
        Task {
            file: file.into(),
            hash: hash(content),
            specification: specification.trim().to_string(),
            pointer_width: program.pointer_width,
            time: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            version: env!("CARGO_PKG_VERSION").into(),
        }
    }
}

/// The SHA-256 hash of a file's content, in hexadecimal digits.
pub fn hash(content: &[u8]) -> String {
    Sha256::digest(content).iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

/// A random identifier in the format of RFC 4122, version 4.
pub(crate) fn uuid() -> String {
    let bits = fastrand::u128(..);
    // Version and variant have fixed places.
    let bits = bits & !(0xf << 76) & !(0x3 << 62) | 0x4 << 76 | 0x2 << 62;
    let digits = format!("{bits:032x}");
    [0..8, 8..12, 12..16, 16..20, 20..32].map(|part| &digits[part]).join("-")
}

#[cfg(test)]
mod tests {
    #[test]
    fn identifiers_are_of_version_4() {
        for _ in 0..50 {
            let uuid = super::uuid();
            let bytes = uuid.as_bytes();
            assert_eq!((uuid.len(), bytes[14]), (36, b'4'), "{uuid}");
            assert!(
                b"89ab".contains(&bytes[19]) && [8, 13, 18, 23].iter().all(|&at| bytes[at] == b'-'),
                "{uuid}"
            );
        }
    }
}
