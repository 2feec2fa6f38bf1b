//! One open connection to a server: what is listed, called and read, each within a deadline.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use rmcp::{
    ClientServiceExt as _, RoleClient,
    model::{
        CallToolRequest, CallToolRequestParams, CallToolResult, CancelledNotification,
        CancelledNotificationParam, ClientRequest, GetPromptRequestParams, InputRequest,
        InputResponses, JsonObject, ListPromptsRequest, ListToolsRequest, PaginatedRequestParams,
        ProtocolVersion, ReadResourceRequestParams, RequestId, ServerResult,
    },
    service::{
        ClientLifecycleMode, Peer, PeerRequestOptions, RequestHandle, RunningService, ServiceError,
    },
};
use teammate_core::port::{BoxFuture, CallProgress, TeamApi, ToolContext};
use tokio::{sync::Mutex, time::timeout};

use crate::mcp::client::{
    answer::ServerFailure,
    greeting::Greeting,
    handler::Handler,
    listing::{Listing, TOOLS_MAX},
    timeouts::ServerTimeouts,
};
use crate::program::Condition;

/// How many pages of a list are read.
const PAGES_MAX: usize = 50;

/// How often a call may want more of the user.
const ROUNDS_MAX: usize = 5;

/// A call may last so many times as long as it may be silent.
const SILENCES_MAX: u32 = 60;

/// A page of a list, and where the next one begins.
type Page<T> = Result<(Vec<T>, Option<String>), ServiceError>;

/// An open connection. Dropped, it is closed by force.
pub(crate) struct Connection {
    peer: Peer<RoleClient>,
    handler: Handler,
    condition: Arc<Condition>,
    timeouts: ServerTimeouts,
    listed: Mutex<Option<Arc<Listing>>>,
    running: Mutex<Option<RunningService<RoleClient, Handler>>>,
}

