//! Errors in the bytes of a body.

/// Why bytes are no body, or a value cannot become one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WireError(pub String);

impl WireError {
    /// An error with a message that completes "the file is damaged: ...".
    pub fn new(message: impl Into<String>) -> WireError {
        WireError(message.into())
    }
}

/// The result of decoding.
pub type Decoded<T> = Result<T, WireError>;
