//! The permission gate: rules first, then a person for what they leave open. No answer is a no.
//!
//! A question is a request in the journal. It can be answered from anywhere, it survives this process, and a yes allows exactly
//! one run of exactly what was shown.

use std::{
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use ring::digest::{Context, SHA256};
use teammate_core::{
    Timestamp,
    event::What,
    permission::{Mode, Rule, Rules, Verdict},
    port::{Action, Caller, Target},
    request::{AskPermission, Digest, Kind, Party, Request, RequestCommand, RequestId, State},
    team::Command,
    tool::EffectClass,
};

use crate::host::Shared;

/// Who answers questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// A person who sees the event feed, or another terminal, within this time.
    Person {
        /// After it the answer is no.
        deadline: Duration,
    },
    /// Nobody: what would be asked is refused at once.
    Nobody,
}

/// The rules of one team as they are now.
pub(crate) struct Gate {
    rules: RwLock<Rules>,
}

/// A call that wants to pass.
pub(crate) struct Passing<'a> {
    pub(crate) caller: &'a Caller,
    pub(crate) mode: Mode,
    pub(crate) tool: &'a str,
    pub(crate) class: EffectClass,
    pub(crate) action: &'a Action,
    /// Where it would run.
    pub(crate) place: &'a std::path::Path,
}

impl Gate {
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            rules: RwLock::new(rules),
        }
    }

    fn decide(&self, passing: &Passing<'_>) -> Verdict {
        let rules = self.rules.read().unwrap_or_else(PoisonError::into_inner);
        rules.decide(
            passing.mode,
            passing.tool,
            passing.class,
            &passing.action.target,
        )
    }

    /// The user allowed this for good.
    pub(crate) fn allow_always(&self, rule: &str) {
        if let Ok(rule) = Rule::parse(rule) {
            let mut rules = self.rules.write().unwrap_or_else(PoisonError::into_inner);
            rules.allow.push(rule);
        }
    }
}

impl Shared {
    /// `Ok` if the call may run; otherwise a sentence for the model. `waiting` is told when a person is asked.
    pub(crate) async fn pass(
        self: &Arc<Self>,
        passing: &Passing<'_>,
        waiting: impl FnOnce(),
    ) -> Result<(), String> {
        self.pass_plan_gate(passing)?;
        match (self.gate.decide(passing), self.setup.policy) {
            (Verdict::Allow, _) => Ok(()),
            (Verdict::Deny(rule), _) => Err(format!(
                "Not run: the user's rule '{rule}' forbids it. Find another way or say what you need."
            )),
            (Verdict::Ask, Policy::Nobody) => Err(self.refuse_headless(passing)),
            (Verdict::Ask, Policy::Person { deadline }) => {
                waiting();
                self.ask(passing, deadline).await?;
                // A plan may have been asked for meanwhile.
                self.pass_plan_gate(passing)
            }
        }
    }

    /// Whoever must have a plan approved only reads, and talks with the team.
    fn pass_plan_gate(&self, passing: &Passing<'_>) -> Result<(), String> {
        match passing.class {
            // What a subagent does is weighed call by call.
            EffectClass::Reads | EffectClass::Team | EffectClass::Delegates => return Ok(()),
            EffectClass::Writes | EffectClass::Executes => {}
        }
        let team = self.ledger.team();
        let caller = passing.caller;
        let refusal = match team.member(&caller.name) {
            Some(member) if member.incarnation == caller.incarnation => member.gate.refusal(),
            // What belongs to an earlier life does nothing any more.
            Some(_) | None => Some("Not run: this life of yours is over.".to_owned()),
        };
        refusal.map_or(Ok(()), Err)
    }

    fn refuse_headless(&self, passing: &Passing<'_>) -> String {
        let hint = headless_hint(passing);
        let (tool, shows) = (passing.tool.to_owned(), passing.action.shows.clone());
        let text = format!("Not run: {tool} needs permission and nobody can be asked here. {hint}");
        self.feed.tell(
            &passing.caller.name,
            What::PermissionRefused { tool, shows, hint },
        );
        text
    }

    async fn ask(
        self: &Arc<Self>,
        passing: &Passing<'_>,
        deadline: Duration,
    ) -> Result<(), String> {
        let digest = digest(passing);
        let request = self.open_question(passing, &digest, deadline).await?;
        let withdraw = Withdraw {
            shared: self,
            request: request.id,
        };
        self.look_after(request.id).await;
        let settled = self.settled(request.id).await;
        drop(withdraw);
        let state = settled.map_or(State::Expired, |settled| settled.state.clone());
        match state {
            State::Approved(_) => self.use_grant(passing, request.id, digest).await,
            State::Rejected { by, because } => {
                let why = if because.is_empty() {
                    String::new()
                } else {
                    format!(" ({because})")
                };
                Err(format!(
                    "Not run: {by} said no{why}. Do not try it again in another form; ask or go on without it."
                ))
            }
            State::Expired | State::Pending => Err(
                "Not run: nobody answered the permission question in time, and that is a no."
                    .to_owned(),
            ),
            State::Cancelled { why } => Err(format!("Not run: {why}.")),
        }
    }

