//! Names that the textual form writes without quotes.

/// May the character begin a name that needs no quotes?
pub(crate) fn starts_name(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || c == '$'
}

/// May the character stand in a name that needs no quotes?
pub(crate) fn in_name(c: char) -> bool {
    starts_name(c) || c.is_ascii_digit() || c == '.'
}

/// Is this a name that needs no quotes, unless it is a keyword?
pub(crate) fn is_plain(name: &str) -> bool {
    name.starts_with(starts_name) && name.chars().all(in_name)
}
