//! JSON held against a schema, as far as our schemas go: types, constants, lists, objects and references.

use serde_json::Value;

/// The schema of what `beeline check --json` prints.
const ANSWER: &str = include_str!("../../docs/answer.schema.json");

/// What is wrong with an answer, by the schema.
pub fn faults_of_answer(text: &str) -> Vec<String> {
    let schema: Value = match serde_json::from_str(ANSWER) {
        Ok(schema) => schema,
        Err(error) => return vec![format!("the schema is no JSON: {error}")],
    };
    match serde_json::from_str(text) {
        Ok(value) => faults(&schema, &schema, &value, "$"),
        Err(error) => vec![format!("it is no JSON: {error}")],
    }
}

/// What is wrong with a value, by a schema that is a part of another one; `at` says where the value is.
fn faults(whole: &Value, schema: &Value, value: &Value, at: &str) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let target = whole.pointer(name.trim_start_matches('#'));
        return target.map_or(vec![format!("{name} is not there")], |part| faults(whole, part, value, at));
    }
    let mut found = Vec::new();
    let one_of = |list: &Value| list.as_array().is_some_and(|all| all.contains(value));
    if schema.get("const").is_some_and(|constant| constant != value)
        || schema.get("enum").is_some_and(|list| !one_of(list))
        || !types(&schema["type"]).iter().any(|kind| is_of(kind, value))
    {
        found.push(format!("{at} is {value}"));
    }
    if let (Some(elements), Some(part)) = (value.as_array(), schema.get("items")) {
        let each = elements.iter().enumerate();
        found.extend(each.flat_map(|(index, it)| faults(whole, part, it, &format!("{at}[{index}]"))));
    }
    if let Some(object) = value.as_object() {
        let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let missing = required.filter(|name| !object.contains_key(*name));
        found.extend(missing.map(|name| format!("{at} has no {name}")));
        for (name, it) in object {
            let known = schema["properties"].get(name).or(schema.get("additionalProperties"));
            match known {
                Some(Value::Bool(false)) => found.push(format!("{at} has {name}")),
                Some(part) => found.extend(faults(whole, part, it, &format!("{at}.{name}"))),
                None => {}
            }
        }
    }
    found
}

/// The types that a schema allows; nothing is said where any is allowed.
fn types(of: &Value) -> Vec<&str> {
    match of {
        Value::String(only) => vec![only],
        Value::Array(all) => all.iter().filter_map(Value::as_str).collect(),
        _ => vec!["any"],
    }
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "any" => true,
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_schema_excludes_is_found() {
        let schema = json!({
            "type": "object", "required": ["a"], "additionalProperties": false,
            "properties": { "a": { "$ref": "#/$defs/number" }, "b": { "type": "array", "items": { "enum": [1] } } },
            "$defs": { "number": { "type": ["integer", "null"] } },
        });
        let of = |value: Value| faults(&schema, &schema, &value, "$");
        assert_eq!(of(json!({ "a": 1, "b": [1] })), [""; 0]);
        assert_eq!(of(json!({ "a": null })), [""; 0]);
        assert_eq!(of(json!({ "b": [2] })), ["$ has no a", "$.b[0] is 2"]);
        assert_eq!(of(json!({ "a": "x", "c": 1 })), ["$.a is \"x\"", "$ has c"]);
        assert!(!faults_of_answer("{}").is_empty() && !faults_of_answer("verdict").is_empty());
    }
}