impl Connection {
    /// Shakes hands over this transport.
    pub(crate) async fn open<T, E, A>(
        transport: T,
        handler: Handler,
        condition: Arc<Condition>,
        (timeouts, greeting): (ServerTimeouts, Greeting),
    ) -> Result<Self, ServerFailure>
    where
        T: rmcp::transport::IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let lifecycle = match greeting {
            Greeting::Newest | Greeting::NewestPatiently => ClientLifecycleMode::Auto {
                preferred_versions: vec![ProtocolVersion::V_2026_07_28],
                legacy_version: Some(ProtocolVersion::V_2025_11_25),
            },
            Greeting::Initialize => ClientLifecycleMode::Initialize,
        };
        let opening = handler.clone().serve_with_lifecycle(transport, lifecycle);
        let opened = timeout(timeouts.start, opening).await;
        let opened = opened.map_err(|_| match condition.why() {
            Some(why) => ServerFailure::Ended(why),
            None => ServerFailure::Silent(timeouts.start),
        })?;
        let running = match opened {
            Ok(running) => running,
            Err(error) => return Err(ServerFailure::of_start(&error, condition.why_soon().await)),
        };
        let version = running
            .peer_info()
            .map(|info| info.protocol_version.clone());
        let is_known =
            |version: &ProtocolVersion| ProtocolVersion::KNOWN_VERSIONS.contains(version);
        if let Some(version) = version.filter(|version| !is_known(version)) {
            let version = crate::mcp::client::listing::short(version.as_str());
            return Err(ServerFailure::Version(version));
        }
        Ok(Self {
            peer: running.peer().clone(),
            handler,
            condition,
            timeouts,
            listed: Mutex::default(),
            running: Mutex::new(Some(running)),
        })
    }

    pub(crate) fn handler(&self) -> &Handler {
        &self.handler
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.peer.is_transport_closed() || self.condition.why().is_some()
    }

    /// Everything that it offers, and what there is to say about that.
    pub(crate) async fn list(
        &self,
        server: &crate::mcp::client::name::ServerName,
    ) -> Result<(Listing, Vec<String>), ServerFailure> {
        let mut listing = Listing::default();
        let capabilities = self.peer.peer_info().map(|info| info.capabilities.clone());
        let capabilities = capabilities.unwrap_or_default();
        let mut notices = Vec::new();
        if capabilities.tools.is_some() {
            let tools = self.pages(TOOLS_MAX + 1, |page| {
                Box::pin(async {
                    let request = ListToolsRequest {
                        method: Default::default(),
                        params: page,
                        extensions: Default::default(),
                    };
                    items("tools", &self.peer.send_request(request.into()).await?)
                })
            });
            notices = listing.take_tools(server, &tools.await?);
        }
        if capabilities.prompts.is_some() {
            let prompts = self.pages(TOOLS_MAX, |page| {
                Box::pin(async {
                    let request = ListPromptsRequest {
                        method: Default::default(),
                        params: page,
                        extensions: Default::default(),
                    };
                    items("prompts", &self.peer.send_request(request.into()).await?)
                })
            });
            listing.take_prompts(prompts.await?);
        }
        listing.has_resources = capabilities.resources.is_some();
        Ok((listing, notices))
    }

    /// The list of a server, kept until the server says that something has changed.
    pub(crate) async fn listed_now(
        &self,
        server: &crate::mcp::client::name::ServerName,
    ) -> Result<Arc<Listing>, ServerFailure> {
        let mut listed = self.listed.lock().await;
        if self.handler.take_changed() {
            *listed = None;
        }
        if let Some(listing) = &*listed {
            return Ok(listing.clone());
        }
        let (listing, _) = self.list(server).await?;
        Ok(listed.insert(Arc::new(listing)).clone())
    }

    /// Whether it says that its tools may change.
    pub(crate) fn says_it_changes(&self) -> bool {
        let info = self.peer.peer_info();
        let tools = info.and_then(|info| info.capabilities.tools.clone());
        tools.and_then(|tools| tools.list_changed) == Some(true)
    }

    /// Waits a moment for word that the tools have changed: some servers add tools once they have started.
    pub(crate) async fn awaits_change(&self) -> bool {
        let told = self.handler.changed();
        timeout(self.timeouts.change, told).await.is_ok()
    }

    /// The pages of a list, as many as are read.
    async fn pages<'a, T>(
        &'a self,
        most: usize,
        page: impl Fn(Option<PaginatedRequestParams>) -> BoxFuture<'a, Page<T>>,
    ) -> Result<Vec<T>, ServerFailure> {
        let mut all = Vec::new();
        let mut next = None;
        let mut begun = BTreeSet::new();
        for _ in 0..PAGES_MAX {
            let params = next
                .take()
                .map(|cursor| PaginatedRequestParams::default().with_cursor(Some(cursor)));
            let (more, cursor) = self.within(self.timeouts.page, page(params)).await?;
            all.extend(more);
            // An empty place is none, and one that was read already leads in a circle.
            next = cursor.filter(|cursor| !cursor.is_empty() && begun.insert(cursor.clone()));
            if next.is_none() || all.len() >= most {
                break;
            }
        }
        Ok(all)
    }

    async fn within<T>(
        &self,
        limit: Duration,
        asking: impl Future<Output = Result<T, ServiceError>>,
    ) -> Result<T, ServerFailure> {
        match timeout(limit, asking).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(self.failed(error).await),
            Err(_) => Err(self
                .condition
                .why()
                .map_or(ServerFailure::Silent(limit), ServerFailure::Ended)),
        }
    }

    /// Calls a tool. `silence` is how long it may say nothing. Dropping the future tells the server that nobody waits.
    pub(crate) async fn call(
        &self,
        tool: &str,
        arguments: JsonObject,
        silence: Duration,
        context: &ToolContext,
    ) -> Result<CallToolResult, ServerFailure> {
        let team = &context.team;
        let _calling = self.handler.calling(team);
        let mut params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        for _ in 0..ROUNDS_MAX {
            match self
                .call_once(params.clone(), silence, &*context.progress)
                .await?
            {
                ServerResult::CallToolResult(result) => return Ok(result),
                ServerResult::EmptyResult(_) => return Ok(CallToolResult::default()),
                ServerResult::InputRequiredResult(wanted) => {
                    let mut given = InputResponses::new();
                    for (key, request) in wanted.input_requests.unwrap_or_default() {
                        given.insert(key, self.give(request, team).await);
                    }
                    params.input_responses = (!given.is_empty()).then_some(given);
                    params.request_state = wanted.request_state;
                }
                other => {
                    let result = serde_json::to_value(&other).unwrap_or_default();
                    return crate::mcp::client::outcome::odd_result(&result).ok_or_else(|| {
                        ServerFailure::Refused("its answer is none to a call".to_owned())
                    });
                }
            }
        }
        Err(ServerFailure::Refused(format!(
            "it wanted something of the user more than {ROUNDS_MAX} times"
        )))
    }

    async fn call_once(
        &self,
        params: CallToolRequestParams,
        silence: Duration,
        progress: &dyn CallProgress,
    ) -> Result<ServerResult, ServerFailure> {
        let options = PeerRequestOptions::with_timeout(silence)
            .reset_timeout_on_progress()
            .with_max_total_timeout(silence.saturating_mul(SILENCES_MAX));
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        let sending = self.peer.send_cancellable_request(request, options);
        // A server that reads nothing must not hold the call.
        let handle = match timeout(silence, sending).await {
            Ok(Ok(sent)) => sent,
            Ok(Err(error)) => return Err(self.failed(error).await),
            Err(_) => return Err(ServerFailure::Silent(silence)),
        };
        let mut followed = self
            .handler
            .progress()
            .follow(handle.progress_token.clone());
        let answer = tokio::select! {
            answer = answered(handle) => answer,
            never = followed.show(progress) => match never {},
        };
        match answer {
            Ok(answer) => Ok(answer),
            Err(error) => Err(self.failed(error).await),
        }
    }

    /// Why there is no answer. A connection that broke has a reason that is often known a moment later.
    async fn failed(&self, error: ServiceError) -> ServerFailure {
        let is_answer = matches!(
            error,
            ServiceError::McpError(_) | ServiceError::Timeout { .. }
        );
        let ended = match is_answer {
            true => self.condition.why(),
            false => self.condition.why_soon().await,
        };
        ServerFailure::of(error, ended)
    }

    /// Gives a call what it wants of us before it goes on.
    async fn give(&self, request: InputRequest, team: &Arc<dyn TeamApi>) -> serde_json::Value {
        let given = match request {
            InputRequest::Elicitation(request) => {
                let result = self.handler.elicit(Some(team.clone()), &request.params);
                serde_json::to_value(result.await)
            }
            InputRequest::ListRoots(_) => serde_json::to_value(self.handler.roots()),
            _ => Ok(serde_json::json!({ "error": "refused" })),
        };
        given.unwrap_or_default()
    }

    pub(crate) async fn resources(&self) -> Result<Vec<(String, String)>, ServerFailure> {
        let resources = self.pages(TOOLS_MAX, |page| {
            Box::pin(async {
                let listed = self.peer.list_resources(page).await?;
                Ok((listed.resources, listed.next_cursor))
            })
        });
        let line = |resource: rmcp::model::Resource| (resource.uri, resource.name);
        Ok(resources.await?.into_iter().map(line).collect())
    }

    pub(crate) async fn read(&self, uri: &str, limit: Duration) -> Result<String, ServerFailure> {
        let params = ReadResourceRequestParams::new(uri.to_owned());
        let read = self.within(limit, self.peer.read_resource(params)).await?;
        let parts = read
            .contents
            .iter()
            .map(crate::mcp::client::outcome::resource);
        Ok(parts.collect::<Vec<_>>().join("\n"))
    }

    /// The words of a prompt, each message with whose it is if not the user's.
    pub(crate) async fn prompt(
        &self,
        name: &str,
        arguments: JsonObject,
        limit: Duration,
    ) -> Result<String, ServerFailure> {
        let params = GetPromptRequestParams::new(name.to_owned()).with_arguments(arguments);
        let got = self.within(limit, self.peer.get_prompt(params)).await?;
        let texts = got.messages.into_iter().map(|message| {
            let block = message.content;
            match &block {
                rmcp::model::ContentBlock::Text(text) => text.text.clone(),
                rmcp::model::ContentBlock::Resource(found) => {
                    crate::mcp::client::outcome::resource(&found.resource)
                }
                other => serde_json::to_string(other).unwrap_or_default(),
            }
        });
        Ok(texts.collect::<Vec<_>>().join("\n\n"))
    }

    /// Ends it: a program gets the end of its input, then is asked to stop, then is killed.
    pub(crate) async fn close(&self) {
        let running = self.running.lock().await.take();
        if let Some(mut running) = running {
            // What is left is killed when it is dropped.
            let _ = running.close_with_timeout(self.timeouts.grace * 3).await;
        }
    }
}

