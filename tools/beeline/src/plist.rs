//! Warnings in a property list, which is what clang's analyser writes where nothing is said: read as SARIF.

use roxmltree::{Document, Node, ParsingOptions};
use serde_json::{Map, Value, json};

/// The greatest nesting of values.
const DEEPEST: usize = 64;

/// Whether a text is XML, as property lists are.
pub(crate) fn is_it(bytes: &[u8]) -> bool {
    bytes.trim_ascii_start().starts_with(b"<")
}

/// The warnings of a property list as a log in SARIF.
pub(crate) fn log(bytes: &[u8]) -> Result<Value, String> {
    let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    if !is_shallow(text) {
        return Err("the property list is nested too deep, or has tags in comments".into());
    }
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| error.to_string())?;
    let list = value(document.root_element().first_element_child(), DEEPEST);
    let warnings = list.as_ref().and_then(|list| list["diagnostics"].as_array());
    let (Some(list), Some(warnings)) = (&list, warnings) else { return Err("it has no diagnostics".into()) };
    let results: Vec<Value> = warnings.iter().map(|warning| result(warning, &list["files"])).collect();
    let tool = json!({ "driver": { "name": "clang", "version": list["clang_version"] } });
    Ok(json!({ "version": "2.1.0", "runs": [{ "tool": tool, "results": results }] }))
}

/// Whether no elements nest deeper than values may. The parser has no limit of its own. Text that could hide
/// a tag is refused: comments and instructions with tags in them, sections.
fn is_shallow(text: &str) -> bool {
    let mut depth = 0usize;
    text.split('<').skip(1).all(|tag| {
        match tag.as_bytes().first() {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(b'?') => return tag.contains("?>"),
            Some(b'!') => {
                return tag.starts_with("!DOCTYPE") || tag.starts_with("!--") && tag.contains("-->");
            }
            _ => depth += usize::from(!tag.trim_end().ends_with("/>")),
        }
        depth <= DEEPEST
    })
}

/// A warning: its text, its place, and the events on its path.
fn result(warning: &Value, files: &Value) -> Value {
    let events = warning["path"].as_array().into_iter().flatten().filter(|step| step["kind"] == "event");
    let steps: Vec<Value> = events
        .map(|event| {
            let mut location = place(&event["location"], files);
            location["message"] = json!({ "text": event["message"] });
            json!({ "location": location })
        })
        .collect();
    json!({
        "ruleId": warning["check_name"],
        "level": "warning",
        "message": { "text": warning["description"] },
        "locations": [place(&warning["location"], files)],
        "codeFlows": [{ "threadFlows": [{ "locations": steps }] }],
    })
}

fn place(location: &Value, files: &Value) -> Value {
    let file = location["file"].as_u64().and_then(|file| files.get(usize::try_from(file).ok()?));
    json!({ "physicalLocation": {
        "artifactLocation": { "uri": file },
        "region": { "startLine": location["line"], "startColumn": location["col"] },
    } })
}

/// A value of a property list that an element stands for.
fn value(element: Option<Node<'_, '_>>, deepest: usize) -> Option<Value> {
    let element = element.filter(|_| deepest > 0)?;
    let inner = element.children().filter(Node::is_element);
    match element.tag_name().name() {
        "dict" => {
            let mut object = Map::new();
            let mut inner = inner;
            while let Some(key) = inner.next() {
                object.insert(key.text()?.into(), value(inner.next(), deepest - 1)?);
            }
            Some(object.into())
        }
        "array" => inner.map(|item| value(Some(item), deepest - 1)).collect(),
        "integer" => element.text()?.parse::<i64>().ok().map(Value::from),
        "true" => Some(true.into()),
        "false" => Some(false.into()),
        _ => Some(element.text().unwrap_or_default().into()),
    }
}
