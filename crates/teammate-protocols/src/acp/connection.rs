//! One open connection to an agent: what is asked of it, each within a deadline, and what it asks of us.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::Value;
use teammate_core::{
    lock::Hold,
    port::{BoxFuture, WorkspaceFiles},
};
use tokio::{sync::oneshot, task::JoinSet, time::timeout};

use crate::acp::{
    failure::{AgentFailure, words},
    files,
    question::{Question, QuestionAnswer},
    update::Update,
};
use crate::{
    program::{Condition, ProgramClose, Talk, Writer},
    rpc::{self, BAD_PARAMETERS, Error, FAILED, Pending, RpcLine, UNKNOWN_METHOD},
};

/// How many of its questions are open at a time. More are junk, which is counted.
const QUESTIONS_MAX: usize = 64;

/// Our side. Everything may come at any time, also after the end of a turn, and of sessions that nobody opened.
pub trait Client: Send + Sync {
    /// Something happened in a session. Not to wait in.
    fn updated(&self, session: &str, update: Update);

    /// It asks whether a tool call may run. Given up when the agent ends.
    fn asked<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, QuestionAnswer>;

    /// It did what the protocol does not have, which was passed over or refused.
    fn noted(&self, oddity: &str);
}

/// An agent that is spoken with. Dropped, it is killed.
#[derive(Debug)]
pub(crate) struct Connection {
    writer: Writer,
    pending: Arc<Pending>,
    condition: Arc<Condition>,
    /// Ends the talk: dropped, the agent is killed.
    ends: Mutex<Option<oneshot::Sender<oneshot::Sender<ProgramClose>>>>,
}

/// The side that answers an agent.
#[derive(Clone)]
pub(crate) struct Ours {
    pub(crate) client: Arc<dyn Client>,
    pub(crate) files: Arc<dyn WorkspaceFiles>,
}

impl Connection {
    /// Listens to an agent from now on. In a tokio runtime.
    pub(crate) fn new(talk: Talk, condition: Arc<Condition>, ours: Ours) -> Self {
        let pending = Arc::new(Pending::default());
        let (ends, end) = oneshot::channel();
        let writer = talk.writer();
        let listener = Listener {
            talk,
            pending: pending.clone(),
            ours,
            questions: JoinSet::new(),
        };
        tokio::spawn(listener.listen(end));
        Self {
            writer,
            pending,
            condition,
            ends: Mutex::new(Some(ends)),
        }
    }

    /// Asks, and waits for the answer so long.
    pub(crate) async fn ask(
        &self,
        method: &'static str,
        params: &Value,
        limit: Duration,
    ) -> Result<Value, AgentFailure> {
        let (id, answer) = self.pending.ask();
        let line = rpc::request(id, method, params);
        // An agent that does not listen must not hold us either.
        let asking = async {
            if self.writer.line(line).await.is_err() {
                return None;
            }
            answer.await.ok()
        };
        let answered = timeout(limit, asking).await;
        self.pending.forget(id);
        match answered {
            Ok(Some(Ok(answer))) => Ok(answer),
            Ok(Some(Err(error))) => Err(refused(method, &error)),
            Ok(None) => Err(AgentFailure::Ended(self.why().await)),
            Err(_) => Err(AgentFailure::Silent {
                method,
                after: limit,
            }),
        }
    }

    /// Tells it something that is not answered.
    pub(crate) async fn notify(
        &self,
        method: &str,
        params: &Value,
        limit: Duration,
    ) -> Result<(), AgentFailure> {
        let line = rpc::notification(method, params);
        match timeout(limit, self.writer.line(line)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(AgentFailure::Ended(self.why().await)),
            Err(_) => Err(AgentFailure::Ended("it does not read its input".to_owned())),
        }
    }

    /// Ends it, and says how that went.
    pub(crate) async fn close(&self) -> ProgramClose {
        let ends = self.ends.hold().take();
        let Some(ends) = ends else {
            return ProgramClose::Before;
        };
        let (closed, is_closed) = oneshot::channel();
        match ends.send(closed) {
            Ok(()) => is_closed.await.unwrap_or(ProgramClose::Killed),
            Err(_) => ProgramClose::Before,
        }
    }

    async fn why(&self) -> String {
        let why = self.condition.why_soon().await;
        why.unwrap_or_else(|| "it ended".to_owned())
    }
}

