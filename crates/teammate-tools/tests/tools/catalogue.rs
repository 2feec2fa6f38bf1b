//! All tools as models are shown them: what they may cost, and that what is shown is what is understood.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use teammate_core::{port::Tool, tool::ToolInput};
use teammate_process::TeamSandbox;
use teammate_tools::{
    ToolCatalogue,
    team::{Skill, Skills},
    web::{SearchApi, SearchSettings},
};

use crate::{repo::Repo, support::Bench};

/// The most that all descriptions and schemas together may have. Every member sends its part of it with each request.
const BYTES_MAX: usize = 11_100;

/// Every tool that there can be.
pub(crate) fn all() -> Vec<Arc<dyn Tool>> {
    let skill = Skill {
        description: String::new(),
        body: String::new(),
        origin: String::new(),
        files: Vec::new(),
    };
    let search = SearchSettings {
        api: SearchApi::Searxng,
        url: Some("https://search.example".to_owned()),
        key: None,
    };
    ToolCatalogue::new()
        .with_web_search(search, TeamSandbox::default())
        .unwrap()
        .with_memory(Arc::new(crate::memory::Kept::default()))
        .with_schedules()
        .with_worktrees(&Repo::new().worktrees)
        .with_permission_answers()
        .with_skills(Skills::from([("pdf".to_owned(), skill)]))
        .all()
}

#[test]
fn rules_know_every_tool_by_its_name() {
    for tool in all() {
        let name = &*tool.spec().name;
        assert!(teammate_tools::TOOL_NAMES.contains(&name), "{name}");
    }
}

fn schema(tool: &dyn Tool) -> Value {
    serde_json::from_str(tool.spec().schema.get()).unwrap()
}

/// Something that fits a part of a schema.
fn sample(name: &str, part: &Value) -> Value {
    if let Some(words) = part["enum"].as_array() {
        return words[0].clone();
    }
    match part["type"].as_str().unwrap() {
        "integer" => json!(7),
        "boolean" => json!(true),
        "array" => json!([sample(name, &part["items"])]),
        "object" => object(part, |_| true),
        "string" => json!(match name {
            "request_id" => "req_000001",
            "model" => "openai:gpt-6.2-sol",
            "effort" => "high",
            "requires" => "role:coder",
            _ => "word",
        }),
        other => panic!("{other}"),
    }
}

fn object(schema: &Value, is_wanted: impl Fn(&str) -> bool) -> Value {
    let properties = schema["properties"].as_object().unwrap();
    let given: Map<String, Value> = properties
        .iter()
        .filter(|(name, _)| is_wanted(name))
        .map(|(name, part)| (name.clone(), sample(name, part)))
        .collect();
    Value::Object(given)
}

fn required(schema: &Value) -> Vec<&str> {
    let names = schema["required"].as_array();
    names.map_or(Vec::new(), |names| {
        names.iter().filter_map(Value::as_str).collect()
    })
}

#[test]
fn what_a_model_is_shown_is_understood() {
    let bench = Bench::new();
    let misfit = |tool: &dyn Tool, input: &Value| {
        let read = tool.read(&ToolInput::from_json(input.to_string()), &bench.context);
        let why = read.err().map(|outcome| outcome.text());
        // One value is a list of one, whose item is none.
        why.filter(|why| why.starts_with("The arguments do not fit") || why.contains("item 1: "))
    };
    for tool in all() {
        let (tool, name, schema) = (&*tool, &tool.spec().name, schema(&*tool));
        let required = required(&schema);
        let least = object(&schema, |argument| required.contains(&argument));
        assert_eq!(misfit(tool, &least), None, "{name}: {least}");
        let most = object(&schema, |_| true);
        assert_eq!(misfit(tool, &most), None, "{name}: {most}");
        // Each argument that is shown is one that is read: an object is no value of any of them.
        for argument in most.as_object().unwrap().keys() {
            let mut wrong = most.clone();
            wrong[argument] = json!({ "no": "value" });
            assert!(misfit(tool, &wrong).is_some(), "{name}: {wrong}");
        }
    }
}

#[test]
fn the_catalogue_stays_within_its_budget() {
    let mut bytes = 0;
    let mut sizes = String::new();
    for tool in all() {
        let spec = tool.spec();
        let schema = spec.schema.get();
        assert!(
            schema.starts_with(r#"{"type":"object","properties":{"#) && !schema.contains('\n'),
            "{}: {schema}",
            spec.name
        );
        assert!(
            spec.description.len() > 20 && spec.description.trim() == spec.description,
            "{}",
            spec.name
        );
        let size = spec.description.len() + schema.len();
        sizes.push_str(&format!("{} {size}\n", spec.name));
        bytes += size;
    }
    assert!(bytes <= BYTES_MAX, "{bytes}\n{sizes}");
    // A budget that is far away guards nothing.
    assert!(bytes > BYTES_MAX * 9 / 10, "{bytes}\n{sizes}");
}

#[test]
fn a_tool_that_a_text_names_is_one_that_there_is() {
    let all = all();
    for tool in &all {
        let spec = tool.spec();
        let texts = format!("{}{}", spec.description, spec.schema.get());
        for mention in texts.split("{tool:").skip(1) {
            let (named, _) = mention.split_once('}').unwrap();
            let is_there = all.iter().any(|tool| tool.spec().name == named);
            assert!(is_there, "{} names {named}", spec.name);
        }
    }
}
