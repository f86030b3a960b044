//! The content of files as readable text: JSON without its quotes, with short values on one line.

use serde_json::Value as Json;

/// Longer lines are broken if possible.
const WIDTH: usize = 100;

/// The text of an object: a line or a block for each of its parts.
pub(crate) fn outline(object: &Json) -> String {
    let mut text = String::new();
    block(object, 0, &mut text);
    text
}

/// Writes the parts of a value, each on lines of its own.
fn block(value: &Json, depth: usize, text: &mut String) {
    match value {
        Json::Object(parts) => {
            parts.iter().for_each(|(name, part)| entry(&format!("{name}:"), part, depth, text))
        }
        Json::Array(parts) => parts.iter().for_each(|part| entry("-", part, depth, text)),
        scalar => text.push_str(&format!("{:1$}{scalar}\n", "", 2 * depth)),
    }
}

/// Writes a part after its name: on the same line if it is short, else below.
fn entry(name: &str, part: &Json, depth: usize, text: &mut String) {
    let start = format!("{:1$}{name}", "", 2 * depth);
    let room = WIDTH.saturating_sub(start.len());
    // Objects of a list stand one below the other.
    let is_list = part.as_array().is_some_and(|parts| parts.iter().any(Json::is_object));
    match short(part, room).filter(|_| !is_list) {
        Some(line) if line.is_empty() => text.push_str(&format!("{start} none\n")),
        Some(line) => text.push_str(&format!("{start} {line}\n")),
        None => {
            text.push_str(&format!("{start}\n"));
            block(part, depth + 1, text);
        }
    }
}

/// A value on one line, unless it is a list or an object that does not fit.
fn short(value: &Json, room: usize) -> Option<String> {
    let joined = |parts: &mut dyn Iterator<Item = Option<String>>| {
        let mut line = String::new();
        for part in parts {
            if !line.is_empty() {
                line.push_str(", ");
            }
            line.push_str(&part?);
            if line.len() > room {
                return None;
            }
        }
        Some(line)
    };
    let inner = |value: &Json| match value {
        Json::Array(_) => short(value, room).map(|line| format!("[{line}]")),
        Json::Object(_) => short(value, room).map(|line| format!("{{{line}}}")),
        scalar => short(scalar, room),
    };
    match value {
        Json::Array(parts) => joined(&mut parts.iter().map(inner)),
        Json::Object(parts) => {
            joined(&mut parts.iter().map(|(name, part)| inner(part).map(|part| format!("{name}: {part}"))))
        }
        Json::String(text) => Some(text.replace('\n', " ")),
        Json::Null => Some("none".into()),
        scalar => Some(scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::outline;
    use serde_json::json;

    #[test]
    fn short_parts_stand_on_one_line_and_long_ones_below_their_name() {
        let long: Vec<_> =
            (0..12).map(|number| json!({ "number": number, "even": number % 2 == 0 })).collect();
        let text = outline(&json!({ "a": "b", "c": [], "d": [1, [2, null]], "long": long }));
        assert!(
            text.starts_with("a: b\nc: none\nd: 1, [2, none]\nlong:\n  - even: true, number: 0\n"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 4 + 12);
        assert_eq!(outline(&json!({ "a": [{ "b": 1, "c": {} }] })), "a:\n  - b: 1, c: {}\n");
    }
}
