//! Requests of a server to us, and what it tells without being asked.

#![expect(
    deprecated,
    reason = "servers of the protocol's earlier versions ask for roots and samples"
)]

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use rmcp::{
    ClientHandler, ErrorData, RoleClient,
    model::{
        ClientCapabilities, ClientConfig, CreateMessageRequestMethod, CreateMessageRequestParams,
        CreateMessageResult, CustomRequest, CustomResult, ElicitRequestParams, ElicitResult,
        ElicitationCapability, ErrorCode, Implementation, ListRootsResult,
        ProgressNotificationParam, ProtocolVersion, Root, RootsCapabilities,
    },
    service::{NotificationContext, RequestContext},
};
use teammate_core::{
    lock::Hold,
    port::{TeamApi, UserAnswer},
};
use tokio::sync::Notify;

use crate::mcp::client::{elicitation, name::ServerName, progress::Progress};

/// Our side of a connection.
#[derive(Clone)]
pub(crate) struct Handler(Arc<Shared>);

struct Shared {
    server: ServerName,
    /// The workspace, as a URI.
    root: String,
    /// For whom calls run, the newest last.
    callers: Mutex<Vec<Arc<dyn TeamApi>>>,
    progress: Arc<Progress>,
    has_changed: AtomicBool,
    changed: Notify,
    /// The requests of it that were refused.
    refused: Mutex<Vec<String>>,
}

impl Handler {
    pub(crate) fn new(server: ServerName, root: String) -> Self {
        Self(Arc::new(Shared {
            server,
            root,
            callers: Mutex::default(),
            progress: Arc::default(),
            has_changed: AtomicBool::new(false),
            changed: Notify::new(),
            refused: Mutex::default(),
        }))
    }

    /// A call runs for this caller as long as what is returned lives.
    pub(crate) fn calling(&self, team: &Arc<dyn TeamApi>) -> Calling {
        let callers = &self.0.callers;
        let mut callers = callers.hold();
        callers.push(team.clone());
        Calling(self.clone(), team.clone())
    }

    /// How far its calls are.
    pub(crate) fn progress(&self) -> &Arc<Progress> {
        &self.0.progress
    }

    /// Whether it said that its tools have changed, since this was asked last.
    pub(crate) fn take_changed(&self) -> bool {
        self.0.has_changed.swap(false, Ordering::Relaxed)
    }

    /// Waits until it says that its tools have changed, if it has not since that was asked last.
    pub(crate) async fn changed(&self) {
        let told = self.0.changed.notified();
        if !self.0.has_changed.load(Ordering::Relaxed) {
            told.await;
        }
    }

    /// Takes the requests of it that were refused since the last time.
    pub(crate) fn take_refused(&self) -> Vec<String> {
        let refused = &self.0.refused;
        std::mem::take(&mut *refused.hold())
    }

    /// Asks the user, in the course of this caller's call.
    pub(crate) async fn elicit(
        &self,
        team: Option<Arc<dyn TeamApi>>,
        params: &ElicitRequestParams,
    ) -> ElicitResult {
        let answer = match team {
            Some(team) => {
                let question = elicitation::question(&self.0.server, params);
                team.ask_user(question).await
            }
            None => UserAnswer::Unanswered,
        };
        elicitation::result(params, answer)
    }

    pub(crate) fn roots(&self) -> ListRootsResult {
        ListRootsResult::new(vec![Root::new(self.0.root.clone()).with_name("workspace")])
    }

    fn refuse(&self, what: &str) {
        let refused = &self.0.refused;
        let mut refused = refused.hold();
        if refused.len() < 8 && refused.iter().all(|known| known != what) {
            refused.push(what.to_owned());
        }
    }
}

/// A call that runs.
pub(crate) struct Calling(Handler, Arc<dyn TeamApi>);

impl Drop for Calling {
    fn drop(&mut self) {
        let callers = &self.0.0.callers;
        let mut callers = callers.hold();
        if let Some(at) = callers.iter().rposition(|team| Arc::ptr_eq(team, &self.1)) {
            callers.remove(at);
        }
    }
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.roots = Some(RootsCapabilities::default());
        capabilities.elicitation = Some(ElicitationCapability::default());
        let us = Implementation::new("teammate", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(capabilities, us).with_protocol_version(ProtocolVersion::V_2025_11_25)
    }

    async fn create_message(
        &self,
        _: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        self.refuse("an answer of your model (sampling)");
        Err(ErrorData::method_not_found::<CreateMessageRequestMethod>())
    }

    async fn list_roots(
        &self,
        _: RequestContext<RoleClient>,
    ) -> Result<ListRootsResult, ErrorData> {
        Ok(self.roots())
    }

    async fn create_elicitation(
        &self,
        params: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        // The protocol of before 2026-07 does not say for which call it asks: the newest is the likeliest.
        let team = {
            let callers = &self.0.callers;
            let callers = callers.hold();
            callers.last().cloned()
        };
        Ok(self.elicit(team, &params).await)
    }

    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleClient>,
    ) -> Result<CustomResult, ErrorData> {
        self.refuse(&crate::mcp::client::listing::short(&request.method));
        let code = ErrorCode::METHOD_NOT_FOUND;
        Err(ErrorData::new(code, request.method, None))
    }

    async fn on_progress(
        &self,
        note: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.0.progress.take(note);
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.0.has_changed.store(true, Ordering::Relaxed);
        self.0.changed.notify_waiters();
    }
}
