//! A tool of the server: data, a typed input, and a function.

use std::{pin::Pin, sync::Arc};

use rmcp::{
    Peer, RoleServer,
    model::{JsonObject, ProgressNotificationParam, ProgressToken, Tool, ToolAnnotations},
    service::RequestContext,
};
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use teammate::TeamError;
use tokio_util::sync::CancellationToken;

use crate::mcp::ServedTeam;

/// What a tool does to the team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// It only looks or waits.
    Looks,
    /// It adds something or changes it; nothing is lost.
    Changes,
    /// What it does cannot be taken back.
    Decides,
}

/// Why a call did nothing, for the client's model: what would have worked.
#[derive(Debug)]
pub(super) struct Refused(pub(super) String);

impl From<TeamError> for Refused {
    fn from(error: TeamError) -> Self {
        Self(match error {
            TeamError::NoTeam(_) => "there is no team yet: start_team makes one".to_owned(),
            error => error.to_string(),
        })
    }
}

/// A tool of the catalogue.
pub(super) trait ServedTool: 'static {
    /// The arguments. A field's documentation is what the client's model reads about it.
    type Input: DeserializeOwned + JsonSchema + Send + 'static;

    /// By what name it is called.
    const NAME: &'static str;
    /// What it does, for the client's model.
    const DESCRIPTION: &'static str;
    /// What it does to the team.
    const EFFECT: Effect;

    /// Does it.
    fn run(input: Self::Input, call: &Call) -> impl Future<Output = Result<Value, Refused>> + Send;
}

/// One call.
pub(super) struct Call {
    pub(super) team: Arc<ServedTeam>,
    pub(super) progress: Progress,
    /// Cancelled when the client has gone.
    pub(super) gone: CancellationToken,
    /// Cancelled when it wants no answer any more.
    pub(super) cancelled: CancellationToken,
}

impl Call {
    /// Resolves when nobody waits for the answer any more.
    pub(super) async fn ends(&self) {
        tokio::select! {
            () = self.gone.cancelled() => {}
            () = self.cancelled.cancelled() => {}
        }
    }
}

/// Where a client hears how far a call is, if it wants to.
pub(super) struct Progress(Option<(Peer<RoleServer>, ProgressToken)>);

impl Progress {
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        let token = context.meta.get_progress_token();
        Self(token.map(|token| (context.peer.clone(), token)))
    }

    /// Whether the client wants to hear it.
    pub(super) fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Says how far it is: `step` grows. A client that does not take it misses it.
    pub(super) async fn say(&self, step: u64, message: String) {
        if let Some((peer, token)) = &self.0 {
            #[expect(clippy::cast_precision_loss, reason = "a small number of steps")]
            let step = step as f64;
            let note = ProgressNotificationParam::new(token.clone(), step).with_message(message);
            let _ = peer.notify_progress(note).await;
        }
    }
}

/// What a call comes to: an object for the client, or a sentence.
pub(super) type Answer = Pin<Box<dyn Future<Output = Result<Value, String>> + Send>>;

/// A tool in the form in which the server knows it.
pub(super) struct Entry {
    pub(super) tool: Tool,
    pub(super) run: fn(Call, JsonObject) -> Answer,
}

/// A typed tool in that form.
pub(super) fn entry<T: ServedTool>() -> Entry {
    let hints = ToolAnnotations::new()
        .read_only(T::EFFECT == Effect::Looks)
        .destructive(T::EFFECT == Effect::Decides)
        .open_world(false);
    Entry {
        tool: Tool::new(T::NAME, T::DESCRIPTION, schema::<T::Input>()).with_annotations(hints),
        run: |call, arguments| Box::pin(run::<T>(call, arguments)),
    }
}

async fn run<T: ServedTool>(call: Call, arguments: JsonObject) -> Result<Value, String> {
    let input = serde_json::from_value(Value::Object(arguments))
        .map_err(|error| format!("{}: {error}", T::NAME))?;
    match T::run(input, &call).await {
        Ok(mut value) => {
            make_visible(&mut value);
            Ok(value)
        }
        Err(Refused(why)) => Err(teammate::visible(&why)),
    }
}

/// Members' words are data, for a model and perhaps a terminal: characters that hide something or command one are written out.
fn make_visible(value: &mut Value) {
    match value {
        Value::String(text) if text.contains(teammate::is_invisible) => {
            *text = teammate::visible(text);
        }
        Value::Array(values) => values.iter_mut().for_each(make_visible),
        Value::Object(fields) => fields.values_mut().for_each(make_visible),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The schema of a type's JSON, without what tells a model nothing.
fn schema<I: JsonSchema>() -> Arc<JsonObject> {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let full = settings.into_generator().into_root_schema_for::<I>();
    let mut full = full.to_value();
    let mut schema = JsonObject::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), json!({}));
    for part in ["properties", "required"] {
        if let Some(value) = full.get_mut(part) {
            schema.insert(part.to_owned(), value.take());
        }
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().for_each(simplify);
    }
    Arc::new(schema)
}

/// A field that may be left out is not one that may be null: no model has to know both.
fn simplify(field: &mut Value) {
    let Value::Object(parts) = field else { return };
    for unused in ["format", "default"] {
        parts.remove(unused);
    }
    if let Some(Value::Array(types)) = parts.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = &types[..] {
            let only = only.clone();
            parts.insert("type".to_owned(), only);
        }
    }
    if let Some(items) = parts.get_mut("items") {
        simplify(items);
    }
}
