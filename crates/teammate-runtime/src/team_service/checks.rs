//! Runs checks of tasks and goals: commands of the shell that somebody's rights cover, in the sandbox, before anything is believed.

use std::sync::Arc;

use teammate_core::{
    Incarnation, MemberName,
    cause::Cause,
    permission::Mode,
    port::Caller,
    tool::{CallId, Outcome, ToolCall, ToolInput},
};

use super::TeamService;
use crate::{
    rights::{Rights, ToolContexts as _},
    tool_call::ToolRun,
};

/// A command that ran.
pub(crate) struct CheckRun {
    /// Its exit status; nothing if a signal or its time ended it.
    pub(crate) exit: Option<i32>,
    pub(crate) took_ms: u64,
    /// What it printed, without the word on how it ended.
    pub(crate) output: String,
}

/// Why a command did not run.
pub(super) enum NotRun {
    /// The program has no shell.
    NoShell,
    /// Permission, or what is in its place, said no.
    Refused(Outcome),
}

impl CheckRun {
    pub(super) fn of(outcome: &Outcome, took_ms: u64) -> Self {
        let text = outcome.text();
        let (exit, ending) = match &outcome.ran {
            Some(ran) => (ran.exit, ran.ending.as_str()),
            // A runner of another kind tells only whether it went well.
            None => (Some(i32::from(outcome.is_error)), ""),
        };
        let output = text.strip_suffix(ending).unwrap_or(&text).to_owned();
        Self {
            exit,
            took_ms,
            output,
        }
    }
}

impl TeamService {
    /// Runs a command with these rights, as this caller's; how it went, and how many milliseconds it took.
    pub(super) async fn run_shell(
        &self,
        (rights, mode): (&Rights, Mode),
        caller: &Caller,
        (call, command): (CallId, &str),
    ) -> Result<(Outcome, u64), NotRun> {
        let base = &self.0.base;
        let tool = base.setup.shell.clone().ok_or(NotRun::NoShell)?;
        let run = ToolRun {
            call: ToolCall {
                id: call,
                name: tool.spec().name.clone().into_owned(),
                input: ToolInput::from_json(serde_json::json!({ "command": command }).to_string()),
            },
            mode,
            tool,
            context: self.tool_context(rights, caller.clone()),
            base: base.clone(),
            gate: self.0.gate.clone(),
            subagent: None,
        };
        run.run_checked().await.map_err(NotRun::Refused)
    }

    /// Runs a command of the user's where the team works. An error is why it did not run.
    pub(crate) async fn run_as_user(&self, call: &str, command: &str) -> Result<CheckRun, String> {
        let rights = Rights::of_user(&self.0.base);
        let caller = self.user_caller(Cause::from(call.to_owned()));
        // The user needs no permission, but deny rules still hold.
        let rights = (&rights, Mode::Bypass);
        let ran = self.run_shell(rights, &caller, (CallId::new(call.to_owned()), command));
        match ran.await {
            Ok((outcome, took_ms)) => Ok(CheckRun::of(&outcome, took_ms)),
            Err(NotRun::NoShell) => Err("this program cannot run commands".to_owned()),
            Err(NotRun::Refused(outcome)) => Err(outcome.text()),
        }
    }

    /// The user as a caller of tools, in the lead's place.
    pub(super) fn user_caller(&self, call: Cause) -> Caller {
        let lead = MemberName::lead();
        let life = self
            .0
            .base
            .ledger
            .team()
            .member(&lead)
            .map(|lead| lead.incarnation);
        Caller {
            name: lead,
            incarnation: life.unwrap_or(Incarnation::FIRST),
            call,
            sources: Arc::default(),
            subagent: None,
        }
    }
}