/// The agent's own words.
fn refused(method: &'static str, error: &Error) -> AgentFailure {
    let more = match &error.data {
        Value::Null => String::new(),
        Value::String(text) => format!(": {text}"),
        other => match other["details"].as_str().or(other["message"].as_str()) {
            Some(text) => format!(": {text}"),
            None => String::new(),
        },
    };
    AgentFailure::Refused {
        method,
        code: error.code,
        words: words(&format!("{}{more}", error.message)),
    }
}

/// Reads what an agent says until its end.
struct Listener {
    talk: Talk,
    pending: Arc<Pending>,
    ours: Ours,
    /// Given up with the agent.
    questions: JoinSet<()>,
}

impl Listener {
    async fn listen(mut self, mut end: oneshot::Receiver<oneshot::Sender<ProgramClose>>) {
        loop {
            tokio::select! {
                asked = &mut end => return self.end(asked.ok()).await,
                line = self.talk.next() => {
                    let Some(line) = line else { break };
                    if !self.take(&line) {
                        break;
                    }
                }
                Some(_) = self.questions.join_next() => {}
            }
        }
        self.pending.end();
        self.questions.abort_all();
        // It has ended, or talks of nothing that can be read; nobody may be left of it.
        let asked = end.await.ok();
        self.end(asked).await;
    }

    async fn end(&mut self, asked: Option<oneshot::Sender<ProgramClose>>) {
        self.pending.end();
        self.questions.abort_all();
        if let Some(asked) = asked {
            // What it says while it ends is not heard: its output is read no more, which ends a flood, too.
            let closing = self.talk.close().await;
            // Who asked may have given up.
            let _ = asked.send(closing);
        }
    }

    /// Takes a line; false if no more are wanted.
    fn take(&mut self, line: &[u8]) -> bool {
        while self.questions.try_join_next().is_some() {}
        match rpc::read(line) {
            RpcLine::Answer { id, answer } => {
                if !self.pending.answered(id, answer) {
                    let client = &self.ours.client;
                    client.noted("an answer to what nobody asked, or a second one");
                }
            }
            RpcLine::Notification { method, params } => self.take_notification(&method, &params),
            RpcLine::Request { id, method, params } if self.questions.len() < QUESTIONS_MAX => {
                self.asked(id, method, params);
            }
            RpcLine::Request { .. } => {
                self.ours.client.noted("too many questions at a time");
                return self.talk.bears(line.len());
            }
            RpcLine::Junk => return self.talk.bears(line.len()),
        }
        true
    }

    fn take_notification(&self, method: &str, params: &Value) {
        let client = &self.ours.client;
        match (method, params["sessionId"].as_str()) {
            ("session/update", Some(session)) => {
                client.updated(session, Update::read(&params["update"]));
            }
            // An extension of the agent's own, for those who know it.
            (extension, _) if extension.starts_with('_') => {}
            // What is not known to a version is for later ones.
            (_, _) => client.noted(&format!("the notification {}", words(method))),
        }
    }

    /// Answers beside what is read: a person may think for long.
    fn asked(&mut self, id: Value, method: String, params: Value) {
        let (ours, writer) = (self.ours.clone(), self.talk.writer());
        self.questions.spawn(async move {
            let answered = answer(&ours, &method, params).await;
            // An agent that no longer listens has ended, which its reader sees.
            let _ = writer.line(rpc::answer(&id, answered)).await;
        });
    }
}

async fn answer(ours: &Ours, method: &str, params: Value) -> Result<Value, (i64, String)> {
    match method {
        "session/request_permission" => {
            let question = Question::read(&params).map_err(|why| (BAD_PARAMETERS, why))?;
            let verdict: QuestionAnswer = ours.client.asked(&question).await;
            Ok(question.answer(verdict))
        }
        "fs/read_text_file" | "fs/write_text_file" => {
            let (files, is_read) = (ours.files.clone(), method == "fs/read_text_file");
            let work = tokio::task::spawn_blocking(move || match is_read {
                true => files::read(&files, params),
                false => files::write(&files, params),
            });
            let lost = |bug: tokio::task::JoinError| Err((FAILED, bug.to_string()));
            work.await.unwrap_or_else(lost)
        }
        other => {
            let client = &ours.client;
            client.noted(&format!("it asked for {}", words(other)));
            Err((UNKNOWN_METHOD, "this is not offered".to_owned()))
        }
    }
}
