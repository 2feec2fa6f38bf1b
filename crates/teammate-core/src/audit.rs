//! The entries of the audit log, for those who want to know later who allowed what. `docs/audit.md` describes them; a golden
//! file holds their form.

use serde::{Deserialize, Serialize};

use crate::{
    MemberName, Timestamp,
    digest::Digest,
    id::{JobId, RequestId},
    mode::Mode,
    request::{Answer, Principal, Request},
    status::{JobEnd, RequestKind},
};

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// When, in milliseconds since the epoch.
    pub at: Timestamp,
    /// The process that wrote it.
    pub pid: u32,
    /// Whose action it is about; nobody's if it is about the team.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<MemberName>,
    #[serde(flatten)]
    pub what: AuditEvent,
}

/// An event that the audit log records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum AuditEvent {
    /// A program opened the team.
    Opened {
        version: String,
        workspace: String,
        /// The highest permission mode.
        mode: Mode,
        /// How commands are held, in words.
        sandbox: String,
        /// The policy of the machine, if it has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        policy: Option<String>,
    },
    Closed,
    /// A call may run that writes, runs or calls something. Written before it begins.
    Allowed {
        #[serde(flatten)]
        action: AuditedAction,
        /// The rule, answer or mode that allowed it.
        #[serde(flatten)]
        by: AllowedBy,
    },
    /// Such a call may not run.
    Refused {
        #[serde(flatten)]
        action: AuditedAction,
        /// The reason that its member reads.
        why: String,
    },
    /// A hook refused something, or held a turn back.
    HookRefused {
        /// The event: `PreToolUse`, `TaskCompleted` ...
        hook: String,
        /// The text that was shown for it.
        shows: String,
        /// Which hooks, and why.
        why: String,
    },
    /// A call that was allowed has ended.
    Ended {
        /// Which, as of [`AuditedAction::call`].
        call: String,
        tool: String,
        /// Whether it worked.
        ok: bool,
        /// The exit status of the command, if one ran to its end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit: Option<i32>,
        /// How long it took.
        took_ms: u64,
    },
    /// A command in the background has ended.
    JobEnded {
        job: JobId,
        /// A title of one line.
        title: String,
        /// The exit status of the command, if it ran to its end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit: Option<i32>,
        /// How it ended.
        #[serde(flatten)]
        end: JobEnd,
    },
    /// A request was answered: a question for permission, a plan, a shutdown.
    Answered {
        request: RequestId,
        kind: RequestKind,
        shows: String,
        /// The digest of the exact action that the answer is bound to, if it is to one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        digest: Option<Digest>,
        yes: bool,
        /// Whether the same is allowed from now on.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        always: bool,
        /// The rule that is written for that. Records of older versions do not say it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<String>,
        by: Principal,
        surface: Surface,
    },
    /// The user chose another permission mode, which holds until the team is closed.
    ModeChosen {
        mode: Mode,
        before: Mode,
    },
    /// The user trusted what a repository brings.
    Trusted {
        what: String,
    },
    /// Files were removed because they were old.
    Purged {
        /// How many of what, in words.
        what: String,
    },
}

impl AuditEvent {
    /// A request that was answered by this.
    pub fn answered(request: &Request, by: Principal, answer: &Answer, surface: Surface) -> Self {
        let (yes, always) = match answer {
            Answer::Approve { always, .. } => (true, *always),
            Answer::Reject { .. } => (false, None),
        };
        let rules = request.permission().map(|ask| &ask.rules);
        let rule = rules.and_then(|rules| rules.of(always?));
        Self::Answered {
            request: request.id,
            kind: request.request_kind(),
            shows: request.shows(),
            digest: request.permission().map(|ask| ask.digest.clone()),
            yes,
            always: always.is_some(),
            rule: rule.map(str::to_owned),
            by,
            surface,
        }
    }
}

/// A call that wanted to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditedAction {
    /// Which call: the member, its incarnation and turn, and the call in it.
    pub call: String,
    /// The tool; `net` is a connection of a command, `web_fetch` one for a page.
    pub tool: String,
    /// The whole action, as a person is shown it.
    pub shows: String,
    /// Where it runs.
    pub place: String,
    /// The digest that a yes to it is bound to.
    pub digest: Digest,
}

/// The rule, answer or mode that allowed a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum AllowedBy {
    Mode {
        mode: Mode,
    },
    /// Rules, all of which were needed, with their origins.
    Rules {
        /// In words: `the user's rule 'bash(git status:*)'`.
        rules: Vec<String>,
    },
    /// The answer to a question; [`AuditEvent::Answered`] says whose and from where.
    Answer {
        request: RequestId,
    },
    /// A setting of the user's, which no rule denies.
    Setting {
        /// Which: `[web_search]`.
        setting: String,
    },
}

/// From where an answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Surface {
    /// The program that runs the team: its prompt, or its code.
    Host,
    /// Another process of the user.
    OtherProcess,
    /// A client of the team's MCP server, which the user lets answer.
    McpClient,
    /// A member's tool.
    Tool,
}
