//! A tool that is a description and a function: the short way to one's own tool. The long way is [`Tool`].

use std::{marker::PhantomData, sync::Arc};

use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};
use teammate_core::{
    port::{Action, ReadyCall, Target, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolInput, ToolName, ToolSpec},
};

/// The most characters of a call's input on a line of the screen.
const SUMMARY_CHARS_MAX: usize = 80;

/// A tool of a program that uses this library. Its input is read as `I`; an input that does not fit is answered with the reason and
/// does not reach the function. Permission rules know the tool by its name alone.
pub struct FunctionTool<I, F> {
    spec: ToolSpec,
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
        let schema: Box<RawValue> = to_raw_value(schema).expect("a JSON value can be written");
        Self {
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
        let input: I = given.parse()?;
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

/// What is wrong with the names of these tools, next to those that are there already.
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
    use serde_json::{Value, json};

    use super::*;

    fn named(name: &str) -> Arc<dyn Tool> {
        let run = async |_: Value, _| Outcome::ok("");
        let schema = json!({ "type": "object" });
        let class = EffectClass::Reads;
        Arc::new(FunctionTool::new(name.to_owned(), "", &schema, class, run))
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
