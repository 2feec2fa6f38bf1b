//! Connections of commands and of the tools that look at the web: rules first, then the user about hosts that they leave open.
//!
//! A command's connection cannot wait as long as a question may. So the question outlives it: a yes that comes later counts for
//! the next try of the same command, whichever call that is. A page is waited for as any other call is.

use std::{path::Path, sync::Arc, time::Duration};

use teammate_core::{
    audit::AllowedBy,
    event::EventKind,
    permission::{Mode, NET, RuleVerdict},
    port::{Action, Caller, ConnectArgs, ConnectVerdict, Connecting, Reach, Target, Unlisted},
    request::{Digest, PermissionRequest, Principal, Request, RequestId, RequestState},
    team::{Command, WaitingOn},
    tool::EffectClass,
};
use tokio::time::timeout;

use super::{CheckedCall, LEAD_ANSWERS_WITHIN, PermissionGate, digest, questions::WithdrawOnDrop};
use crate::policy::AskPolicy;

/// How long a command's connection waits for an answer: some programs give up after 30 seconds, some sooner.
const ANSWERED_WITHIN: Duration = Duration::from_secs(25);

impl PermissionGate {
    /// Whether this call may connect. The plan gate is not asked: it lets no command run that it should stop, and looking at
    /// the web is looking.
    pub(crate) async fn connect(
        &self,
        caller: &Caller,
        (mode, place): (Mode, &Path),
        ask: &ConnectArgs,
    ) -> ConnectVerdict {
        // Questions about the call itself are others.
        let caller = Caller {
            call: caller.call.part(NET),
            ..caller.clone()
        };
        let action = action(ask);
        let passing = CheckedCall {
            caller: &caller,
            mode: match ask.unlisted {
                Unlisted::Ask => mode,
                // No mode makes a list longer.
                Unlisted::Refuse => Mode::Ask,
                Unlisted::Connect(_) => Mode::Bypass,
            },
            tool: ask.by.tool(),
            class: EffectClass::Calls,
            action: &action,
            place,
            call: None,
            offers_rules: true,
            asked_by_hook: None,
            subagent: None,
        };
        let (verdict, request) = self.judge(&passing, ask).await;
        let by = || match (request, ask.unlisted) {
            (Some(request), _) => AllowedBy::Answer { request },
            (None, Unlisted::Connect(setting)) => AllowedBy::Setting {
                setting: setting.to_owned(),
            },
            (None, Unlisted::Ask | Unlisted::Refuse) => self.allowed_by(&passing),
        };
        let decision = match &verdict {
            ConnectVerdict::Allowed(_) => Ok(by()),
            ConnectVerdict::Refused(why) => Err(why.clone().into()),
            ConnectVerdict::Unanswered => Err("nobody has answered yet".into()),
        };
        match (self.recorded(&passing, decision), verdict) {
            (Err(no), ConnectVerdict::Allowed(_)) => ConnectVerdict::Refused(no.why),
            (_, verdict) => verdict,
        }
    }

    /// The verdict, and the question that a yes answered.
    async fn judge(
        &self,
        passing: &CheckedCall<'_>,
        ask: &ConnectArgs,
    ) -> (ConnectVerdict, Option<RequestId>) {
        let decided = self.decide(passing);
        if let Err(why) = self.withdraw_earlier(passing, ask, &decided).await {
            return (ConnectVerdict::Refused(why), None);
        }
        let verdict = match (decided, self.base.setup.config.policy) {
            (RuleVerdict::Allow, _) => ConnectVerdict::Allowed(self.reach(ask)),
            (RuleVerdict::Deny(rule), _) => {
                ConnectVerdict::Refused(format!("{} forbids it", rule.describe()))
            }
            (RuleVerdict::Ask, _) if ask.unlisted == Unlisted::Refuse => {
                let hint = self.headless_hint(passing, passing.tool);
                ConnectVerdict::Refused(format!("it is not in the list of hosts. {hint}"))
            }
            (RuleVerdict::Ask, AskPolicy::User { deadline }) => {
                return self.ask_to_connect(passing, ask, deadline).await;
            }
            (RuleVerdict::Ask, AskPolicy::Never) if self.lead_may_allow(passing) => {
                let within = LEAD_ANSWERS_WITHIN;
                return self.ask_to_connect(passing, ask, within).await;
            }
            (RuleVerdict::Ask, AskPolicy::Never) => self.refuse_to_connect(passing),
        };
        (verdict, None)
    }

    /// A page is fetched again if the program died meanwhile: of what it asked then, only the same is still a question. Commands are
    /// not run again, and ask several things side by side.
    async fn withdraw_earlier(
        &self,
        passing: &CheckedCall<'_>,
        ask: &ConnectArgs,
        decided: &RuleVerdict,
    ) -> Result<(), String> {
        match ask.by {
            Connecting::Command(_) => return Ok(()),
            Connecting::Fetch(_) | Connecting::Search(_) => {}
        }
        let same = match decided {
            RuleVerdict::Ask => Some(PermissionRequest::cause(
                &passing.caller.call,
                &digest::digest(passing),
            )),
            RuleVerdict::Allow | RuleVerdict::Deny(_) => None,
        };
        self.withdraw_questions(passing.caller, same.as_ref()).await
    }

