//! A tool of a server, as one of the team's.

use std::sync::Arc;

use rmcp::model::JsonObject;
use serde_json::Value;
use teammate_core::{
    fence::visible,
    fit::fitted,
    next_step::{NextStep, Wording},
    port::{Action, ReadyCall, Target, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolInput, ToolSpec},
};

use super::raw;
use crate::mcp::client::{
    answer::ServerFailure,
    connection::Connection,
    listing::{Accepted, ListedTool},
    name::ServerName,
    outcome, schema,
    server::ToolServer,
    surroundings::Surroundings,
};

/// The most characters of a call's input on a line of the screen.
const SUMMARY_CHARS_MAX: usize = 80;

/// The tool.
pub(super) struct RemoteTool {
    server: Arc<ToolServer>,
    around: Arc<Surroundings>,
    accepted: Arc<dyn Accepted>,
    listed: ListedTool,
    spec: ToolSpec,
    is_offered: bool,
}

impl RemoteTool {
    pub(super) fn new(
        (server, around, accepted): (Arc<ToolServer>, Arc<Surroundings>, Arc<dyn Accepted>),
        listed: ListedTool,
    ) -> Self {
        let settings = server.settings();
        // What a server says of itself only makes it stricter.
        let class = match settings.says_it_reads(&listed.name) && !listed.is_destructive {
            true => EffectClass::Reads,
            false => EffectClass::Calls,
        };
        // What is listed can be sent.
        let sent = schema::sent(&listed.schema).unwrap_or_else(|_| listed.schema.clone());
        let spec = ToolSpec {
            name: listed.called.clone().into(),
            // It is no template: braces mean themselves.
            description: listed.description.replace("{tool:", "{tool :").into(),
            schema: raw(&sent),
            class,
        };
        Self {
            server,
            around,
            accepted,
            listed,
            spec,
            is_offered: true,
        }
    }

    /// Not shown, unless its entry wants it shown in any case.
    pub(super) fn hidden(self, is_hidden: bool) -> Self {
        let always = &self.server.settings().always_load;
        let is_offered = !is_hidden || always.contains(&self.listed.name);
        Self { is_offered, ..self }
    }

    /// How much it takes in a request.
    pub(super) fn shown_bytes(&self) -> usize {
        let spec = &self.spec;
        spec.name.len() + spec.description.len() + spec.schema.get().len()
    }

    pub(super) fn listed(&self) -> &ListedTool {
        &self.listed
    }

    pub(super) fn server(&self) -> &str {
        self.server.settings().name.as_str()
    }

    async fn call(&self, arguments: JsonObject, context: &ToolContext) -> Outcome {
        let caller = Some(&context.caller.name);
        let connection = match self.server.connection(caller).await {
            Ok(connection) => connection,
            Err(failure) => return self.failed(&failure),
        };
        if let Some(why) = self.why_not_accepted(&connection).await {
            return Outcome::error(why);
        }
        let settings = self.server.settings();
        let (name, silence) = (&self.listed.name, settings.timeout);
        let called = connection.call(name, arguments, silence, context).await;
        self.server.called(caller, called.as_ref().err()).await;
        let mut outcome = match called {
            Ok(result) => {
                let files = (&*self.around.files, context);
                outcome::outcome(result, settings.output_max, files).await
            }
            Err(failure) => self.failed(&failure),
        };
        let refused = connection.handler().take_refused();
        if !refused.is_empty() {
            let note = format!(
                "({} asked for {}; that is refused)",
                self.server(),
                refused.join(", ")
            );
            outcome
                .parts
                .push(teammate_core::tool::OutcomePart::Text(note));
        }
        outcome
    }

    /// Why the tool of this moment is not the one that was accepted, if it is not. Servers are listed when they are started and
    /// after they said that something changed.
    async fn why_not_accepted(&self, connection: &Connection) -> Option<String> {
        let name = &self.server.settings().name;
        let find = async || {
            let now = connection.listed_now(name).await?;
            let mut tools = now.tools.iter();
            Ok(tools.find(|tool| tool.name == self.listed.name).cloned())
        };
        let mut now = find().await;
        if matches!(now, Ok(None)) && connection.awaits_change().await {
            now = find().await;
        }
        let now = match now {
            Ok(now) => now,
            Err(failure) => {
                let failure: ServerFailure = failure;
                return Some(format!("{name} could not list its tools: {failure}"));
            }
        };
        match now {
            None => Some(format!(
                "The MCP server {name} no longer has the tool '{}'. Nothing was called.",
                self.listed.name
            )),
            Some(now) if now == self.listed => None,
            // Accepted meanwhile: it is called as it is now.
            Some(now) => {
                let fingerprint = self.server.settings().fingerprint();
                let accepted = self.accepted.refreshed(&fingerprint);
                let is_accepted = accepted.is_some_and(|accepted| accepted.tools.contains(&now));
                (!is_accepted).then(|| changed_text(name, self.around.wording))
            }
        }
    }

    fn failed(&self, failure: &ServerFailure) -> Outcome {
        let name = self.server();
        let more = match failure {
            ServerFailure::LoginNeeded => {
                let step = NextStep::LogInAtServer(name.to_owned());
                format!(" The user can {}.", self.around.wording.words(&step))
            }
            ServerFailure::Silent(_) => {
                " It may have done it all the same; look before you call again.".to_owned()
            }
            ServerFailure::NotStarted(_)
            | ServerFailure::Version(_)
            | ServerFailure::Ended(_)
            | ServerFailure::Refused(_)
            | ServerFailure::Resting { .. } => String::new(),
        };
        Outcome::error(format!("The MCP server {name}: {failure}.{more}"))
    }
}

/// The outcome of calls to a server that was not accepted as it is now.
fn changed_text(server: &ServerName, wording: Wording) -> String {
    let step = wording.words(&NextStep::AcceptServer(server.to_string()));
    format!(
        "The MCP server {server} has changed this tool since the user accepted it, so it was not called. The user can {step}."
    )
}

impl Tool for RemoteTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn is_offered(&self) -> bool {
        self.is_offered
    }

    fn read<'a>(
        &'a self,
        input: &ToolInput,
        context: &'a ToolContext,
    ) -> Result<ReadyCall<'a>, Outcome> {
        let arguments: JsonObject = fitted(input, &self.listed.schema).parse()?;
        let pretty = serde_json::to_string_pretty(&Value::Object(arguments.clone()));
        let pretty = visible(&pretty.unwrap_or_default());
        let line = pretty.split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(ReadyCall {
            action: Action {
                target: Target::Team,
                shows: format!(
                    "{} of the MCP server {}\n{pretty}",
                    self.listed.name,
                    self.server()
                ),
                summary: line.chars().take(SUMMARY_CHARS_MAX).collect(),
            },
            preview: None,
            run: Box::pin(self.call(arguments, context)),
        })
    }
}
