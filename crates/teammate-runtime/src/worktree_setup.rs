//! Makes a new worktree ready for work: runs the commands that the settings have run in it, and tells its owner what came of
//! that. The files are there by then ([`Furnished`]).
//!
//! The commands are the user's: they need no permission, and what denies and holds a member's commands denies and holds them. One
//! that fails ends the set-up, and the worktree can be used all the same.

use std::sync::Arc;

use serde_json::json;
use teammate_core::{
    Incarnation, MemberName,
    permission::Mode,
    port::{Caller, Furnished, Workspace, WorktreeName},
    team::{MessageCause, Term},
    tool::{CallId, ToolCall, ToolInput},
};
use tokio::sync::OnceCell;

use crate::{
    base::Base,
    mailer::{MailDraft, Mailer},
    permission_gate::PermissionGate,
    rights::{Rights, ToolContexts},
    tool_call::ToolRun,
};

/// How long each command may take, in seconds.
const COMMAND_SECONDS: u64 = 600;
/// The most commands that are run.
const COMMANDS_MAX: usize = 32;
/// How much of a failed command's output is passed on, in bytes; the end says most.
const OUTPUT_BYTES_MAX: usize = 1_500;

/// The parts that run the commands.
#[derive(Clone)]
pub(crate) struct SetupParts {
    pub(crate) base: Arc<Base>,
    pub(crate) gate: Arc<PermissionGate>,
    pub(crate) contexts: Arc<dyn ToolContexts>,
    pub(crate) mailer: Arc<Mailer>,
}

impl SetupParts {
    /// Runs the commands of the settings in this place, as `caller`'s. Returns what went wrong, which the user reads as well.
    pub(crate) async fn run_commands(
        &self,
        place: &Arc<Workspace>,
        caller: &Caller,
    ) -> Option<String> {
        let commands = self.base.setup.config.worktrees.run.iter();
        for (at, command) in commands.take(COMMANDS_MAX).enumerate() {
            if let Err(why) = self.run_command((at + 1, command), place, caller).await {
                let text = format!(
                    "`{command}`, which the settings have run in a new worktree, failed; the worktree can be used all the same. \
                     It ended so:\n{why}"
                );
                self.base.feed.note(&caller.name, text.clone());
                return Some(text);
            }
        }
        None
    }

    /// An error is the end of what it printed, or why it did not run.
    async fn run_command(
        &self,
        (number, command): (usize, &str),
        place: &Arc<Workspace>,
        caller: &Caller,
    ) -> Result<(), String> {
        let Some(tool) = self.base.setup.shell.clone() else {
            return Err("this program cannot run commands".to_owned());
        };
        let rights = Rights {
            workspace: place.clone(),
            ..Rights::of_user(&self.base)
        };
        let caller = Caller {
            call: caller.call.part(number),
            ..caller.clone()
        };
        let input = json!({ "command": command, "timeout_seconds": COMMAND_SECONDS });
        let dispatch = ToolRun {
            call: ToolCall {
                id: CallId::new(format!("setup-{number}")),
                name: tool.spec().name.clone().into_owned(),
                input: ToolInput::from_json(input.to_string()),
            },
            // Deny rules hold all the same.
            mode: Mode::Bypass,
            tool,
            context: self.contexts.tool_context(&rights, caller),
            base: self.base.clone(),
            gate: self.gate.clone(),
            subagent: None,
        };
        let outcome = match dispatch.run_checked().await {
            Ok((outcome, _)) if !outcome.is_error => return Ok(()),
            Ok((outcome, _)) | Err(outcome) => outcome,
        };
        let said = outcome.text();
        let from = said.len().saturating_sub(OUTPUT_BYTES_MAX);
        Err(said[said.ceil_char_boundary(from)..].to_owned())
    }

    /// Tells a member what its new worktree has; once for each life, worktree and machine.
    pub(crate) async fn send_notice(
        &self,
        (member, life): (&MemberName, Incarnation),
        worktree: &WorktreeName,
        furnished: &Furnished,
    ) {
        if furnished.is_empty() {
            return;
        }
        let team = self.base.ledger.team();
        let moved = team.places().placement(member).map(|placed| placed.term);
        let worktree = match moved.filter(|term| *term > Term::FIRST) {
            Some(term) => format!("{worktree}/{term}"),
            None => worktree.to_string(),
        };
        let cause = MessageCause::WorktreeMade(member, life, &worktree);
        let id = team.message_id(cause);
        let text = format!("Your worktree is new. {furnished}");
        if let Err(error) = self.mailer.send(MailDraft::notice(id, member, text)).await {
            let text = format!("the member was not told what is in its worktree: {error}");
            self.base.feed.note(member, text);
        }
    }
}

/// The set-up of a worktree that its member comes to, which the calls that work in it wait for.
pub(crate) struct PendingSetup {
    pub(crate) parts: SetupParts,
    pub(crate) place: Arc<Workspace>,
    pub(crate) caller: Caller,
    pub(crate) worktree: WorktreeName,
    pub(crate) furnished: Furnished,
    pub(crate) done: OnceCell<()>,
}

impl PendingSetup {
    /// Returns when it is done. The first to ask does it; who asks after one that was cut off begins again.
    pub(crate) async fn until_done(&self) {
        self.done.get_or_init(|| self.set_up()).await;
    }

    async fn set_up(&self) {
        let mut furnished = self.furnished.clone();
        let failed = self.parts.run_commands(&self.place, &self.caller).await;
        furnished.missing.extend(failed);
        let owner = (&self.caller.name, self.caller.incarnation);
        self.parts
            .send_notice(owner, &self.worktree, &furnished)
            .await;
    }
}