    async fn ask_to_connect(
        &self,
        passing: &CheckedCall<'_>,
        ask: &ConnectArgs,
        deadline: Duration,
    ) -> (ConnectVerdict, Option<RequestId>) {
        let digest = digest::digest(passing);
        let question = match self.open_before(passing, &digest) {
            Some(question) => Ok(question),
            None => match self.hooks_refuse_question(passing).await {
                Some(why) => return (ConnectVerdict::Refused(why), None),
                None => self.open(passing, &digest, deadline).await,
            },
        };
        let id = match question {
            Ok(question) => question.id,
            Err(why) => return (ConnectVerdict::Refused(why), None),
        };
        let withdraw = WithdrawOnDrop {
            base: &self.base,
            request: id,
        };
        let state = match &ask.by {
            Connecting::Command(_) => timeout(ANSWERED_WITHIN, self.settled(id)).await,
            Connecting::Fetch(_) | Connecting::Search(_) => {
                Ok(self.settled_meanwhile(passing, id).await)
            }
        };
        let Ok(state) = state else {
            // It stays open for the next try.
            std::mem::forget(withdraw);
            return (ConnectVerdict::Unanswered, None);
        };
        self.show_hooks_settled(passing, id, &state).await;
        let verdict = match state {
            RequestState::Approved(_) => match self.use_grant(passing, id, digest).await {
                Ok(()) => {
                    self.hold_always(id);
                    ConnectVerdict::Allowed(self.reach(ask))
                }
                Err(why) => ConnectVerdict::Refused(why),
            },
            RequestState::Rejected { by, because, .. } if because.is_empty() => {
                ConnectVerdict::Refused(format!("{by} denied it"))
            }
            RequestState::Rejected { by, because, .. } => {
                ConnectVerdict::Refused(format!("{by} denied it ({because})"))
            }
            RequestState::Expired | RequestState::Pending => {
                ConnectVerdict::Refused("nobody answered the question in time".to_owned())
            }
            RequestState::Cancelled { why } => ConnectVerdict::Refused(why),
        };
        (verdict, Some(id))
    }

    /// How a question ends for which the member itself waits.
    async fn settled_meanwhile(&self, passing: &CheckedCall<'_>, id: RequestId) -> RequestState {
        let (member, incarnation) = (passing.caller.name.clone(), passing.caller.incarnation);
        self.base.record_status(Command::Wait {
            member: member.clone(),
            incarnation,
            on: WaitingOn::Permission,
        });
        let state = self.settled(id).await;
        self.base.record_status(Command::StartTurn {
            member,
            incarnation,
        });
        state
    }

    /// The question of an earlier try: open, or answered with a yes that nothing has used.
    fn open_before(&self, passing: &CheckedCall<'_>, digest: &Digest) -> Option<Arc<Request>> {
        let by = Principal::member(&passing.caller.name, passing.caller.incarnation);
        let team = self.base.ledger.team();
        let mut open = team.requests().unresolved_permissions();
        let is_same = |request: &&Arc<Request>| {
            request.from == by
                && request
                    .permission()
                    .is_some_and(|ask| ask.digest == *digest)
        };
        open.find(is_same).cloned()
    }

    fn reach(&self, ask: &ConnectArgs) -> Reach {
        let is_setting = matches!(ask.unlisted, Unlisted::Connect(_));
        if is_setting || self.rules().name_host(ask.by.tool(), &ask.to) {
            Reach::Anywhere
        } else {
            Reach::Public
        }
    }

    fn refuse_to_connect(&self, passing: &CheckedCall<'_>) -> ConnectVerdict {
        let hint = self.headless_hint(passing, passing.tool);
        self.base.feed.emit(
            &passing.caller.name,
            EventKind::PermissionRefused {
                tool: passing.tool.to_owned(),
                shows: passing.action.summary.clone(),
                hint: hint.clone(),
                call: None,
            },
        );
        ConnectVerdict::Refused(format!("nobody can be asked here. {hint}"))
    }
}

/// The action, as the user is shown it.
fn action(ask: &ConnectArgs) -> Action {
    let to = &ask.to;
    let (shows, summary) = match &ask.by {
        Connecting::Command(command) => (
            format!("connect to {to}\nfor the command: {command}"),
            format!("connect to {to}"),
        ),
        Connecting::Fetch(url) => (
            format!("fetch {url}\nfrom {to}"),
            format!("fetch from {to}"),
        ),
        Connecting::Search(query) => (
            format!("search the web at {to}\nfor: {query}"),
            format!("search the web at {to}"),
        ),
    };
    Action {
        target: Target::Host(to.clone()),
        shows,
        summary,
    }
}
