//! A tool that is a description and a function: the short way to one's own tool. The long way is [`Tool`].

use std::{marker::PhantomData, sync::Arc};

use serde::de::DeserializeOwned;
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};
use teammate_core::{
    fit::{fitted, refusal},
    port::{Action, ReadyCall, Target, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolInput, ToolName, ToolSpec},
};
use teammate_tools::{KnownArguments, names_read};

/// The most characters of a call's input on a line of the screen.
const SUMMARY_CHARS_MAX: usize = 80;

/// A tool of a program that uses this library. Its input is read as `I`; an input that does not fit is answered with the reason and
/// does not reach the function, and so is one with arguments that neither `I` reads nor the schema lists: they might have limited
/// what it does. Where `I` takes everything, as a `serde_json::Value` does, those of the schema are the ones that there are, unless
/// it lists none or has `additionalProperties` or `patternProperties`. Permission rules know the tool by its name alone.
pub struct FunctionTool<I, F> {
    spec: ToolSpec,
    /// `None`: any.
    arguments: Option<Vec<String>>,
    /// The schema with which arguments are compared.
    wanted: Value,
    run: F,
    input: PhantomData<fn(I)>,
}

impl<I, F, Running> FunctionTool<I, F>
where
    I: DeserializeOwned + Send + 'static,
    F: Fn(I, ToolContext) -> Running + Send + Sync + 'static,
    Running: Future<Output = Outcome> + Send + 'static,
{
    /// Describes it. `name` has letters, digits, `_` and `-`, at most 64; `description` tells a model what it does
    /// and when to use it; `schema` is the JSON Schema of its input, an object. `class` decides whether it asks
    /// first: [`EffectClass::Reads`] never does, [`EffectClass::Executes`] and [`EffectClass::Calls`] do but in
    /// mode `bypass`.
    ///
    /// The future is dropped when the call is cancelled.
    pub fn new(
        name: impl Into<ToolName>,
        description: impl Into<String>,
        schema: &serde_json::Value,
        class: EffectClass,
        run: F,
    ) -> Self {
        let arguments = arguments_of::<I>(schema);
        let wanted = schema.clone();
        let schema: Box<RawValue> = to_raw_value(schema).expect("a JSON value can be written");
        Self {
            arguments,
            wanted,
            spec: ToolSpec {
                name: name.into(),
                description: description.into().into(),
                schema,
                class,
            },
            run,
            input: PhantomData,
        }
    }
}

impl<I, F> FunctionTool<I, F> {
    /// Refuses arguments that nobody reads.
    fn check(&self, given: &ToolInput) -> Result<(), Outcome> {
        let Some(arguments) = &self.arguments else {
            return Ok(());
        };
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let known = KnownArguments {
            tool: &self.spec.name,
            shown_name: &self.spec.name,
            read: &arguments,
            schema: &self.spec.schema,
        };
        known.check(given)
    }
}

impl<I, F, Running> Tool for FunctionTool<I, F>
where
    I: DeserializeOwned + Send + 'static,
    F: Fn(I, ToolContext) -> Running + Send + Sync + 'static,
    Running: Future<Output = Outcome> + Send + 'static,
{
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn read<'a>(
        &'a self,
        given: &ToolInput,
        context: &'a ToolContext,
    ) -> Result<ReadyCall<'a>, Outcome> {
        let given = &fitted(given, &self.wanted);
        self.check(given)?;
        let input: I = given
            .parse()
            .map_err(|other| refusal(given, &self.wanted, other))?;
        let text = match given {
            ToolInput::Json(input) => input.get(),
            ToolInput::Damaged(text) => text,
        };
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(ReadyCall {
            action: Action {
                target: Target::Team,
                shows: format!("{} {text}", self.spec.name),
                summary: line.chars().take(SUMMARY_CHARS_MAX).collect(),
            },
            preview: None,
            run: Box::pin(async move { (self.run)(input, context.clone()).await }),
        })
    }
}

/// The arguments that there are; `None` if there may be any.
fn arguments_of<I: DeserializeOwned>(schema: &Value) -> Option<Vec<String>> {
    let read = names_read::<I>();
    let listed = schema.get("properties").and_then(Value::as_object);
    let takes_more = match schema.get("additionalProperties") {
        None | Some(Value::Bool(false)) => schema.get("patternProperties").is_some(),
        Some(_) => true,
    };
    if read.is_empty() && (takes_more || listed.is_none()) {
        return None;
    }
    let listed = listed.into_iter().flat_map(|all| all.keys().cloned());
    Some(listed.chain(read.into_iter().map(str::to_owned)).collect())
}

