use serde_json::{Value, json};

use super::*;

fn misfits(schema: &Value, value: &Value) -> Vec<String> {
    let schema = Schema::of(schema).unwrap_or_else(|error| panic!("{error}: {schema}"));
    schema
        .check(value)
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn each_keyword_lets_pass_what_fits_and_names_what_does_not() {
    // Schema, what fits, what does not.
    let table = [
        (json!(true), json!([null, 1, {}]), json!([])),
        (json!(false), json!([]), json!([null, 1])),
        (json!({}), json!([null, "x"]), json!([])),
        (
            json!({"type": "integer"}),
            json!([1, 1.0, -7, 18446744073709551615u64]),
            json!([1.5, "1", null, true]),
        ),
        (
            json!({"type": ["string", "null"]}),
            json!(["", null]),
            json!([0, [], {}, false]),
        ),
        (
            json!({"enum": [1, "a", null, [1], {"b": 1, "c": 2}]}),
            json!([1.0, "a", null, [1], {"c": 2, "b": 1.0}]),
            json!([2, "A", [], {"b": 1}]),
        ),
        (
            json!({"const": 9007199254740993u64}),
            json!([9007199254740993u64]),
            json!([9007199254740992u64]),
        ),
        (
            json!({"allOf": [{"minimum": 1}, {"maximum": 3}]}),
            json!([1, 3, "x"]),
            json!([0, 4]),
        ),
        (
            json!({"anyOf": [{"type": "string"}, {"minimum": 3}]}),
            json!(["x", 3, null]),
            json!([2]),
        ),
        (
            json!({"oneOf": [{"multipleOf": 2}, {"multipleOf": 3}]}),
            json!([2, 3, 9]),
            json!([6, 1]),
        ),
        (
            json!({"not": {"type": "null"}}),
            json!([0, ""]),
            json!([null]),
        ),
        (
            json!({"if": {"minimum": 10}, "then": {"multipleOf": 10}, "else": {"maximum": 5}}),
            json!([5, 20]),
            json!([7, 15]),
        ),
        (json!({"then": false}), json!([1]), json!([])),
        (
            json!({"required": ["a", "b"]}),
            json!([{"a": 1, "b": null}, 7]),
            json!([{"a": 1}, {}]),
        ),
        (
            json!({"properties": {"a": {"type": "null"}}}),
            json!([{"a": null}, {"b": 1}, {}, []]),
            json!([{"a": 1}]),
        ),
        (
            json!({"properties": {"a": true}, "additionalProperties": false}),
            json!([{"a": 1}, {}]),
            json!([{"b": 1}]),
        ),
        (
            json!({"additionalProperties": {"type": "string"}}),
            json!([{"a": "x"}]),
            json!([{"a": 1}]),
        ),
        (
            json!({"patternProperties": {"^x": {"type": "null"}}, "additionalProperties": false}),
            json!([{"x1": null}]),
            json!([{"x1": 1}, {"y": null}]),
        ),
        (
            json!({"properties": {"xa": {"minimum": 2}}, "patternProperties": {"^x": {"maximum": 3}}}),
            json!([{"xa": 2}, {"xb": 1}]),
            json!([{"xa": 4}, {"xa": 1}]),
        ),
        (
            json!({"propertyNames": {"maxLength": 2}}),
            json!([{"ab": 1}]),
            json!([{"abc": 1}]),
        ),
        (
            json!({"items": {"type": "string"}}),
            json!([[], ["a"], "x"]),
            json!([["a", 1]]),
        ),
        (
            json!({"prefixItems": [{"const": 1}], "items": {"const": 2}}),
            json!([[], [1], [1, 2, 2]]),
            json!([[2], [1, 3]]),
        ),
        (
            json!({"prefixItems": [true], "items": false}),
            json!([[1]]),
            json!([[1, 1]]),
        ),
        (
            json!({"contains": {"const": 1}}),
            json!([[0, 1]]),
            json!([[], [0]]),
        ),
        (
            json!({"uniqueItems": true}),
            json!([[1, "1", true]]),
            json!([[1, 2, 1.0]]),
        ),
        (json!({"uniqueItems": false}), json!([[1, 1]]), json!([])),
        (
            json!({"pattern": "^a+$"}),
            json!(["aa", 1]),
            json!(["ab", ""]),
        ),
        (json!({"pattern": "b"}), json!(["abc"]), json!(["ac"])),
        (
            json!({"minLength": 2, "maxLength": 2}),
            json!(["ñé", 5]),
            json!(["ñ", "abc"]),
        ),
        (
            json!({"minItems": 1, "maxItems": 2}),
            json!([[1], [1, 2]]),
            json!([[], [1, 2, 3]]),
        ),
        (
            json!({"minProperties": 1, "maxProperties": 1}),
            json!([{"a": 1}]),
            json!([{}, {"a": 1, "b": 2}]),
        ),
        (
            json!({"exclusiveMinimum": 0, "exclusiveMaximum": 1}),
            json!([0.5]),
            json!([0, 1]),
        ),
        (json!({"multipleOf": 0.1}), json!([0.3, 1]), json!([0.35])),
        (
            json!({"$ref": "#/$defs/n", "$defs": {"n": {"type": "null"}}}),
            json!([null]),
            json!([1]),
        ),
        (
            json!({"title": "t", "format": "email", "$comment": "c"}),
            json!(["no mail address"]),
            json!([]),
        ),
    ];
    for (schema, fits, does_not) in table {
        for value in fits.as_array().unwrap() {
            assert_eq!(misfits(&schema, value), [""; 0], "{schema} {value}");
        }
        for value in does_not.as_array().unwrap() {
            assert!(!misfits(&schema, value).is_empty(), "{schema} {value}");
        }
    }
}

#[test]
fn a_schema_that_refers_to_itself_is_followed_as_far_as_the_value_goes() {
    let tree = json!({"type": "object", "required": ["v"], "properties": {"next": {"$ref": "#"}}});
    assert_eq!(misfits(&tree, &json!({"v": 1, "next": {"v": 2}})), [""; 0]);
    assert_eq!(
        misfits(&tree, &json!({"v": 1, "next": {"next": {"v": 3}}})),
        ["/next has no 'v'"]
    );
    let endless = json!({"$ref": "#"});
    assert_eq!(misfits(&endless, &json!(1)).len(), 1);
}

#[test]
fn all_that_is_wrong_is_named_with_its_place() {
    let schema = json!({
        "type": "object",
        "required": ["verdict", "files"],
        "properties": {"verdict": {"enum": ["yes", "no"]}, "files": {"type": "array", "items": {"type": "string"}}},
        "additionalProperties": false,
    });
    let value = json!({"verdict": "maybe", "files": ["a", 2], "more/less": 1});
    assert_eq!(
        misfits(&schema, &value),
        [
            "/verdict is not \"yes\" or \"no\"",
            "/files/1 is not a string",
            "/more~1less is not allowed here",
        ]
    );
    assert_eq!(
        misfits(&schema, &json!("yes")),
        ["the value is not an object"]
    );
}

#[test]
fn of_alternatives_the_one_that_is_meant_is_named() {
    let schema = json!({"oneOf": [
        {"properties": {"kind": {"const": "a"}, "n": {"type": "integer"}}, "required": ["kind", "n"]},
        {"properties": {"kind": {"const": "b"}, "text": {"type": "string"}}, "required": ["kind", "text"]},
    ]});
    assert_eq!(
        misfits(&schema, &json!({"kind": "b", "n": 1})),
        ["the value has no 'text'"]
    );
    assert_eq!(
        misfits(&schema, &json!({"kind": "c"})),
        ["the value fits none of the alternatives"]
    );
}

#[test]
fn what_is_not_understood_is_refused_and_never_passed_over() {
    let table = [
        (json!(7), "at #: a schema is an object, true or false"),
        (
            json!({"properties": {"a": {"unevaluatedItems": false}}}),
            "at #/properties/a: the keyword 'unevaluatedItems' is not understood here",
        ),
        (
            json!({"$dynamicRef": "#x"}),
            "at #: the keyword '$dynamicRef' is not understood here",
        ),
        (
            json!({"minimun": 1}),
            "at #: the keyword 'minimun' is not understood here",
        ),
        (json!({"type": "text"}), "at #/type: 'text' is not a type"),
        (json!({"required": "a"}), "at #/required: it must be a list"),
        (
            json!({"minLength": -1}),
            "at #/minLength: it must be a count",
        ),
        (
            json!({"multipleOf": 0}),
            "at #/multipleOf: it must be above 0",
        ),
        (
            json!({"properties": []}),
            "at #/properties: it must be an object",
        ),
        (
            json!({"$ref": "#/$defs/none"}),
            "at #: '#/$defs/none' is not in this document; only references within it are followed",
        ),
        (
            json!({"$ref": "https://example.org/s"}),
            "at #: 'https://example.org/s' is not in this document; only references within it are followed",
        ),
    ];
    for (schema, why) in table {
        assert_eq!(Schema::of(&schema).unwrap_err().to_string(), why);
    }
    let lookaround = Schema::of(&json!({"pattern": "(?=a)"}))
        .unwrap_err()
        .to_string();
    assert!(
        lookaround.starts_with("at #/pattern: this pattern is not understood"),
        "{lookaround}"
    );
    assert!(matches!(Schema::read("{"), Err(SchemaError::Json(_))));
}
