//! Names that the textual form writes without quotes.

/// Whether the character may begin a name that needs no quotes.
pub(crate) fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$'
}

/// Whether the character may stand in a name that needs no quotes.
pub(crate) fn in_name(c: char) -> bool {
    starts_name(c) || c.is_ascii_digit() || c == '.'
}

/// Whether this is a name that needs no quotes, unless it is a keyword.
pub(crate) fn is_plain(name: &str) -> bool {
    name.starts_with(starts_name) && name.chars().all(in_name)
}
