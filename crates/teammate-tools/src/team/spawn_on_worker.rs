//! `spawn_teammate` where workers run the team: besides, it says what a worker must have that runs the teammate. Where one
//! process runs the team, models are not shown this.

use std::{borrow::Cow, collections::BTreeSet};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, de::Error as _};
use teammate_core::{
    port::{Action, SpawnArgs, ToolContext},
    team::Label,
    tool::{EffectClass, Outcome},
};

use super::spawn_teammate::{self, SpawnTeammate, spawned_text};
use crate::{
    arguments::names_read,
    typed_tool::{Reply, TypedTool, done},
};

pub(super) struct SpawnOnWorker;

#[derive(Clone, Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(flatten)]
    spawn: spawn_teammate::Input,
    /// Labels of its worker, as gpu; {tool:list_teammates} names those that there are.
    #[serde(default, alias = "labels")]
    on: Labels,
}

/// Labels as models write them: a list, one, or nothing.
#[derive(Clone, Default)]
struct Labels(BTreeSet<Label>);

impl<'de> Deserialize<'de> for Labels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Many(Vec<String>),
            One(String),
            Nothing(()),
        }
        let words = match Written::deserialize(deserializer)? {
            Written::Many(words) => words,
            Written::One(word) => vec![word],
            Written::Nothing(()) => Vec::new(),
        };
        let words = words.iter().map(|word| word.trim());
        let labels = words.filter(|word| !word.is_empty()).map(Label::parse);
        labels
            .collect::<Result<_, _>>()
            .map(Self)
            .map_err(D::Error::custom)
    }
}

impl JsonSchema for Labels {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Labels".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": { "type": "string" } })
    }
}

impl From<Input> for SpawnArgs {
    fn from(input: Input) -> Self {
        let mut ask = Self::from(input.spawn);
        ask.options.labels = input.on.0;
        ask
    }
}

impl TypedTool for SpawnOnWorker {
    type Input = Input;
    const NAME: &'static str = SpawnTeammate::NAME;
    const DESCRIPTION: &'static str = SpawnTeammate::DESCRIPTION;
    const CLASS: EffectClass = SpawnTeammate::CLASS;

    fn arguments() -> Vec<&'static str> {
        // A type with another's fields in it does not say which it reads.
        [names_read::<spawn_teammate::Input>(), vec!["on", "labels"]].concat()
    }

    fn action(&self, input: &Input, context: &ToolContext) -> Result<Action, Outcome> {
        let action = SpawnTeammate.action(&input.spawn, context)?;
        let labels: Vec<String> = input.on.0.iter().map(ToString::to_string).collect();
        if labels.is_empty() {
            return Ok(action);
        }
        let shows = format!(
            "on a worker with {}: {}",
            labels.join(" and "),
            action.shows
        );
        Ok(Action { shows, ..action })
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let spawned = context.team.spawn(input.into()).await?;
        let told = spawned_text(&spawned);
        if spawned.waits_for.is_none() {
            return done(told);
        }
        let workers = context.team.workers();
        let labels: BTreeSet<String> = workers
            .iter()
            .flat_map(|worker| worker.labels.iter().map(ToString::to_string))
            .collect();
        let labels: Vec<String> = labels.into_iter().collect();
        match labels.is_empty() {
            true => done(format!("{told}. No worker has a label now")),
            false => done(format!("{told}. Labels now: {}", labels.join(", "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::typed_tool::typed;

    #[test]
    fn labels_are_shown_besides_what_is_shown_in_any_case() {
        let schema = |tool: &dyn teammate_core::port::Tool| {
            let schema: serde_json::Value = serde_json::from_str(tool.spec().schema.get()).unwrap();
            schema
        };
        let alone = schema(&*typed(SpawnTeammate));
        let mut on_workers = schema(&*typed(SpawnOnWorker));
        let on = on_workers["properties"]
            .as_object_mut()
            .unwrap()
            .remove("on");
        assert_eq!(on.unwrap()["items"]["type"], "string");
        assert_eq!(on_workers, alone);
    }

    #[test]
    fn its_arguments_are_those_of_a_spawn_and_the_labels() {
        let arguments = SpawnOnWorker::arguments();
        assert_eq!(arguments.len(), SpawnTeammate::arguments().len() + 2);
        assert!(arguments.contains(&"isolation"), "{arguments:?}");
    }

    #[test]
    fn labels_may_be_one_or_many() {
        let read = |on: &str| {
            let json = format!(r#"{{"name":"ada","prompt":"train","worktree":true,"on":{on}}}"#);
            let input: Result<Input, _> = serde_json::from_str(&json);
            input.map(|input| SpawnArgs::from(input).options)
        };
        let gpu = BTreeSet::from([Label::parse("gpu").unwrap()]);
        for on in [r#"["gpu"]"#, r#""gpu""#, r#"[" gpu",""]"#] {
            let options = read(on).unwrap();
            assert_eq!(
                (options.labels, options.worktree),
                (gpu.clone(), true),
                "{on}"
            );
        }
        for nothing in ["[]", "null", r#""""#] {
            assert!(read(nothing).unwrap().labels.is_empty(), "{nothing}");
        }
        let wrong = read(r#"["a b"]"#).unwrap_err().to_string();
        assert!(wrong.contains("is not a label"), "{wrong}");
    }
}
