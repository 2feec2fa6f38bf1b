//! A tool as data and two functions: what a call would do, and doing it. The input is a Rust type; it is parsed once, and what
//! the model is shown of it is made from the type, so that the two cannot disagree.

use std::sync::Arc;

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Value, json, value::to_raw_value};
use teammate_core::{
    fit::{fitted, refusal},
    port::{Action, BoxFuture, ReadyCall, Target, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolInput, ToolNames, ToolSpec},
};

use crate::arguments::{KnownArguments, names_read};

/// The outcome of a call: `?` returns early with a failure that the model reads.
pub(crate) type Reply = Result<Outcome, Outcome>;

/// A tool of the catalogue.
pub(crate) trait TypedTool: Send + Sync + 'static {
    /// The arguments. A field's documentation is what the model reads about it; `#[schemars(skip)]` keeps one that is
    /// understood from being shown.
    type Input: DeserializeOwned + JsonSchema + Send + 'static;

    /// By what name it is called.
    const NAME: &'static str;
    /// The description for the model: use and effect. `{tool:NAME}` stands for the name of a tool.
    const DESCRIPTION: &'static str;
    /// The class of its effects.
    const CLASS: EffectClass;
    /// Whether models are shown it, see [`Tool::is_offered`].
    const IS_OFFERED: bool = true;

    /// The names of all arguments that are read, other names included; any other is refused.
    fn arguments() -> Vec<&'static str> {
        names_read::<Self::Input>()
    }

    /// Reads the arguments.
    fn input(given: &ToolInput) -> Result<Self::Input, Outcome> {
        given.parse()
    }

    /// The action that the call asks for, which the gate judges. Changes nothing, and looks no further than at what a path leads to.
    fn action(&self, input: &Self::Input, context: &ToolContext) -> Result<Action, Outcome>;

    /// Says more exactly what it would do, if that takes a look at what is there.
    fn preview<'a>(
        &'a self,
        _input: &Self::Input,
        _action: &Action,
        _context: &'a ToolContext,
    ) -> Option<BoxFuture<'a, Result<Action, Outcome>>> {
        None
    }

    /// Whether a call with this input only looks, or waits.
    fn only_looks(_input: &Self::Input) -> bool {
        false
    }

    /// Does it; the action was worked out without an error before. Dropping the future cancels it.
    fn run(&self, input: Self::Input, context: &ToolContext) -> impl Future<Output = Reply> + Send;
}

/// A typed tool as the team's other parts know it.
pub(crate) fn typed<T: TypedTool>(tool: T) -> Arc<dyn Tool> {
    let spec = ToolSpec {
        name: T::NAME.into(),
        description: T::DESCRIPTION.into(),
        schema: to_raw_value(&schema::<T::Input>()).expect("a JSON value can be written"),
        class: T::CLASS,
    };
    Arc::new(Typed {
        wanted: wanted::<T>(),
        spec,
        arguments: T::arguments(),
        tool,
    })
}

/// The input of a tool without arguments.
#[derive(serde::Deserialize, JsonSchema)]
pub(crate) struct NoInput {}

/// An action that affects only the team.
pub(crate) fn team_action(shows: impl Into<String>, summary: impl Into<String>) -> Action {
    Action {
        target: Target::Team,
        shows: shows.into(),
        summary: summary.into(),
    }
}

pub(crate) fn done(text: impl Into<String>) -> Reply {
    Ok(Outcome::ok(text))
}

struct Typed<T> {
    spec: ToolSpec,
    /// The schema with which arguments are compared.
    wanted: Value,
    arguments: Vec<&'static str>,
    tool: T,
}

impl<T: TypedTool> Typed<T> {
    fn input(&self, given: &ToolInput, names: &ToolNames) -> Result<T::Input, Outcome> {
        let known = KnownArguments {
            tool: T::NAME,
            shown_name: names.of(T::NAME),
            read: &self.arguments,
            schema: &self.spec.schema,
        };
        let given = fitted(given, &self.wanted);
        known.check(&given)?;
        T::input(&given).map_err(|other| refusal(&given, &self.wanted, other))
    }
}

impl<T: TypedTool> Tool for Typed<T> {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn is_offered(&self) -> bool {
        T::IS_OFFERED
    }

