//! Which LLVM wrote a module, read without LLVM: bitcode begins with a block that says so, text ends with a note.

use std::fmt;

/// What wrote a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Producer {
    /// The version of LLVM, such as `22.1.8`.
    pub llvm: String,
    /// The version of the Rust compiler, if it is that.
    pub rustc: Option<String>,
}

impl Producer {
    /// The producer of bitcode or textual IR, as far as it says.
    pub fn of(bytes: &[u8]) -> Option<Producer> {
        match bitcode(bytes) {
            Some(bitcode) => Producer::named(&identification(bitcode)?),
            None => of_text(&String::from_utf8_lossy(bytes)),
        }
    }

    /// The producer by what it writes of itself: `LLVM22.1.8`, or `LLVM22.1.2-rust-1.95.0-stable`.
    fn named(text: &str) -> Option<Producer> {
        let version =
            |text: &str| -> String { text.chars().take_while(|&c| c.is_ascii_digit() || c == '.').collect() };
        let llvm = version(text.strip_prefix("LLVM")?.trim_start());
        let rustc = text.split_once("-rust-").map(|(_, rest)| version(rest));
        (!llvm.is_empty()).then_some(Producer { llvm, rustc })
    }

    /// The first number of the version of LLVM that wrote a module; 0 if it is not known.
    pub fn version(bytes: &[u8]) -> u32 {
        Producer::of(bytes).map_or(0, |producer| producer.major())
    }

    /// The first number of the version of LLVM.
    pub fn major(&self) -> u32 {
        self.llvm.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(0)
    }
}

impl fmt::Display for Producer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.rustc {
            Some(rustc) => write!(f, "rustc {rustc}, LLVM {}", self.llvm),
            None => write!(f, "LLVM {}", self.llvm),
        }
    }
}

/// The bitcode of a file, without the wrapper that it may have; none if it is no bitcode.
pub fn bitcode(bytes: &[u8]) -> Option<&[u8]> {
    const WRAPPER: [u8; 4] = [0xde, 0xc0, 0x17, 0x0b];
    let inner = match bytes.strip_prefix(&WRAPPER) {
        Some(rest) => {
            let offset = u32::from_le_bytes(rest.get(4..8)?.try_into().ok()?);
            bytes.get(usize::try_from(offset).ok()?..)?
        }
        None => bytes,
    };
    inner.starts_with(b"BC\xc0\xde").then_some(inner)
}

/// Clang notes its version in a string of metadata: that of its LLVM is the same.
fn of_text(text: &str) -> Option<Producer> {
    let notes = text.lines().rev().map(str::trim_start).filter(|line| line.starts_with('!'));
    let version = notes.filter_map(|line| line.split_once("clang version ")).map(|(_, rest)| rest).next()?;
    Producer::named(&format!("LLVM{version}"))
}

/// An operand of an abbreviation.
#[derive(Clone, Copy)]
enum Encoding {
    Literal(u64),
    Fixed(u32),
    Variable(u32),
    Array,
    Char6,
}

/// Reads bits, the lowest of each byte first.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn fixed(&mut self, width: u32) -> Option<u64> {
        let mut value = 0;
        for place in 0..width.min(64) {
            let byte = self.bytes.get(self.at / 8)?;
            value |= u64::from(byte >> (self.at % 8) & 1) << place;
            self.at += 1;
        }
        Some(value)
    }

    /// A number in groups, of which each but the last has its highest bit set.
    fn variable(&mut self, width: u32) -> Option<u64> {
        let more = 1 << width.checked_sub(1).filter(|&width| 0 < width && width < 32)?;
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let group = self.fixed(width)?;
            value |= (group & (more - 1)).checked_shl(shift)?;
            if group & more == 0 {
                return Some(value);
            }
            shift += width - 1;
        }
    }

    fn scalar(&mut self, encoding: Encoding) -> Option<u64> {
        match encoding {
            Encoding::Literal(value) => Some(value),
            Encoding::Fixed(width) => self.fixed(width),
            Encoding::Variable(width) => self.variable(width),
            Encoding::Char6 => Some(
                match self.fixed(6)? as u8 {
                    code @ 0..=25 => b'a' + code,
                    code @ 26..=51 => b'A' + code - 26,
                    code @ 52..=61 => b'0' + code - 52,
                    62 => b'.',
                    _ => b'_',
                }
                .into(),
            ),
            Encoding::Array => None,
        }
    }

    fn abbreviation(&mut self) -> Option<Vec<Encoding>> {
        let count = self.variable(5)?;
        let mut encodings = Vec::new();
        for _ in 0..count {
            let is_literal = self.fixed(1)? == 1;
            encodings.push(match is_literal {
                true => Encoding::Literal(self.variable(8)?),
                false => match self.fixed(3)? {
                    1 => Encoding::Fixed(self.variable(5)? as u32),
                    2 => Encoding::Variable(self.variable(5)? as u32),
                    3 => Encoding::Array,
                    4 => Encoding::Char6,
                    _ => return None,
                },
            });
        }
        Some(encodings)
    }

    /// A record: its code and its operands.
    fn record(&mut self, encodings: &[Encoding]) -> Option<Vec<u64>> {
        let mut values = Vec::new();
        let mut encodings = encodings.iter();
        while let Some(&encoding) = encodings.next() {
            match encoding {
                Encoding::Array => {
                    let &element = encodings.next()?;
                    for _ in 0..self.variable(6)? {
                        values.push(self.scalar(element)?);
                    }
                }
                scalar => values.push(self.scalar(scalar)?),
            }
        }
        Some(values)
    }

    fn record_without_abbreviation(&mut self) -> Option<Vec<u64>> {
        let mut values = vec![self.variable(6)?];
        for _ in 0..self.variable(6)? {
            values.push(self.variable(6)?);
        }
        Some(values)
    }
}

