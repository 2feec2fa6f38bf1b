//! Reads what an editor asks, line by line, until it has gone.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use teammate::contained::{BUGS_MAX, contained, may_fail_here};
use teammate_protocols::{
    lines::{BoundedLines, LINE_MAX, LinesEnd},
    rpc::{self, BAD_REQUEST, RpcLine, UNREADABLE},
};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    time::sleep,
};

use crate::{
    acp::{
        mode::EditorMode,
        outbox::{Outbox, Reply},
        params::{self, Greeting, Listing, OfSession, Opening, Prompting, SettingMode},
        program::EditorProgram,
        refusal::Refusal,
        session::Order,
        sessions::Sessions,
    },
    door::{lines::Lines, prompt},
};

/// The version of the protocol.
const VERSION: u16 = 1;

/// After so many lines in a row that are no messages, the editor is left.
const UNREADABLE_MAX: u32 = 100;

/// How long the last lines may take to be read when the editor has ended its side.
const LAST_LINES: Duration = Duration::from_secs(2);

/// Serves an editor until it ends its side, or `end` resolves; then all teams are closed in order.
pub async fn serve<R, W>(
    program: Arc<dyn EditorProgram>,
    (reader, writer): (R, W),
    end: impl Future<Output = ()>,
) where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (lines, writing) = Lines::new(writer);
    let outbox = Outbox { lines };
    let mut editor = Editor {
        sessions: Sessions::new(program, outbox.clone()),
        outbox,
        is_greeted: false,
        unreadable: 0,
    };
    let listening = async {
        let mut lines = BoundedLines::new(reader, LINE_MAX);
        for _ in 0..BUGS_MAX {
            let listened = contained("what an editor asked", editor.listen(&mut lines));
            if listened.await.is_ok() {
                return;
            }
        }
        // Nothing is heard of the editor any more, and its teams work on.
        std::future::pending::<()>().await;
    };
    tokio::select! {
        () = listening => {}
        () = end => {}
    }
    let Editor {
        sessions, outbox, ..
    } = editor;
    outbox.lines.end();
    drop(outbox);
    // Teams are closed whether or not the last lines are read.
    let stop = writing.abort_handle();
    let patience = tokio::spawn(async move {
        sleep(LAST_LINES).await;
        stop.abort();
    });
    sessions.end().await;
    let _ = writing.await;
    patience.abort();
}

/// The editor's end.
struct Editor {
    sessions: Sessions,
    outbox: Outbox,
    is_greeted: bool,
    unreadable: u32,
}

impl Editor {
    async fn listen<R: AsyncRead + Unpin>(&mut self, lines: &mut BoundedLines<R>) {
        while self.unreadable < UNREADABLE_MAX {
            let line = match lines.next().await {
                Ok(line) => line,
                Err(LinesEnd::TooLong(max)) => {
                    let why = format!("a line may have {max} bytes; this one was skipped");
                    self.unreadable(BAD_REQUEST, &why).await;
                    continue;
                }
                Err(LinesEnd::Closed | LinesEnd::Io(_)) => return,
            };
            match rpc::read(&line) {
                RpcLine::Request { id, method, params } => {
                    self.unreadable = 0;
                    let reply = Reply::new(&self.outbox, id);
                    self.asked(reply, &method, params).await;
                }
                RpcLine::Notification { method, params } => {
                    self.unreadable = 0;
                    self.heard(&method, params).await;
                }
                RpcLine::Answer { id, answer } => {
                    self.unreadable = 0;
                    self.outbox.lines.answered(id, answer);
                }
                RpcLine::Junk if line.iter().all(u8::is_ascii_whitespace) => {}
                RpcLine::Junk => self.unreadable(UNREADABLE, "no message of JSON-RPC").await,
            }
        }
    }

    async fn unreadable(&mut self, code: i64, why: &str) {
        self.unreadable += 1;
        self.outbox.unreadable(code, why).await;
    }

