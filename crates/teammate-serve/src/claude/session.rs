//! One session: what its caller says and what its team does, one thing after the other. The team is opened by the first thing that is
//! said, once the caller has said how.

mod control;
mod opening;
mod turn;

use std::{collections::VecDeque, sync::Arc};

use serde_json::{Value, json};
use teammate::{
    TeamClient, UserMessage,
    contained::{BUGS_MAX, contained, may_fail_here},
};
use tokio::sync::mpsc;

use crate::{
    claude::{
        asking::PLANS_ONLY,
        line::CallerLine,
        messages::Messages,
        opening::{ClaudeAnswers, ClaudeOpening, ClaudeOutput},
        outbox::Outbox,
        program::ClaudeProgram,
        running::{Moved, Running},
        wishes::Wishes,
    },
    door::{prompt, questions::refuse_permissions},
};

/// How many things a caller may have said that the team has not begun with.
const SAID_MAX: usize = 256;

/// Something that a caller said, or why it cannot be given to the lead.
pub(crate) type Said = Result<UserMessage, String>;

/// One session.
pub(crate) struct Session {
    program: Arc<dyn ClaudeProgram>,
    opening: ClaudeOpening,
    outbox: Outbox,
    wishes: Wishes,
    answers: ClaudeAnswers,
    messages: Messages,
    said: VecDeque<Said>,
    has_ended_input: bool,
    open: Option<Running>,
    /// The transcripts of the open team.
    transcripts: Option<TeamClient>,
    /// Why the team is not opened: the caller wants something of it that is not done here, and an SDK may pass over the answer.
    refused: Option<String>,
    /// Whether the last result was an error.
    has_failed: bool,
}

impl Session {
    /// Of a caller that has said this already; then it says nothing more.
    pub(crate) fn new(
        program: Arc<dyn ClaudeProgram>,
        opening: ClaudeOpening,
        outbox: Outbox,
        said: VecDeque<Said>,
    ) -> Self {
        let with_pieces = opening.output == ClaudeOutput::StreamJson { with_pieces: true };
        let workspace = opening.place.workspace();
        let workspace = workspace
            .canonicalize()
            .unwrap_or_else(|_| workspace.to_owned());
        Self {
            messages: Messages::new(opening.session, &workspace, with_pieces),
            wishes: Wishes::of(&opening),
            answers: opening.answers,
            program,
            opening,
            outbox,
            has_ended_input: !said.is_empty(),
            said,
            open: None,
            transcripts: None,
            refused: None,
            has_failed: false,
        }
    }

    /// Serves the caller to its end. A bug ends what was done about one thing.
    pub(crate) async fn contained(&mut self, mut lines: mpsc::Receiver<CallerLine>) -> u8 {
        for _ in 0..BUGS_MAX {
            let served = contained("what a session did", self.serve(&mut lines));
            match served.await {
                Ok(code) => return code,
                Err(bug) => self.program.note(&bug.to_string()),
            }
        }
        1
    }

    async fn serve(&mut self, lines: &mut mpsc::Receiver<CallerLine>) -> u8 {
        loop {
            if !self.is_busy()
                && let Some(said) = self.said.pop_front()
            {
                match said {
                    Ok(message) => self.begin(message).await,
                    Err(why) => self.fail(why).await,
                }
                continue;
            }
            if self.has_ended_input && !self.is_busy() {
                return u8::from(self.has_failed);
            }
            let moved = async {
                match &mut self.open {
                    Some(open) => open.moved().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                // An interrupt is not kept waiting by what it ends.
                biased;
                line = lines.recv(), if !self.has_ended_input => match line {
                    Some(line) => self.heard(line).await,
                    None => self.has_ended_input = true,
                },
                moved = moved => self.take(moved).await,
            }
        }
    }

    fn is_busy(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.job.is_some())
    }

    async fn heard(&mut self, line: CallerLine) {
        may_fail_here("caller");
        match line {
            CallerLine::User(blocks) => {
                // Pictures are scaled.
                let read = tokio::task::spawn_blocking(move || prompt::message(blocks)).await;
                let said = match read {
                    Ok(Ok(_)) if self.said.len() >= SAID_MAX => {
                        Err(format!("{SAID_MAX} messages wait already"))
                    }
                    Ok(Ok(message)) => Ok(message),
                    Ok(Err(why)) => Err(why),
                    Err(bug) => Err(bug.to_string()),
                };
                // It has its result in its turn.
                self.said.push_back(said);
            }
            CallerLine::Asks { id, request } => self.asked(&id, &request).await,
            CallerLine::Junk(why) => self.program.note(&why),
            CallerLine::Answer { .. } | CallerLine::Passed => {}
        }
    }

    async fn take(&mut self, moved: Moved) {
        match moved {
            Moved::Event(event) => self.emit(&event).await,
            Moved::Changed => self.keep_up().await,
            Moved::Answered(came) => {
                let Some(open) = &mut self.open else { return };
                if open.asking.take(came, &open.run.team).await
                    && let Some(job) = &open.job
                {
                    job.cancel();
                }
            }
            Moved::Ended(report) => self.ended(report).await,
            Moved::ToClose => {
                self.fail("the team was paused from a terminal".to_owned())
                    .await;
                self.has_ended_input = true;
                self.said.clear();
                self.close().await;
            }
        }
    }

    /// Tells what happened.
    async fn emit(&mut self, event: &teammate::Event) {
        may_fail_here("session");
        let mut messages = self.messages.event(event);
        if Messages::is_to_read(event)
            && let Some(transcripts) = &self.transcripts
        {
            let from = self.messages.read_up_to(&event.member);
            match transcripts.passages(&event.member, from).await {
                Ok((passages, up_to)) => {
                    messages.extend(self.messages.passages(&event.member, passages, up_to));
                }
                Err(error) => self.program.note(&error.to_string()),
            }
        }
        for message in messages {
            self.send(&message).await;
        }
    }

    /// Asks the caller what the team asks.
    async fn keep_up(&mut self) {
        // A question is about a call that has its message.
        while let Some(event) = self.open.as_mut().and_then(|open| open.run.happened()) {
            self.emit(&event).await;
        }
        let Some(open) = &mut self.open else { return };
        match self.answers {
            ClaudeAnswers::Caller => {
                open.asking
                    .keep_up(&open.run.team, &self.outbox, &self.messages)
                    .await;
            }
            ClaudeAnswers::Plan => refuse_permissions(&open.run.team, PLANS_ONLY).await,
            // The team refuses by itself.
            ClaudeAnswers::Nobody => {}
        }
    }

    /// Writes a message, to a caller that reads all of them.
    async fn send(&self, message: &Value) {
        if self.opening.output.has_messages() {
            self.outbox.send(message).await;
        }
    }

    /// Tells whether the session waits for the caller.
    async fn emit_state(&self, state: &str) {
        if self.opening.tells_state {
            let fields = json!({ "state": state, "sdk_host_only": true });
            let message = self.messages.system("session_state_changed", fields);
            self.send(&message).await;
        }
    }

    /// Closes the team: what is unfinished goes on when the session is resumed.
    pub(crate) async fn close(&mut self) {
        self.transcripts = None;
        if let Some(open) = self.open.take() {
            for note in open.close().await {
                self.program.note(&note);
            }
        }
    }
}