    /// The question of this very call, asked once: whoever waited for it when the host ended waits on.
    async fn open_question(
        &self,
        passing: &Passing<'_>,
        digest: &Digest,
        deadline: Duration,
    ) -> Result<Arc<Request>, String> {
        let caller = passing.caller;
        let lead_may = {
            let rules = self.gate.rules.read();
            let rules = rules.unwrap_or_else(PoisonError::into_inner);
            !caller.name.is_lead()
                && rules.lead_may_allow(passing.tool, passing.class, &passing.action.target)
        };
        let millis = u64::try_from(deadline.as_millis()).unwrap_or(u64::MAX);
        let call = format!("{}/{}", caller.call, digest.short());
        let open = RequestCommand::Open {
            kind: Kind::Permission(AskPermission {
                tool: passing.tool.to_owned(),
                shows: passing.action.shows.clone(),
                digest: digest.clone(),
                rule: always(passing).map(|rule| rule.to_string()),
                lead_may,
            }),
            from: Party::member(&caller.name, caller.incarnation),
            call: call.clone(),
            deadline: Some(Timestamp(self.world.clock.now().0.saturating_add(millis))),
        };
        let opened = self.ledger.decide(Command::Request(open)).await;
        opened.map_err(|error| format!("Not run: permission could not be asked: {error}."))?;
        let request = self.ledger.team().requests().made_by(&call).cloned();
        request.ok_or_else(|| "Not run: the permission question is gone.".to_owned())
    }

    async fn use_grant(
        &self,
        passing: &Passing<'_>,
        request: RequestId,
        digest: Digest,
    ) -> Result<(), String> {
        let grant = RequestCommand::Use {
            request,
            member: passing.caller.name.clone(),
            incarnation: passing.caller.incarnation,
            digest,
        };
        let used = self.ledger.decide(Command::Request(grant)).await;
        used.map(|_| ())
            .map_err(|error| format!("Not run: {error}."))
    }

    /// What waits for the person, oldest first.
    pub(crate) fn questions(&self) -> Vec<Arc<Request>> {
        let team = self.ledger.team();
        let open = team.requests().pending();
        open.filter(|request| request.awaits_user())
            .cloned()
            .collect()
    }
}

/// Takes a question back when the call that asks is given up; but not when the team closes: the call goes on another day.
struct Withdraw<'a> {
    shared: &'a Shared,
    request: RequestId,
}

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        if *self.shared.closing.borrow() {
            return;
        }
        self.shared
            .ledger
            .note(Command::Request(RequestCommand::Cancel {
                request: self.request,
                why: "the call that asked was given up".to_owned(),
            }));
    }
}

/// The rule that covers the very same action, and nothing else.
fn always(passing: &Passing<'_>) -> Option<Rule> {
    let pattern = match &passing.action.target {
        Target::Command(command) => command.clone(),
        Target::Path(path) => path.display().to_string(),
        Target::Team => return None,
    };
    Rule::parse(&format!("{}({pattern})", passing.tool)).ok()
}

/// Of all that an approval is bound to. Each part comes with its length, so that none can pass for another.
fn digest(passing: &Passing<'_>) -> Digest {
    let caller = passing.caller;
    let life = caller.incarnation.to_string();
    let target = format!("{:?}", passing.action.target);
    let place = passing.place.as_os_str().as_encoded_bytes();
    let parts: [&[u8]; 6] = [
        caller.name.as_str().as_bytes(),
        life.as_bytes(),
        passing.tool.as_bytes(),
        place,
        target.as_bytes(),
        passing.action.shows.as_bytes(),
    ];
    digest_of(&parts)
}

/// SHA-256 over parts, each with its length before it.
pub(crate) fn digest_of(parts: &[&[u8]]) -> Digest {
    let mut context = Context::new(&SHA256);
    for part in parts {
        context.update(&(part.len() as u64).to_be_bytes());
        context.update(part);
    }
    let mut bytes = [0; 32];
    bytes.copy_from_slice(context.finish().as_ref());
    Digest::of_bytes(bytes)
}

/// What would allow it.
fn headless_hint(passing: &Passing<'_>) -> String {
    let tool = passing.tool;
    let (mode, pattern) = match &passing.action.target {
        Target::Command(command) => ("bypass", command.clone()),
        Target::Path(path) => ("accept-edits", path.display().to_string()),
        Target::Team => ("bypass", "*".to_owned()),
    };
    format!(
        "The user can start with --permission-mode {mode}, or with --allow '{tool}({pattern})'."
    )
}
