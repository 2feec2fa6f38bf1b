//! One session: what its editor orders and what its team does, one thing after the other. The team is opened by the first prompt, so
//! that a session in which nothing is said leaves nothing behind.

mod opening;
mod past;

use std::sync::Arc;

use serde_json::{Value, json};
use teammate::{
    Event, TeamPlace, UserMessage,
    contained::{BUGS_MAX, contained, may_fail_here},
    handle::ChooseMode,
};
use tokio::sync::mpsc;

use crate::{
    acp::{
        asking::PLANS_ONLY,
        board,
        mode::EditorMode,
        open_team::{Moved, OpenTeam},
        outbox::{Outbox, Reply},
        program::EditorProgram,
        refusal::Refusal,
        session_id::SessionId,
        shown::Shown,
        turn, typed, update,
    },
    door::questions::refuse_permissions,
};

/// An order of an editor.
#[derive(Debug)]
pub(crate) enum Order {
    /// Say something to the lead.
    Prompt(Reply, UserMessage),
    /// Interrupt what is worked on.
    Cancel,
    /// Another mode.
    SetMode(Reply, EditorMode),
    /// Tell the past.
    Load(Reply),
    /// The editor is done with it.
    Close(Reply),
}

/// One session.
pub(crate) struct Session {
    id: SessionId,
    place: TeamPlace,
    program: Arc<dyn EditorProgram>,
    outbox: Outbox,
    mode: EditorMode,
    /// Notes for the user before the first answer.
    notes: Vec<String>,
    shown: Shown,
    /// The board as it was last shown.
    plan: Option<Value>,
    open: Option<OpenTeam>,
}

impl Session {
    /// A session in this mode. `notes` are said before the first answer.
    pub(crate) fn new(
        id: SessionId,
        place: TeamPlace,
        (program, outbox): (Arc<dyn EditorProgram>, Outbox),
        mode: EditorMode,
        notes: Vec<String>,
    ) -> Self {
        Self {
            shown: Shown::new(place.workspace().to_owned()),
            id,
            place,
            program,
            outbox,
            mode,
            notes,
            plan: None,
            open: None,
        }
    }

    /// Serves the editor until it closes the session, or has gone; then the team is closed. A bug ends what was done about one thing.
    pub(crate) async fn run(mut self, mut orders: mpsc::Receiver<Order>) {
        for _ in 0..BUGS_MAX {
            let served = contained("what a session did", self.serve(&mut orders));
            let Err(bug) = served.await else { return };
            let note = format!("{bug}. The team works on.");
            let _ = contained("a session's note", self.note(&note)).await;
        }
        // It does nothing more for the editor, whose requests are refused, and the team works on until the editor goes.
        while orders.recv().await.is_some() {}
        let _ = contained("the end of a session", self.close("cancelled")).await;
    }

