use super::*;

fn check(schema: &Value) -> Result<Value, String> {
    sent(&kept(Some(schema))?)
}

#[test]
fn what_was_accepted_is_kept_as_the_server_says_it() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": { "at": { "$ref": "#/$defs/Point", "description": "a\u{202e}b" } },
        "$defs": { "Point": { "type": "object", "format": "odd" } },
    });
    let mut expected = schema.clone();
    expected.as_object_mut().unwrap().remove("$schema");
    expected["properties"]["at"]["description"] = "a\\u{202e}b".into();
    assert_eq!(kept(Some(&schema)), Ok(expected));
    let nothing = json!({ "type": "object", "properties": {} });
    for empty in [
        json!({}),
        json!({ "type": "object" }),
        json!(true),
        json!(null),
    ] {
        assert_eq!(kept(Some(&empty)), Ok(nothing.clone()), "{empty}");
    }
    assert_eq!(kept(None), Ok(nothing));
}

#[test]
fn an_ordinary_schema_is_sent_as_it_is() {
    let schema = json!({
        "type": "object",
        "properties": {
            "path": { "type": "string", "description": "Where." },
            "description": { "type": "string" },
            "limit": { "type": "integer", "minimum": 1, "default": 5 },
            "kind": { "type": "string", "enum": ["a", "b"] },
            "tags": { "type": "array", "items": { "type": "string" } },
            "more": { "type": "object", "properties": {}, "additionalProperties": { "type": "string" } },
            "any": {},
            "either": { "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" } }] },
        },
        "required": ["path"],
        "additionalProperties": false,
    });
    assert_eq!(check(&schema), Ok(schema));
}

#[test]
fn a_property_is_completed_and_pared_down_to_what_model_servers_take() {
    for (given, wanted) in [
        (
            json!({ "type": "array" }),
            json!({ "type": "array", "items": {} }),
        ),
        (
            json!({ "type": "array", "items": true }),
            json!({ "type": "array", "items": {} }),
        ),
        (
            json!({ "type": "array", "items": [{ "type": "integer" }, { "type": "integer" }] }),
            json!({ "type": "array", "items": { "type": "integer" } }),
        ),
        (
            json!({ "items": { "type": "string" } }),
            json!({ "type": "array", "items": { "type": "string" } }),
        ),
        (
            json!({ "type": ["string", "null"] }),
            json!({ "type": "string" }),
        ),
        (
            json!({ "type": ["string", "integer"], "description": "x" }),
            json!({ "description": "x", "anyOf": [{ "type": "string" }, { "type": "integer" }] }),
        ),
        (
            json!({ "anyOf": [{ "type": "string" }, { "type": "null" }], "default": null }),
            json!({ "type": "string" }),
        ),
        (
            json!({ "oneOf": [{ "type": "string" }, { "type": "integer" }] }),
            json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }] }),
        ),
        (json!({ "anyOf": [{ "type": "string" }, {}] }), json!({})),
        (json!({ "type": "int" }), json!({ "type": "integer" })),
        (json!({ "type": "any" }), json!({})),
        (json!({ "type": "file" }), json!({})),
        (json!(true), json!({})),
        (json!(null), json!({})),
        (json!("string"), json!({})),
        (json!({ "const": "a" }), json!({ "enum": ["a"] })),
        (
            json!({ "type": "string", "enum": ["a", null, "a"] }),
            json!({ "type": "string", "enum": ["a"] }),
        ),
        (
            json!({ "type": "string", "enum": [] }),
            json!({ "type": "string" }),
        ),
        (
            json!({ "type": "string", "format": "uri", "pattern": "^(?=x)", "description": "Where." }),
            json!({ "type": "string", "description": "Where. Format: uri Pattern: ^(?=x)" }),
        ),
        (
            json!({ "type": "string", "format": "date-time" }),
            json!({ "type": "string", "format": "date-time" }),
        ),
        (
            json!({ "type": "integer", "exclusiveMinimum": true, "minimum": "1", "title": 3, "description": 7, "$id": "x", "x-y": 1 }),
            json!({ "type": "integer" }),
        ),
        (
            json!({ "type": "object", "properties": null, "required": null }),
            json!({ "type": "object", "properties": {} }),
        ),
        (
            json!({ "type": "object", "properties": { "a": {} }, "required": ["a", "b", "a", 1] }),
            json!({ "type": "object", "properties": { "a": {} }, "required": ["a"] }),
        ),
        (
            json!({ "allOf": [{ "properties": { "a": {} }, "required": ["a"] }, { "properties": { "b": {} }, "required": ["b"] }] }),
            json!({ "type": "object", "properties": { "a": {}, "b": {} }, "required": ["a", "b"] }),
        ),
        (
            json!({ "type": "object", "if": {}, "then": {}, "patternProperties": { "^x": {} }, "additionalProperties": 3 }),
            json!({ "type": "object", "properties": {} }),
        ),
        (
            json!({ "$ref": "#/$defs/Point", "description": "Where." }),
            json!({ "type": "integer", "description": "Where." }),
        ),
        (json!({ "$ref": "#/$defs/No" }), json!({})),
        (
            json!({ "$ref": "https://x.org/y.json", "description": "z" }),
            json!({ "description": "z" }),
        ),
        (json!({ "$ref": "#/$defs/Round" }), json!({})),
    ] {
        let whole = json!({
            "type": "object",
            "properties": { "p": given },
            "$defs": { "Point": { "type": "integer" }, "Round": { "$ref": "#/$defs/Round" } },
        });
        let sent = check(&whole).unwrap();
        assert_eq!(sent["properties"]["p"], wanted, "{given}");
        assert!(sent.get("$defs").is_none());
    }
}

