//! The header of a file: its kind, its version, its origin, and whether it is complete.

use super::codec::{Decoder, Encoder, Wire, WireError};
use super::error::FileError;
use super::kind::{Kind, Version};
use sha2::{Digest as _, Sha256};
use std::fmt;

/// First bytes of every file. The first byte is no text, and the line ends and the end-of-file mark of
/// old systems show when a transfer changed them.
const MAGIC: [u8; 8] = *b"\x89BEEL\r\n\x1a";
/// Bytes before the producer's name.
const FIXED_LEN: usize = 89;
/// The most bytes that a header takes.
pub(super) const MAX_LEN: usize = FIXED_LEN + u8::MAX as usize;

/// The SHA-256 of a body: the identity of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Wire for Digest {
    fn encode(&self, out: &mut Encoder) {
        out.raw(&self.0);
    }

    fn decode(input: &mut Decoder<'_>) -> Result<Digest, WireError> {
        let bytes = input.raw(32)?.try_into();
        bytes.map(Digest).map_err(|_| WireError::new("a digest is cut"))
    }
}

/// The digest of a body.
pub(super) fn digest_of(body: &[u8]) -> Digest {
    Digest(Sha256::digest(body).into())
}

/// The fields before the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The kind of the file.
    pub kind: Kind,
    /// The version of its layout.
    pub version: Version,
    /// The program that wrote it, with its version.
    pub producer: String,
    /// The digest of the body.
    pub digest: Digest,
    /// The digest of the body of the file that it was made from, if it was made from one.
    pub upstream: Option<Digest>,
    /// The number of bytes of the body.
    pub body_len: u64,
}

impl Header {
    /// Refuses another kind and versions that this program does not know.
    pub fn expect(&self, name: &str, kind: Kind, known: Version, oldest: u16) -> Result<(), FileError> {
        let file = name.to_string();
        if self.kind != kind {
            return Err(FileError::Kind { file, found: self.kind, wanted: kind });
        }
        let found = self.version;
        if found.major > known.major {
            return Err(FileError::Newer { file, kind, found, known });
        }
        if found.major < oldest {
            return Err(FileError::Older { file, kind, found, known, oldest });
        }
        Ok(())
    }
}

/// Writes the header.
pub(super) fn write_header(header: &Header, out: &mut Vec<u8>) {
    // The reader reads a character that is cut in two as unknown.
    let producer = header.producer.as_bytes();
    let producer = &producer[..producer.len().min(u8::MAX.into())];
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&header.kind.tag());
    out.extend_from_slice(&header.version.major.to_le_bytes());
    out.extend_from_slice(&header.version.minor.to_le_bytes());
    out.extend_from_slice(&header.digest.0);
    out.extend_from_slice(&header.upstream.map_or([0; 32], |digest| digest.0));
    out.extend_from_slice(&header.body_len.to_le_bytes());
    out.push(producer.len() as u8);
    out.extend_from_slice(producer);
}

/// Takes the next bytes of a header.
struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    fn bytes(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(len)?;
        self.rest = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }
}

/// The header and what follows it.
pub(super) fn parse_header<'a>(name: &str, bytes: &'a [u8]) -> Result<(Header, &'a [u8]), FileError> {
    let file = || name.to_string();
    if bytes.is_empty() {
        return Err(FileError::Empty { file: file() });
    }
    let start = &bytes[..bytes.len().min(MAGIC.len())];
    if !MAGIC.starts_with(start) {
        return Err(if looks_like_text(bytes) {
            FileError::Text { file: file() }
        } else {
            FileError::Foreigner { file: file() }
        });
    }
    let mut fields = Fields { rest: &bytes[start.len()..] };
    let truncated = || FileError::Truncated { file: file() };
    let tag: [u8; 4] = fields.array().ok_or_else(truncated)?;
    let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.tag() == tag) else {
        return Err(FileError::UnknownKind { file: file() });
    };
    let header = parse_fields(kind, &mut fields).ok_or_else(truncated)?;
    Ok((header, fields.rest))
}

/// The fields after the kind.
fn parse_fields(kind: Kind, fields: &mut Fields<'_>) -> Option<Header> {
    let version =
        Version { major: u16::from_le_bytes(fields.array()?), minor: u16::from_le_bytes(fields.array()?) };
    let digest = Digest(fields.array()?);
    let upstream: [u8; 32] = fields.array()?;
    let body_len = u64::from_le_bytes(fields.array()?);
    let [len] = fields.array()?;
    let producer = String::from_utf8_lossy(fields.bytes(len.into())?).into_owned();
    let upstream = (upstream != [0; 32]).then_some(Digest(upstream));
    Some(Header { kind, version, producer, digest, upstream, body_len })
}

/// Whether the file starts as a text does.
fn looks_like_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(512)];
    let valid = match std::str::from_utf8(start) {
        Ok(text) => text,
        // A character may be cut in two.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !valid.is_empty() && !valid.contains(|c: char| c.is_control() && !c.is_whitespace())
}