    fn read<'a>(
        &'a self,
        input: &ToolInput,
        context: &'a ToolContext,
    ) -> Result<ReadyCall<'a>, Outcome> {
        let input = self.input(input, &context.tool_names)?;
        let action = self.tool.action(&input, context)?;
        Ok(ReadyCall {
            preview: self.tool.preview(&input, &action, context),
            run: Box::pin(async move {
                let reply = self.tool.run(input, context).await;
                reply.unwrap_or_else(|outcome| outcome)
            }),
            action,
        })
    }

    fn only_looks(&self, input: &ToolInput) -> bool {
        let input = self.input(input, &ToolNames::default());
        input.is_ok_and(|input| T::only_looks(&input))
    }
}

/// The schema that calls are brought to: as shown, with the names of properties as other programs write them (`blockedBy`). A
/// null at a name that is not shown says nothing.
fn wanted<T: TypedTool>() -> Value {
    let mut schema = schema::<T::Input>();
    schema["additionalProperties"] = Value::Bool(false);
    for name in T::arguments() {
        let shown = schema["properties"].get(snake_case(name)).cloned();
        if let Some(shown) = shown {
            schema["properties"][name] = shown;
        }
    }
    schema
}

fn snake_case(name: &str) -> String {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            words.push('_');
        }
        words.push(c.to_ascii_lowercase());
    }
    words
}

/// The schema of a type's JSON, with only what helps a model to write it.
fn schema<I: JsonSchema>() -> Value {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let full = settings.into_generator().into_root_schema_for::<I>();
    let full = plain(full.to_value());
    let mut schema = json!({ "type": "object", "properties": {} });
    for part in ["properties", "required"] {
        if let Some(value) = full.get(part) {
            schema[part] = value.clone();
        }
    }
    schema
}

/// Words of a schema that a validator needs and a model does not: the bits of a number, the meaning of absence, and null as absence.
const NOT_SHOWN: [&str; 6] = [
    "$schema", "title", "format", "default", "minimum", "maximum",
];

fn plain(mut schema: Value) -> Value {
    if let Some(Value::Array(choice)) = schema.get("anyOf") {
        let first = choice.first().cloned().unwrap_or_default();
        let description = schema.get("description").cloned();
        schema = first;
        if let Some(description) = description {
            schema["description"] = description;
        }
    }
    let Value::Object(parts) = &mut schema else {
        return schema;
    };
    parts.retain(|part, _| !NOT_SHOWN.contains(&part.as_str()));
    if let Some(Value::Array(types)) = parts.get("type") {
        let first = types.first().cloned().unwrap_or_default();
        parts.insert("type".to_owned(), first);
    }
    if let Some(Value::Array(words)) = parts.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    if let Some(items) = parts.get_mut("items") {
        *items = plain(items.take());
        // A field is described; what its type is for is not.
        items
            .as_object_mut()
            .map(|items| items.remove("description"));
    }
    if let Some(Value::Object(properties)) = parts.get_mut("properties") {
        for property in properties.values_mut() {
            *property = plain(property.take());
        }
    }
    schema
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;
    use crate::arguments::Given;

    #[derive(Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    enum Size {
        Small,
        Large,
    }

    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Piece {
        title: String,
    }

    /// Not shown.
    #[derive(Deserialize, JsonSchema)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Input {
        #[serde(alias = "nom")]
        name: String,
        /// In seconds.
        #[serde(default)]
        limit: Option<u64>,
        #[serde(default)]
        size: Option<Size>,
        #[serde(default)]
        pieces: Vec<Piece>,
        #[serde(default)]
        model: Given<String>,
        #[serde(default)]
        #[schemars(skip)]
        blocks: bool,
    }

    #[test]
    fn a_schema_has_what_a_model_needs() {
        let shown = json!({
            "type": "object",
            "properties": {
                "name": { "type": "string" },
                "limit": { "description": "In seconds.", "type": "integer" },
                "size": { "type": "string", "enum": ["small", "large"] },
                "pieces": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": { "title": { "type": "string" } },
                        "required": ["title"],
                    },
                },
                "model": { "type": "string" },
            },
            "required": ["name"],
        });
        assert_eq!(schema::<Input>(), shown);
        let none = json!({ "type": "object", "properties": {} });
        assert_eq!(schema::<NoInput>(), none);
    }
}
