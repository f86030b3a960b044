//! Files: one container for every kind of file that the tools of Beeline exchange.
//!
//! A file is a header and a body. The header has the kind, the version of the body's layout, the producer, a digest of
//! the body and that of the file it was made from; see [`Header`]. The body is a sequence of variable-length numbers
//! and texts; see [`codec`]. `ir-spec/files.md` specifies the bytes.
//!
//! # A kind of one's own
//! ```
//! use beeline_ir::file::{self, Kind, Version};
//!
//! #[derive(Debug, PartialEq)]
//! struct Features { names: Vec<String>, values: Vec<f64> }
//! beeline_ir::wire_struct!(Features { names, values });
//! beeline_ir::wire_body!(Features, Kind::Feat, Version { major: 1, minor: 0 });
//!
//! let features = Features { names: vec!["LOCS".into()], values: vec![17.0] };
//! let bytes = file::to_bytes(&features, None).unwrap();
//! assert_eq!(file::from_bytes::<Features>("a.feat", &bytes).unwrap().body, features);
//! ```
//!
//! # Untrusted bytes
//! Decoding never panics, never recurses on data, ends after at most a few steps for each byte, and
//! allocates no more than a constant times the size of the input.

pub mod codec;
mod error;
mod header;
mod kind;
mod number;
mod program;
mod storage;
mod wire_error;

pub use codec::{Decoder, Encoder, Wire};
pub use error::FileError;
pub use header::{Digest, Header};
pub use kind::{Kind, Version};
pub use storage::{expect_other, expect_writable, read_bytes, read_text, write_bytes};
pub use wire_error::WireError;

use crate::program::Program;
use crate::text;
use header::{digest_of, parse_header, write_header};
use std::path::Path;

/// The content of a kind of file.
pub trait Body: Sized {
    /// The kind of file.
    const KIND: Kind;
    /// The version of the layout that this program writes. A reader takes every minor version of its
    /// major version: parts that a newer minor version adds stand at the end of the body.
    const VERSION: Version;
    /// The oldest major version that is read; a body of an older one than this program writes is converted.
    const OLDEST: u16 = Self::VERSION.major;

    /// Writes the body; an error is a breach of the type's own rules.
    fn encode_body(&self, out: &mut Encoder) -> Result<(), WireError>;

    /// Reads a body that was written with a version.
    fn decode_body(input: &mut Decoder<'_>, version: Version) -> Result<Self, WireError>;
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct File<T> {
    /// Its header.
    pub header: Header,
    /// Its content.
    pub body: T,
}

/// The bytes of a file.
pub fn to_bytes<T: Body>(body: &T, upstream: Option<Digest>) -> Result<Vec<u8>, WireError> {
    let mut encoder = Encoder::default();
    body.encode_body(&mut encoder)?;
    let body = encoder.into_bytes();
    let header = Header {
        kind: T::KIND,
        version: T::VERSION,
        producer: concat!("beeline ", env!("CARGO_PKG_VERSION")).into(),
        digest: digest_of(&body),
        upstream,
        body_len: body.len() as u64,
    };
    let mut bytes = Vec::with_capacity(header::MAX_LEN + body.len());
    write_header(&header, &mut bytes);
    bytes.extend_from_slice(&body);
    Ok(bytes)
}

/// The file in the bytes; `name` is its name in messages.
pub fn from_bytes<T: Body>(name: &str, bytes: &[u8]) -> Result<File<T>, FileError> {
    peek_bytes(name, bytes)?.expect(name, T::KIND, T::VERSION, T::OLDEST)?;
    let (header, body) = open(name, bytes)?;
    let damaged = |what: String| FileError::Damaged { file: name.into(), what, kind: T::KIND };
    let mut decoder = Decoder::new(body);
    let decoded = T::decode_body(&mut decoder, header.version).map_err(|error| damaged(error.to_string()))?;
    if decoder.remaining() > 0 && header.version.minor <= T::VERSION.minor {
        return Err(damaged(format!("{} bytes are left over", decoder.remaining())));
    }
    Ok(File { header, body: decoded })
}

/// The header and the body of a file of any kind and any version, if it is whole.
pub fn open<'a>(name: &str, bytes: &'a [u8]) -> Result<(Header, &'a [u8]), FileError> {
    let (header, body) = parse_header(name, bytes)?;
    let damaged = |what: String| FileError::Damaged { file: name.into(), what, kind: header.kind };
    let len = body.len() as u64;
    if len < header.body_len {
        return Err(damaged(format!("{} bytes are missing at its end", header.body_len - len)));
    }
    if len > header.body_len {
        return Err(damaged("bytes follow its end".into()));
    }
    if digest_of(body) != header.digest {
        return Err(damaged("its digest does not match".into()));
    }
    Ok((header, body))
}

/// Reads a file; `-` is the standard input.
pub fn read<T: Body>(path: impl AsRef<Path>) -> Result<File<T>, FileError> {
    let path = path.as_ref();
    from_bytes(&storage::shown(path), &read_bytes(path)?)
}

/// Reads a program from a `.cfa` file or from its textual form, which is assembled; `-` is the standard input.
pub fn read_program(path: impl AsRef<Path>) -> Result<File<Program>, FileError> {
    let path = path.as_ref();
    let (name, bytes) = (storage::shown(path), read_bytes(path)?);
    match from_bytes::<Program>(&name, &bytes) {
        Err(FileError::Text { .. }) => {
            let body = text::parse(&String::from_utf8_lossy(&bytes)).map_err(|faults| {
                let faults: Vec<String> = faults.iter().map(|fault| format!("{name}:{fault}")).collect();
                FileError::NoProgram { file: name.clone(), faults: faults.join("\n") }
            })?;
            let assembled = to_bytes(&body, None)
                .map_err(|error| FileError::Invalid { file: name.clone(), what: error.to_string() })?;
            Ok(File { header: peek_bytes(&name, &assembled)?, body })
        }
        read => read,
    }
}

/// Reads the header of a file of any kind and any version.
pub fn peek(path: impl AsRef<Path>) -> Result<Header, FileError> {
    let path = path.as_ref();
    let bytes = storage::read_start(path, header::MAX_LEN)?;
    Ok(parse_header(&storage::shown(path), &bytes)?.0)
}

/// The header in the bytes of a file of any kind and any version.
pub fn peek_bytes(name: &str, bytes: &[u8]) -> Result<Header, FileError> {
    Ok(parse_header(name, bytes)?.0)
}

/// Writes a file, all or nothing, and returns the digest of its body; `-` is the standard output.
pub fn write<T: Body>(
    path: impl AsRef<Path>,
    body: &T,
    upstream: Option<Digest>,
) -> Result<Digest, FileError> {
    let path = path.as_ref();
    let name = storage::shown(path);
    let bytes = to_bytes(body, upstream)
        .map_err(|error| FileError::Invalid { file: name.clone(), what: error.to_string() })?;
    let digest = parse_header(&name, &bytes)?.0.digest;
    if storage::is_terminal(path) {
        return Err(FileError::Terminal);
    }
    write_bytes(path, &bytes)?;
    Ok(digest)
}

/// Refuses a file that was made from another upstream file than the one at hand.
pub fn expect_upstream(
    name: &str,
    header: &Header,
    upstream_name: &str,
    upstream: &Header,
) -> Result<(), FileError> {
    if header.upstream == Some(upstream.digest) {
        return Ok(());
    }
    Err(FileError::Foreign {
        file: name.into(),
        upstream: upstream_name.into(),
        maker: header.kind.producer(),
    })
}