/// The items of a page, as the server wrote them: each is read by itself, so that one that cannot be read costs no other.
fn items(of: &str, page: &ServerResult) -> Page<serde_json::Value> {
    let mut page = serde_json::to_value(page).unwrap_or_default();
    let next = page.get("nextCursor").and_then(|next| next.as_str());
    let next = next.map(str::to_owned);
    match page.get_mut(of).map(serde_json::Value::take) {
        Some(serde_json::Value::Array(items)) => Ok((items, next)),
        _ => Err(ServiceError::UnexpectedResponse),
    }
}

/// Waits for the answer; given up, it says so to the server.
async fn answered(handle: RequestHandle<RoleClient>) -> Result<ServerResult, ServiceError> {
    let mut unwanted = Unwanted(Some((handle.peer.clone(), handle.id.clone())));
    let answer = handle.await_response().await;
    unwanted.0.take();
    answer
}

/// A request whose answer nobody wants any more, once it is dropped.
struct Unwanted(Option<(Peer<RoleClient>, RequestId)>);

impl Drop for Unwanted {
    fn drop(&mut self) {
        let Some((peer, id)) = self.0.take() else {
            return;
        };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let why = "nobody waits for it any more".to_owned();
                let params = CancelledNotificationParam::new(Some(id), Some(why));
                let told = CancelledNotification::new(params);
                // A server that does not hear it is not there.
                let _ = peer.send_notification(told.into()).await;
            });
        }
    }
}
