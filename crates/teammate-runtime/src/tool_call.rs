//! Runs one tool call: what it would do, the gate, the tool, and what the screen hears of it.

mod audited_end;
mod hooked;
mod progress;

use std::sync::Arc;

use teammate_core::{
    MemberName,
    fence::visible,
    permission::Mode,
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolInput},
};
use tokio::time::Instant;

use self::{audited_end::AuditedEnd, progress::ShownProgress};
use crate::{
    base::Base,
    permission_gate::{CallRefusal, CheckedCall, PermissionGate},
    shown,
};

/// One call, ready to run.
pub(crate) struct ToolRun {
    pub(crate) base: Arc<Base>,
    pub(crate) gate: Arc<PermissionGate>,
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) call: ToolCall,
    pub(crate) mode: Mode,
    pub(crate) context: ToolContext,
    /// The kind of the subagent that makes the call, if it is not the member itself.
    pub(crate) subagent: Option<Arc<str>>,
}

impl ToolRun {
    pub(crate) async fn run(mut self) -> Outcome {
        self.context.progress = Arc::new(ShownProgress::of(&self));
        let (begun, closings) = (Instant::now(), self.closings());
        match self.check_permission().await {
            Ok(ready) => self.run_allowed(ready, begun, closings).await,
            Err(outcome) => self.emit_finished(begun, outcome),
        }
    }

    /// Runs it. What can act is cut when its member's plan gate is closed: dropping it ends what it started.
    async fn run_allowed(
        &self,
        (action, running): (Action, BoxFuture<'_, Outcome>),
        begun: Instant,
        closings: u32,
    ) -> Outcome {
        let started = Instant::now();
        let end = AuditedEnd::of(self, begun);
        let outcome = match self.tool.spec().class {
            EffectClass::Reads | EffectClass::Team => running.await,
            EffectClass::Writes
            | EffectClass::Executes
            | EffectClass::Calls
            | EffectClass::Delegates => {
                tokio::select! {
                    biased;
                    () = self.base.gate_closes(self.member(), closings) => cut_by_gate(),
                    outcome = running => outcome,
                }
            }
        };
        end.record(&outcome);
        let took_ms = millis_since(started);
        let outcome = self.without_secrets(outcome);
        let outcome = self.show_hooks(&action, outcome, took_ms).await;
        self.emit_finished(begun, outcome)
    }

    /// To be counted before the call passes the gate, so that nothing comes between.
    fn closings(&self) -> u32 {
        self.base.closings(self.member())
    }

    fn without_secrets(&self, mut outcome: Outcome) -> Outcome {
        self.base.setup.secrets.redact_outcome(&mut outcome);
        outcome
    }

    fn emit_finished(&self, begun: Instant, outcome: Outcome) -> Outcome {
        let mut outcome = self.without_secrets(outcome);
        if self.tool.spec().class == EffectClass::Team {
            // It shows what others have written.
            outcome.each_text(|text| *text = visible(text));
        }
        let told = shown::finished(
            (&self.call.id, &self.call.name),
            Some(self.tool.spec().class),
            &outcome,
            millis_since(begun),
            self.subagent.as_deref(),
        );
        self.base.feed.emit(self.member(), told);
        // The conversation needs no more of it than its text.
        outcome.change = None;
        outcome.merge = None;
        outcome.refused = None;
        outcome
    }

    /// Runs the call; distinguishes calls that did not run from calls that failed, and tells how many milliseconds it took.
    pub(crate) async fn run_checked(mut self) -> Result<(Outcome, u64), Outcome> {
        self.context.progress = Arc::new(ShownProgress::of(&self));
        let closings = self.closings();
        let ready = self.check_permission().await?;
        let begun = Instant::now();
        let outcome = self.run_allowed(ready, begun, closings).await;
        Ok((outcome, millis_since(begun)))
    }

    /// The call, ready to run, if it may.
    async fn check_permission(&self) -> Result<(Action, BoxFuture<'_, Outcome>), Outcome> {
        let (action, running) = self.read().await?;
        self.refuse_placeholder()?;
        let asked = self.ask_hooks(&action).await?;
        let passing = CheckedCall {
            asked_by_hook: asked.as_deref(),
            // It would ask again: no rule answers it.
            offers_rules: asked.is_none(),
            ..self.passing(&action)
        };
        let verdict = self.gate.check_waiting(&passing).await;
        verdict.map_err(CallRefusal::into_outcome)?;
        self.base.until_may_begin().await;
        Ok((action, running))
    }

    /// Reads what the call would do, as exactly as known, and the call itself. What is refused in any case is not looked at
    /// more closely.
    async fn read(&self) -> Result<(Action, BoxFuture<'_, Outcome>), Outcome> {
        let unread = |_: &Outcome| self.emit_started(None);
        let ready = self.tool.read(&self.call.input, &self.context);
        let ready = ready.inspect_err(unread)?;
        let mut action = ready.action;
        if let Some(preview) = ready.preview {
            if let Err(why) = self.gate.refuse_early(&self.passing(&action)).await {
                self.emit_started(Some(&action.summary));
                return Err(why.into_outcome());
            }
            action = preview.await.inspect_err(unread)?;
        }
        self.emit_started(Some(&action.summary));
        Ok((action, ready.run))
    }

    fn passing<'a>(&'a self, action: &'a Action) -> CheckedCall<'a> {
        CheckedCall {
            caller: &self.context.caller,
            mode: self.mode,
            tool: &self.call.name,
            class: self.tool.spec().class,
            action,
            place: &self.context.workspace.root,
            call: Some(&self.call),
            offers_rules: true,
            asked_by_hook: None,
            subagent: self.subagent.as_ref(),
        }
    }

    fn emit_started(&self, summary: Option<&str>) {
        let secrets = &self.base.setup.secrets;
        let told = shown::started(&self.call, summary, self.subagent.as_deref(), secrets);
        self.base.feed.emit(self.member(), told);
    }

    /// Refuses a call in which a secret's name stands where the secret should be: a file would hold the name from then on, and
    /// a command would run with other words than the model meant.
    fn refuse_placeholder(&self) -> Result<(), Outcome> {
        let ToolInput::Json(input) = &self.call.input else {
            return Ok(());
        };
        let Some(shown) = self.base.setup.secrets.placeholder_in(input.get()) else {
            return Ok(());
        };
        match self.tool.spec().class {
            EffectClass::Writes => Err(Outcome::error(format!(
                "Nothing was written: {shown} is a placeholder for a secret that you cannot see, and would replace it in the file. Change other lines one by one, and leave that line as it is."
            ))),
            EffectClass::Calls => Err(Outcome::error(format!(
                "Not called: {shown} is a placeholder for a secret, and the service would get the placeholder."
            ))),
            EffectClass::Executes => Err(Outcome::error(format!(
                "Not run: {shown} is a placeholder for a secret, and the command would get the placeholder. Let the command read the secret from where it is kept."
            ))),
            EffectClass::Reads | EffectClass::Delegates | EffectClass::Team => Ok(()),
        }
    }

    fn member(&self) -> &MemberName {
        &self.context.caller.name
    }
}

fn millis_since(begun: Instant) -> u64 {
    u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The outcome of a call that was cut because its member's gate was closed.
fn cut_by_gate() -> Outcome {
    Outcome::error(
        "Stopped: your plan gate was closed while this ran, and you may only read until a plan of yours is approved. It may have done part of its work; check before you plan.",
    )
}
