//! All sessions of an editor: by their ids, and those of before.

use std::{collections::HashMap, path::Path, sync::Arc};

use serde_json::{Value, json};
use teammate::{TeamClient, TeamPlace, opened_teams, teams_in};
use teammate_view::clean::clean_line;
use tokio::{sync::mpsc, task::JoinSet};

use crate::acp::{
    mode::EditorMode,
    outbox::{Outbox, Reply},
    params::{self, Listing, Opening},
    program::EditorProgram,
    refusal::Refusal,
    session::{Order, Session},
    session_id::SessionId,
};

/// How many sessions an editor has at a time.
const SESSIONS_MAX: usize = 32;

/// How many orders may wait for a session.
const ORDERS_MAX: usize = 64;

/// How many sessions are listed at once.
const PAGE: usize = 50;

/// The most characters of a title.
const TITLE_CHARS_MAX: usize = 80;

/// The sessions of an editor.
pub(crate) struct Sessions {
    program: Arc<dyn EditorProgram>,
    outbox: Outbox,
    open: HashMap<SessionId, mpsc::Sender<Order>>,
    running: JoinSet<()>,
}

impl Sessions {
    pub(crate) fn new(program: Arc<dyn EditorProgram>, outbox: Outbox) -> Self {
        Self {
            program,
            outbox,
            open: HashMap::new(),
            running: JoinSet::new(),
        }
    }

    /// `session/new`: its team is made by the first prompt.
    pub(crate) async fn begin(&mut self, reply: Reply, opening: Opening) {
        match self.begun(&opening, SessionId::fresh()) {
            Ok((session, mode)) => {
                let id = session.1.as_str().to_owned();
                let modes = mode.choices();
                // Before anything is shown of it.
                reply.done(json!({ "sessionId": id, "modes": modes })).await;
                self.run(session);
            }
            Err(refusal) => reply.refuse(refusal).await,
        }
    }

    /// `session/load`: one that is there already tells its past once more.
    pub(crate) async fn load(&mut self, reply: Reply, opening: Opening) {
        let session = params::session(&opening.session_id);
        let known = session.and_then(|id| match self.open.contains_key(&id) {
            true => Ok(id),
            false => {
                let workspace = opening.workspace()?;
                let is_there = teams_in(&workspace)
                    .iter()
                    .any(|place| SessionId::of(place).as_ref() == Some(&id));
                if !is_there {
                    return Err(Refusal::session(id.as_str()));
                }
                let (session, _) = self.begun(&opening, id.clone())?;
                self.run(session);
                Ok(id)
            }
        });
        match known {
            Ok(id) => self.order(&id, Order::Load(reply)).await,
            Err(refusal) => reply.refuse(refusal).await,
        }
    }

    fn begun(
        &mut self,
        opening: &Opening,
        id: SessionId,
    ) -> Result<((Session, SessionId), EditorMode), Refusal> {
        while self.running.try_join_next().is_some() {}
        self.open.retain(|_, orders| !orders.is_closed());
        if self.open.len() >= SESSIONS_MAX {
            let why = format!("an editor has {SESSIONS_MAX} sessions at most; close one");
            return Err(Refusal::now(why));
        }
        let place = id.place(&opening.workspace()?);
        // A configuration that cannot be used is said before the first prompt.
        let builder = self.program.builder(&place).map_err(Refusal::failed)?;
        let mut mode = EditorMode::Ask;
        let _ = builder.configure(|config| mode = EditorMode::of(config.mode));
        let with = (self.program.clone(), self.outbox.clone());
        let notes = servers_note(opening.mcp_servers.len());
        let session = Session::new(id.clone(), place, with, mode, notes);
        Ok(((session, id), mode))
    }

    fn run(&mut self, (session, id): (Session, SessionId)) {
        let (orders, queue) = mpsc::channel(ORDERS_MAX);
        self.open.insert(id, orders);
        self.running.spawn(session.run(queue));
    }

    /// Gives an order to a session. One that cannot be taken is answered.
    pub(crate) async fn order(&mut self, id: &SessionId, order: Order) {
        let Some(orders) = self.open.get(id) else {
            return refuse(order, Refusal::session(id.as_str())).await;
        };
        match orders.try_send(order) {
            Ok(()) => {}
            Err(mpsc::error::TrySendError::Full(order)) => {
                refuse(
                    order,
                    Refusal::now("too many requests of this session wait"),
                )
                .await;
            }
            Err(mpsc::error::TrySendError::Closed(order)) => {
                refuse(order, Refusal::session(id.as_str())).await;
            }
        }
    }

    /// `session/list`: the teams that were made for an editor, of a directory or all.
    pub(crate) async fn list(&self, listing: Listing) -> Result<Value, Refusal> {
        let from: usize = match &listing.cursor {
            Some(cursor) => cursor
                .parse()
                .map_err(|_| Refusal::parameters("cursor is none of ours"))?,
            None => 0,
        };
        let places: Vec<TeamPlace> = match &listing.cwd {
            Some(cwd) if !cwd.is_absolute() => {
                return Err(Refusal::parameters("cwd is not an absolute path"));
            }
            Some(cwd) => teams_in(cwd),
            None => {
                let opened = opened_teams(&self.program.user());
                opened.into_iter().map(|team| team.place).collect()
            }
        };
        let mut found: Vec<(SessionId, TeamPlace)> = places
            .into_iter()
            .filter_map(|place| Some((SessionId::of(&place)?, place)))
            .collect();
        // Ids begin with their time.
        found.sort_by(|a, b| b.0.as_str().cmp(a.0.as_str()));
        let mut sessions = Vec::new();
        for (id, place) in found.iter().skip(from).take(PAGE) {
            let mut shown = json!({ "sessionId": id.as_str(), "cwd": absolute(place.workspace()) });
            if let Some(title) = self.title(place).await {
                shown["title"] = title.into();
            }
            sessions.push(shown);
        }
        let mut page = json!({ "sessions": sessions });
        let next = from.saturating_add(PAGE);
        if next < found.len() {
            page["nextCursor"] = next.to_string().into();
        }
        Ok(page)
    }

    /// The title: the first words of the user.
    async fn title(&self, place: &TeamPlace) -> Option<String> {
        let options = self.program.look_options().ok()?;
        let client = TeamClient::open_with(place.clone(), &self.program.user(), options).await;
        let conversations = client.ok()?.conversations().await.ok()?;
        let first = conversations.into_iter().find_map(|line| line.prompt)?;
        Some(clean_line(&first).chars().take(TITLE_CHARS_MAX).collect())
    }

    /// Closes all teams.
    pub(crate) async fn end(mut self) {
        // A session whose orders have ended closes its team.
        self.open.clear();
        while self.running.join_next().await.is_some() {}
    }
}

/// Servers that the editor names are not used: what a repository writes into the editor's settings would come with them.
fn servers_note(count: usize) -> Vec<String> {
    let note = || {
        format!(
            "{count} MCP server(s) of the editor are not used by the team. It uses those of your own configuration."
        )
    };
    (count > 0).then(note).into_iter().collect()
}

fn absolute(path: &Path) -> std::path::PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

async fn refuse(order: Order, refusal: Refusal) {
    match order {
        Order::Prompt(reply, _)
        | Order::SetMode(reply, _)
        | Order::Load(reply)
        | Order::Close(reply) => reply.refuse(refusal).await,
        // It is not answered, and there is nothing to interrupt.
        Order::Cancel => {}
    }
}