#[test]
fn the_whole_is_one_object() {
    let of = |properties: Value| json!({ "type": "object", "properties": properties });
    for (given, wanted) in [
        (json!({ "properties": { "a": {} } }), of(json!({ "a": {} }))),
        (json!({ "type": ["object", "null"] }), of(json!({}))),
        (json!({ "type": "object", "required": null }), of(json!({}))),
        (json!({ "type": "object", "properties": [] }), of(json!({}))),
        (
            json!({ "anyOf": [{ "properties": { "a": {}, "b": {} }, "required": ["a", "b"] }, { "properties": { "b": {}, "c": {} }, "required": ["b"] }] }),
            json!({ "type": "object", "properties": { "a": {}, "b": {}, "c": {} }, "required": ["b"] }),
        ),
        (
            json!({ "type": "object", "properties": { "a b": {}, "c": {} } }),
            of(json!({ "c": {} })),
        ),
        (
            json!({ "$ref": "#/$defs/In", "$defs": { "In": { "type": "object", "properties": { "a": {} } } } }),
            of(json!({ "a": {} })),
        ),
    ] {
        assert_eq!(check(&given), Ok(wanted), "{given}");
    }
}

#[test]
fn a_tree_and_a_long_schema_are_cut_and_not_left_out() {
    let tree = json!({ "type": "object", "properties": { "next": { "$ref": "#" }, "n": { "type": "integer" } } });
    let sent = check(&tree).unwrap();
    assert!(sent.to_string().len() < BYTES_MAX);
    assert_eq!(
        sent["properties"]["next"]["properties"]["n"]["type"],
        "integer"
    );
    let wide: Map<String, Value> = (0..9)
        .map(|n| (format!("p{n}"), json!({ "$ref": "#" })))
        .collect();
    let wide = json!({ "type": "object", "properties": wide });
    assert!(check(&wide).unwrap()["properties"].get("p8").is_some());
    let long = json!({ "type": "object", "properties": { "x": { "type": "string", "description": "y".repeat(40_000) } } });
    assert_eq!(
        check(&long).unwrap()["properties"]["x"],
        json!({ "type": "string" })
    );
    let mut deep = json!({});
    for _ in 0..60 {
        deep = json!({ "items": deep });
    }
    let deep = json!({ "type": "object", "properties": { "x": deep } });
    assert_eq!(check(&deep).unwrap()["properties"]["x"]["type"], "array");
}

#[test]
fn a_schema_of_which_nothing_could_be_called_leaves_the_tool_out() {
    for (schema, why) in [
        (json!({ "type": "string" }), "type object"),
        (json!("object"), "no object"),
        (json!([]), "no object"),
        (
            json!({ "type": "object", "properties": { "a b": {} }, "required": ["a b"] }),
            "'a b'",
        ),
        (
            json!({ "type": "object", "properties": { "x": { "description": "y".repeat(400_000) } } }),
            "bytes",
        ),
    ] {
        let found = check(&schema).unwrap_err();
        assert!(found.contains(why), "{found}");
    }
}