    async fn asked(&mut self, reply: Reply, method: &str, params: Value) {
        may_fail_here("editor");
        if !self.is_greeted && method != "initialize" {
            return reply.refuse(Refusal::now("initialize comes first")).await;
        }
        match method {
            "initialize" => {
                let greeting = params::read::<Greeting>(params).map(|_| greeting());
                self.is_greeted |= greeting.is_ok();
                reply.give(greeting).await;
            }
            "authenticate" => {
                let why = "there is nothing to log in to; keys of models are in the configuration";
                reply.refuse(Refusal::parameters(why)).await;
            }
            "session/new" => match params::read(params) {
                Ok(opening) => self.sessions.begin(reply, opening).await,
                Err(refusal) => reply.refuse(refusal).await,
            },
            "session/load" => match params::read::<Opening>(params) {
                Ok(opening) => self.sessions.load(reply, opening).await,
                Err(refusal) => reply.refuse(refusal).await,
            },
            "session/list" => {
                let listed = match params::read::<Listing>(params) {
                    Ok(listing) => self.sessions.list(listing).await,
                    Err(refusal) => Err(refusal),
                };
                reply.give(listed).await;
            }
            "session/prompt" => match prompted(params).await {
                Ok((session, message)) => {
                    self.order(&session, reply, |reply| Order::Prompt(reply, message))
                        .await;
                }
                Err(refusal) => reply.refuse(refusal).await,
            },
            "session/set_mode" => match mode_chosen(params) {
                Ok((session, mode)) => {
                    self.order(&session, reply, |reply| Order::SetMode(reply, mode))
                        .await;
                }
                Err(refusal) => reply.refuse(refusal).await,
            },
            "session/close" => match params::read::<OfSession>(params) {
                Ok(of) => self.order(&of.session_id, reply, Order::Close).await,
                Err(refusal) => reply.refuse(refusal).await,
            },
            _ => {
                let refusal = Refusal::method("there is no such method");
                reply.refuse(refusal).await;
            }
        }
    }

    async fn order(&mut self, session: &str, reply: Reply, order: impl FnOnce(Reply) -> Order) {
        match params::session(session) {
            Ok(id) => self.sessions.order(&id, order(reply)).await,
            Err(refusal) => reply.refuse(refusal).await,
        }
    }

    /// Takes a notification; one that this version does not know is passed over, as the protocol wants it.
    async fn heard(&mut self, method: &str, params: Value) {
        if method == "session/cancel"
            && let Ok(of) = params::read::<OfSession>(params)
            && let Ok(id) = params::session(&of.session_id)
        {
            self.sessions.order(&id, Order::Cancel).await;
        }
    }
}

/// The greeting: this agent and its capabilities.
fn greeting() -> Value {
    json!({
        "protocolVersion": VERSION,
        "agentCapabilities": {
            "loadSession": true,
            "promptCapabilities": { "image": true, "audio": false, "embeddedContext": true },
            "mcpCapabilities": { "http": false, "sse": false },
            "sessionCapabilities": { "list": {}, "close": {} },
        },
        "agentInfo": {
            "name": "teammate",
            "title": "Teammate",
            "version": env!("CARGO_PKG_VERSION"),
        },
        "authMethods": [],
    })
}

async fn prompted(params: Value) -> Result<(String, teammate::UserMessage), Refusal> {
    let Prompting { session_id, prompt } = params::read(params)?;
    // Pictures are scaled.
    let read = tokio::task::spawn_blocking(move || prompt::message(prompt)).await;
    let read = read.map_err(|bug| Refusal::failed(bug.to_string()))?;
    Ok((session_id, read.map_err(Refusal::parameters)?))
}

fn mode_chosen(params: Value) -> Result<(String, EditorMode), Refusal> {
    let SettingMode {
        session_id,
        mode_id,
    } = params::read(params)?;
    let mode = EditorMode::parse(&mode_id);
    let mode = mode.ok_or_else(|| {
        Refusal::parameters("there is no such mode; there are ask, accept-edits, plan and run")
    })?;
    Ok((session_id, mode))
}