    async fn serve(&mut self, orders: &mut mpsc::Receiver<Order>) {
        self.offer_commands().await;
        loop {
            let moved = async {
                match &mut self.open {
                    Some(open) => open.moved().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                // A cancel is not kept waiting by what it ends.
                biased;
                order = orders.recv() => match order {
                    Some(Order::Close(reply)) => {
                        self.close("cancelled").await;
                        return reply.done(json!({})).await;
                    }
                    Some(order) => self.obey(order).await,
                    None => return self.close("cancelled").await,
                },
                moved = moved => self.follow(moved).await,
            }
        }
    }

    async fn obey(&mut self, order: Order) {
        may_fail_here("order");
        match order {
            Order::Prompt(reply, message) => self.prompt(reply, message).await,
            Order::Cancel => {
                if let Some(turn) = self.open.as_ref().and_then(|open| open.turn.as_ref()) {
                    turn.cancel();
                }
            }
            Order::SetMode(reply, mode) => {
                let chosen = self.choose_mode(mode).await;
                reply.give(chosen.map(|()| json!({}))).await;
                // What is asked already may be refused now.
                self.keep_up().await;
            }
            Order::Load(reply) => self.load(reply).await,
            Order::Close(reply) => reply.done(json!({})).await,
        }
    }

    async fn prompt(&mut self, reply: Reply, message: UserMessage) {
        if self.is_busy() {
            let why = "this session works on a prompt; cancel it, or wait for its end";
            return reply.refuse(Refusal::now(why)).await;
        }
        if let Err(why) = self.open().await {
            return reply.refuse(Refusal::failed(why)).await;
        }
        if let Some((word, words)) = typed::command(&message)
            && self.program.commands().iter().any(|one| one.name == word)
        {
            return self.typed(reply, (word, words)).await;
        }
        let Some(open) = &mut self.open else { return };
        self.shown.user_says(&message.text);
        if let Err((reply, why)) = open.prompt(reply, message).await {
            reply.refuse(Refusal::failed(why)).await;
        }
    }

    /// A typed command is answered by the program; no model is asked.
    async fn typed(&mut self, reply: Reply, command: (&str, &str)) {
        let Some(open) = &self.open else { return };
        let said = self.program.run(&open.run.team, &self.place, command).await;
        let lines = said.unwrap_or_else(|why| why);
        self.send(json!({
            "sessionUpdate": "agent_message_chunk",
            "content": update::verbatim(&lines),
        }))
        .await;
        reply.done(json!({ "stopReason": "end_turn" })).await;
    }

    async fn choose_mode(&mut self, mode: EditorMode) -> Result<(), Refusal> {
        if let Some(open) = &self.open {
            let chosen = open.run.team.ask(ChooseMode(mode.of_team())).await;
            chosen.map_err(|error| Refusal::failed(error.to_string()))?;
        }
        self.mode = mode;
        Ok(())
    }

    /// Follows a move of the team.
    async fn follow(&mut self, moved: Moved) {
        match moved {
            Moved::Event(event) => self.take(&event).await,
            Moved::Changed => self.keep_up().await,
            Moved::Answered(came) => {
                if let Some(open) = &mut self.open {
                    let to = (&self.outbox, &self.id);
                    open.asking.take(came, &open.run.team, to).await;
                }
            }
            Moved::Ended(outcome) => {
                while let Some(event) = self.open.as_mut().and_then(|open| open.run.happened()) {
                    self.take(&event).await;
                }
                self.keep_up().await;
                let turn = self.open.as_mut().and_then(|open| open.turn.take());
                let (answer, note) = turn::answer(outcome);
                if let Some(note) = note {
                    self.note(&note).await;
                }
                if let Some(turn) = turn {
                    turn.reply.give(answer).await;
                }
            }
            Moved::ToClose => {
                self.note("The team was paused from a terminal; the next prompt continues it.")
                    .await;
                self.close("cancelled").await;
            }
        }
    }

    async fn take(&mut self, event: &Event) {
        may_fail_here("session");
        for update in self.shown.take(event) {
            self.send(update).await;
        }
    }

    /// Brings the editor up to what the team is now: the board as a plan, questions, the mode.
    async fn keep_up(&mut self) {
        let Some(open) = &mut self.open else { return };
        let state = open.run.state();
        let plan = board::plan(state.board());
        let mode = state.ceiling();
        if self.mode == EditorMode::Plan {
            refuse_permissions(&open.run.team, PLANS_ONLY).await;
        }
        let shown = &self.shown;
        let to = (&self.outbox, &self.id);
        open.asking
            .keep_up(&open.run.team, to, |request| shown.call_of(request))
            .await;
        if let Some(plan) = plan
            && self.plan.as_ref() != Some(&plan)
        {
            self.send(plan.clone()).await;
            self.plan = Some(plan);
        }
        if let Some(mode) = mode
            && mode != self.mode.of_team()
        {
            self.mode = EditorMode::of(mode);
            self.send(update::mode(self.mode)).await;
        }
    }

    /// Closes the team, and answers what waited for it.
    async fn close(&mut self, stop: &str) {
        let Some(mut open) = self.open.take() else {
            return;
        };
        open.asking.end(&self.outbox).await;
        let (reply, notes) = open.close().await;
        for note in notes {
            self.note(&note).await;
        }
        if let Some(reply) = reply {
            reply.done(json!({ "stopReason": stop })).await;
        }
    }

    fn is_busy(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.turn.is_some())
    }

    async fn offer_commands(&self) {
        self.send(update::commands(self.program.commands())).await;
    }

    /// Says something that the user should read.
    async fn note(&mut self, text: &str) {
        let note = self.shown.note(text);
        self.send(note).await;
    }

    async fn send(&self, update: Value) {
        self.outbox.update(&self.id, update).await;
    }
}
