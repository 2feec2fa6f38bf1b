//! Hooks at events of the team. Each place asks them before anything is decided, with no lock held; where none listens nothing
//! is made and nothing waits. What they refuse is recorded, what they fail at is said, and whose turn they end is remembered
//! here until the member's driver looks.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{
    Incarnation, MemberName,
    audit::AuditEvent,
    fence::visible,
    hook::{HookCall, HookDecision, HookEvent, HookVerdict, Identity, Occasion, permission_word},
    lock::Hold,
    permission::Mode,
    port::Workspace,
};

use tokio::{task::JoinSet, time::timeout};

use super::Base;

/// The most different notes about hooks that are remembered, so that each is said once.
const NOTES_MAX: usize = 1_000;

/// Whose event it is, and where.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) member: MemberName,
    pub(crate) incarnation: Incarnation,
    /// The kind of the subagent, if it is one of the member's.
    pub(crate) subagent: Option<Arc<str>>,
    pub(crate) mode: Mode,
    pub(crate) place: Arc<Workspace>,
}

/// The remembered answers of hooks.
#[derive(Default)]
pub(super) struct HookMemory {
    said: Mutex<BTreeSet<(MemberName, String)>>,
    halts: Mutex<BTreeMap<MemberName, String>>,
    /// Those that nothing waits for but the end of the team.
    later: Mutex<JoinSet<()>>,
}

impl Base {
    /// Whether any hook is for this event.
    pub(crate) fn listens(&self, event: HookEvent) -> bool {
        let hooks = self.ports.hooks.as_ref();
        hooks.is_some_and(|hooks| hooks.listens(event))
    }

    /// Runs the hooks for what happens; their verdict. Dropped, it ends them.
    pub(crate) async fn consult(
        &self,
        event: HookEvent,
        happens: impl FnOnce() -> (Scene, Occasion) + Send,
    ) -> HookVerdict {
        let hooks = self.ports.hooks.as_ref();
        let Some(hooks) = hooks.filter(|hooks| hooks.listens(event)) else {
            return HookVerdict::default();
        };
        let (scene, occasion) = happens();
        let member = scene.member.clone();
        let call = self.hook_call(scene, occasion);
        let runs = hooks.run(&call).await;
        let mut verdict = HookVerdict::of(event, &runs);
        let secrets = &self.setup.secrets;
        verdict.each_text(|text| *text = visible(&secrets.redact(text)));
        self.note_verdict(&member, &call, &verdict);
        verdict
    }

    /// Runs the hooks for what has happened, and waits for none of them.
    pub(crate) fn consult_later(
        self: &Arc<Self>,
        event: HookEvent,
        scene: Scene,
        occasion: Occasion,
    ) {
        let base = self.clone();
        let mut later = self.hooks.later.hold();
        while later.try_join_next().is_some() {}
        later.spawn(async move {
            base.consult(event, || (scene, occasion)).await;
        });
    }

    /// Waits for those, at most so long; what goes on then is ended.
    pub(crate) async fn end_hooks(&self, within: Duration) {
        let later = self
            .hooks
            .later
            .lock()
            .map(|mut later| std::mem::take(&mut *later));
        let mut later = later.unwrap_or_default();
        let all = async { while later.join_next().await.is_some() {} };
        let _ = timeout(within, all).await;
    }

    fn hook_call(&self, scene: Scene, occasion: Occasion) -> HookCall {
        let team = self.ledger.team();
        let known = team.member(&scene.member);
        let is_planning = known.is_some_and(|member| member.gate.refusal().is_some());
        HookCall {
            event_id: self.ports.ids.new_id().to_string(),
            identity: Identity {
                session: team.id().to_string(),
                team: team.name().to_owned(),
                member: scene.member,
                incarnation: scene.incarnation,
                subagent: scene.subagent,
                permission: permission_word(scene.mode, is_planning),
            },
            cwd: scene.place.root.clone(),
            occasion,
        }
    }

    fn note_verdict(&self, member: &MemberName, call: &HookCall, verdict: &HookVerdict) {
        for note in &verdict.notes {
            self.note_once(member, note);
        }
        if let Some(why) = &verdict.halt {
            let event = call.occasion.event();
            self.feed
                .note(member, format!("the {event} hook {why} (it ends the turn)"));
            let mut halts = self.hooks.halts.hold();
            halts.insert(member.clone(), why.clone());
        }
        if let HookDecision::Refuse(why) = &verdict.decision {
            let refused = AuditEvent::HookRefused {
                hook: call.occasion.event().name().to_owned(),
                shows: self
                    .setup
                    .secrets
                    .redact(&call.occasion.shows())
                    .into_owned(),
                why: why.clone(),
            };
            self.audit_later(member, refused);
        }
    }

    /// A hook that fails at every call would else be all that can be read.
    fn note_once(&self, member: &MemberName, note: &str) {
        let mut said = self.hooks.said.hold();
        if said.len() < NOTES_MAX && said.insert((member.clone(), note.to_owned())) {
            self.feed.note(member, note.to_owned());
        }
    }

    /// Why hooks end the member's turn, if they do.
    pub(crate) fn halted(&self, member: &MemberName) -> Option<String> {
        let halts = self.hooks.halts.hold();
        let why = halts.get(member)?;
        Some(format!("stopped by the hook {why}"))
    }

    /// The turn has ended.
    pub(crate) fn forget_halt(&self, member: &MemberName) {
        self.hooks.halts.hold().remove(member);
    }
}