/// The string of the identification block, which comes first.
fn identification(bitcode: &[u8]) -> Option<String> {
    const ENTER: u64 = 1;
    const DEFINE: u64 = 2;
    const PLAIN: u64 = 3;
    const FIRST: u64 = 4;
    const BLOCK: u64 = 13;
    const STRING: u64 = 1;
    let mut bits = Bits { bytes: bitcode, at: 32 };
    if bits.fixed(2)? != ENTER || bits.variable(8)? != BLOCK {
        return None;
    }
    let width = bits.variable(4)? as u32;
    bits.at = bits.at.next_multiple_of(32) + 32;
    let mut abbreviations = Vec::new();
    loop {
        let record = match bits.fixed(width)? {
            DEFINE => {
                abbreviations.push(bits.abbreviation()?);
                continue;
            }
            PLAIN => bits.record_without_abbreviation()?,
            id => bits.record(abbreviations.get(usize::try_from(id.checked_sub(FIRST)?).ok()?)?)?,
        };
        if let [STRING, characters @ ..] = record.as_slice() {
            return characters.iter().map(|&c| u8::try_from(c).ok().map(char::from)).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> String {
        Producer::named(text).map(|producer| producer.to_string()).unwrap_or_default()
    }

    #[test]
    fn names_are_told_apart() {
        assert_eq!(named("LLVM19.1.7"), "LLVM 19.1.7");
        assert_eq!(named("LLVM22.1.2-rust-1.95.0-stable"), "rustc 1.95.0, LLVM 22.1.2");
        assert_eq!(named("other"), "");
    }

    /// Writes bits as LLVM does.
    #[derive(Default)]
    struct Writer(Vec<bool>);

    impl Writer {
        fn fixed(&mut self, value: u64, width: u32) {
            self.0.extend((0..width).map(|place| value >> place & 1 == 1));
        }

        fn variable(&mut self, mut value: u64, width: u32) {
            let more = 1 << (width - 1);
            while value >= more {
                self.fixed(value & (more - 1) | more, width);
                value >>= width - 1;
            }
            self.fixed(value, width);
        }

        fn bytes(self) -> Vec<u8> {
            let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit));
            self.0.chunks(8).map(byte).collect()
        }
    }

    /// The identification block with a string that is written without an abbreviation.
    fn plain(text: &str) -> Vec<u8> {
        let mut writer = Writer::default();
        b"BC\xc0\xde".iter().for_each(|&byte| writer.fixed(byte.into(), 8));
        writer.fixed(1, 2);
        writer.variable(13, 8);
        writer.variable(5, 4);
        while writer.0.len() % 32 != 0 {
            writer.fixed(0, 1);
        }
        writer.fixed(9, 32);
        writer.fixed(3, 5);
        writer.variable(1, 6);
        writer.variable(text.len() as u64, 6);
        text.bytes().for_each(|byte| writer.variable(byte.into(), 6));
        writer.bytes()
    }

    #[test]
    fn strings_with_other_characters_are_read() {
        let bytes = plain("LLVM22.1.2-rust-1.95.0-stable");
        assert_eq!(Producer::of(&bytes).unwrap().to_string(), "rustc 1.95.0, LLVM 22.1.2");
        let mut wrapped = vec![0xde, 0xc0, 0x17, 0x0b, 0, 0, 0, 0, 20, 0, 0, 0];
        wrapped.resize(20, 0);
        wrapped.extend(&bytes);
        assert_eq!(Producer::of(&wrapped).unwrap().major(), 22);
        for end in 0..bytes.len() - 1 {
            assert_eq!(Producer::of(&bytes[..end]), None, "{end}");
        }
    }

    #[test]
    fn text_tells_the_version_of_clang() {
        let text = "define i32 @f() {\n  ret i32 0\n}\n!0 = !{!\"Debian clang version 22.1.8 (1)\"}\n";
        assert_eq!(Producer::of(text.as_bytes()).unwrap().major(), 22);
        assert_eq!(Producer::of(b"; clang version 22\n"), None);
    }
}