/// The fault of the names of these tools, next to those that are there already.
pub(crate) fn wrong_name(own: &[Arc<dyn Tool>], there: &[Arc<dyn Tool>]) -> Option<String> {
    let mut taken: Vec<&str> = there.iter().map(|tool| &*tool.spec().name).collect();
    for tool in own {
        let name = &*tool.spec().name;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if name.is_empty() || name.len() > 64 || !name.chars().all(is_word) {
            return Some(format!(
                "'{name}' is no name for a tool: letters, digits, _ and -, at most 64"
            ));
        }
        if taken.contains(&name) {
            return Some(format!("there is a tool '{name}' already"));
        }
        taken.push(name);
    }
    None
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::json;

    use super::*;

    fn named(name: &str) -> Arc<dyn Tool> {
        let run = async |_: Value, _| Outcome::ok("");
        let schema = json!({ "type": "object" });
        let class = EffectClass::Reads;
        Arc::new(FunctionTool::new(name.to_owned(), "", &schema, class, run))
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Typed {
        city: String,
        #[serde(default)]
        secret_option: bool,
    }

    #[derive(Deserialize)]
    #[expect(dead_code, reason = "only its shape matters")]
    struct Open {
        city: String,
        #[serde(flatten)]
        more: serde_json::Map<String, Value>,
    }

    #[test]
    fn the_arguments_that_there_are_follow_from_type_and_schema() {
        let city = json!({ "type": "object", "properties": { "city": {} } });
        let mut open = city.clone();
        open["additionalProperties"] = json!({ "type": "string" });
        let any = json!({ "type": "object" });
        let names = |names: &[&str]| Some(names.iter().map(|&name| name.to_owned()).collect());
        for (found, expected) in [
            (
                arguments_of::<Typed>(&city),
                names(&["city", "city", "secret_option"]),
            ),
            (
                arguments_of::<Typed>(&any),
                names(&["city", "secret_option"]),
            ),
            (arguments_of::<Value>(&city), names(&["city"])),
            (arguments_of::<Value>(&any), None),
            (arguments_of::<Value>(&open), None),
            (arguments_of::<Open>(&open), None),
            (arguments_of::<Open>(&city), names(&["city"])),
        ] {
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn an_argument_that_nobody_reads_is_refused_by_name() {
        let schema = json!({ "type": "object", "properties": { "city": {} } });
        let run = async |_: Typed, _| Outcome::ok("");
        let tool = FunctionTool::new("forecast", "", &schema, EffectClass::Reads, run);
        let check = |given: Value| {
            let checked = tool.check(&ToolInput::from_json(given.to_string()));
            checked.map_err(|refused| refused.text())
        };
        assert_eq!(check(json!({ "city": "x", "secret_option": true })), Ok(()));
        assert_eq!(check(json!({ "city": "x", "limit": null })), Ok(()));
        assert_eq!(
            check(json!({ "city": "x", "limit": 3 })),
            Err("forecast has no argument 'limit'. It has: city. Nothing was done.".to_owned())
        );
        let why = check(json!({ "citys": "x" })).unwrap_err();
        assert!(why.contains("did you mean 'city'?"), "{why}");
    }

    #[test]
    fn a_tool_has_a_word_for_its_name_that_no_other_has() {
        let there = [named("bash")];
        for (names, wrong) in [
            (vec!["forecast", "my-tool_2"], None),
            (vec!["bash"], Some("there is a tool 'bash' already")),
            (vec!["a", "a"], Some("there is a tool 'a' already")),
            (
                vec![""],
                Some("'' is no name for a tool: letters, digits, _ and -, at most 64"),
            ),
            (
                vec!["a b"],
                Some("'a b' is no name for a tool: letters, digits, _ and -, at most 64"),
            ),
        ] {
            let own: Vec<Arc<dyn Tool>> = names.iter().map(|name| named(name)).collect();
            assert_eq!(wrong_name(&own, &there).as_deref(), wrong, "{names:?}");
        }
    }
}
