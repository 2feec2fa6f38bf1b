//! How what happened is said in a line: the same words in plain lines, in the log and in the full screen. Who it is about stands
//! before the line, which each face adds; where a question is answered, and how, is for each face to say. The lines are clean.

use crate::language::translated_sentence;
use crate::t;
use teammate_core::{
    Sender,
    board::{TaskEvent, TaskId},
    event::Compaction,
    model::ModelRef,
    name::{AGENT_PROVIDER, DeviceName},
    permission::Breadth,
    request::{Answer, Request, RequestId, RequestKind, RequestStateKind},
    team::{JobEnd, JobId},
    transcript::EndReason,
};

use crate::{
    clean::clean_line,
    text::{TextLine, TextRole},
};

/// A line that begins with a word that stands out. The rest is what members and models wrote, too.
fn marked(mark: &str, role: TextRole, rest: &str) -> TextLine {
    let mut line = TextLine::of(clean_line(mark), role);
    line.push(&clean_line(rest), TextRole::Plain);
    line
}

/// A line in which nothing stands out.
pub(crate) fn plain(text: &str) -> TextLine {
    TextLine::of(clean_line(text), TextRole::Plain)
}

/// The name of a sender. `user` is what the reader calls the user: "you" on the user's own screens.
pub fn sender_name(sender: &Sender, user: &str) -> String {
    match sender {
        Sender::User => user.to_owned(),
        Sender::System => t("the team").to_owned(),
        Sender::Member(name) => name.to_string(),
        Sender::Unverified(_) => t!("{sender} (unverified)", sender),
    }
}

/// A member was spawned or woken.
pub(crate) fn member_began(role: &str, woken: bool) -> TextLine {
    let word = if woken { t("woken") } else { t("spawned") };
    plain(&format!("{word} ({role})"))
}

/// The role of a member, and the external agent that answers it if one does.
pub(crate) fn member_role(role: &str, model: Option<&ModelRef>) -> String {
    match model.filter(|model| model.provider == AGENT_PROVIDER) {
        Some(agent) => t!("{role}, by {name}", role, name = agent.name),
        None => role.to_owned(),
    }
}

/// A member's loop ended.
pub(crate) fn member_stopped(how: &str) -> TextLine {
    plain(&t!("stopped: {how}", how = translated_sentence(how)))
}

pub(crate) fn turn_ended(why: &EndReason, result: &str) -> TextLine {
    match why {
        EndReason::Done => marked(t("done:"), TextRole::Good, &format!(" {result}")),
        EndReason::Interrupted => plain(t("interrupted; send it a message to continue")),
        EndReason::Failed { what } => marked(t("failed:"), TextRole::Bad, &format!(" {what}")),
        EndReason::Limit { what } => plain(&translated_sentence(what)),
        EndReason::Waiting { what } => {
            plain(&t!("waits for {what}", what = translated_sentence(what)))
        }
    }
}

/// A request failed and is sent again.
pub(crate) fn model_retries(why: &str, after_ms: u64, attempt: u32) -> TextLine {
    let when = match after_ms {
        0 => t("when others are through").to_owned(),
        pause => format!("in {:.1} s", (pause as f64 / 1000.0).max(0.1)),
    };
    plain(&t!("{why}; try {attempt} {when}", why, attempt, when))
}

/// A member goes on with another model.
pub(crate) fn model_changed(from: &str, to: &str, why: &str) -> TextLine {
    let text = t!("goes on with {to} instead of {from}: {why}", to, from, why);
    marked(&text, TextRole::Strong, "")
}

/// A conversation was made shorter, or could not be.
pub(crate) fn conversation_compacted(how: Compaction, before: u64, after: u64) -> TextLine {
    let text = match how {
        Compaction::Shortened => {
            t!(
                "context about {before} -> about {after} tokens: old tool outputs shortened",
                before,
                after
            )
        }
        Compaction::Summarized => {
            t!(
                "context about {before} -> about {after} tokens: conversation summarized",
                before,
                after
            )
        }
        Compaction::Failed => {
            t("compaction failed: the model returned no usable summary; nothing is lost").to_owned()
        }
    };
    marked(&text, TextRole::Dim, "")
}

/// Whether what a tool does has an event of its own, which says more: mail with its recipient, changes of tasks. Only failures of
/// its calls are worth a line.
pub(crate) fn has_own_event(tool: &str) -> bool {
    matches!(
        tool,
        "send_message"
            | "broadcast"
            | "create_task"
            | "claim_task"
            | "complete_task"
            | "update_task"
    )
}

pub(crate) fn call_started(tool: &str, summary: &str) -> TextLine {
    plain(&format!("{tool}: {summary}"))
}

pub(crate) fn call_failed(tool: &str, summary: &str) -> TextLine {
    marked(t("failed"), TextRole::Bad, &format!(" {tool}: {summary}"))
}

/// A call did not run: its first words say who or what refused it.
pub(crate) fn call_refused(tool: &str, summary: &str) -> TextLine {
    marked(t("refused"), TextRole::Bad, &format!(" {tool}: {summary}"))
}

pub(crate) fn subagent_began(title: &str) -> TextLine {
    plain(&t!("begins: {title}", title))
}

pub(crate) fn subagent_ended(ok: bool, summary: &str) -> TextLine {
    let (word, role) = match ok {
        true => (t("done:"), TextRole::Good),
        false => (t("failed:"), TextRole::Bad),
    };
    marked(word, role, &format!(" {summary}"))
}

pub(crate) fn job_started(job: JobId, title: &str) -> TextLine {
    plain(&t!("{job} in the background: {title}", job, title))
}

pub(crate) fn job_ended(job: JobId, title: &str, end: &JobEnd) -> TextLine {
    let role = match end {
        JobEnd::Done => TextRole::Good,
        JobEnd::Failed | JobEnd::Lost => TextRole::Bad,
        JobEnd::Stopped { .. } => TextRole::Plain,
    };
    marked(t(&end.to_string()), role, &format!(" {job}: {title}"))
}

/// The receipt for the user's answer: `denied: req_000002, run rm -rf build`. It begins with the answer, so that a refusal cannot be
/// taken for anything else where the line is cut. `besides` is how many other questions it settled, too: `allowed from now on:
/// req_000002 and 98 more, run git status`.
pub fn answer_receipt(request: &Request, answer: &Answer, besides: usize) -> String {
    let is_plan = request.plan().is_some();
    let word = match answer {
        Answer::Approve { .. } if is_plan => t("approved"),
        Answer::Approve { always: None, .. } => t("allowed once"),
        Answer::Approve {
            always: Some(breadth),
            ..
        } => match breadth {
            Breadth::Exact => t("allowed from now on"),
            Breadth::Prefix => t("allowed with this prefix from now on"),
            Breadth::Tool => t("this tool allowed until the team is closed"),
        },
        Answer::Reject { .. } if is_plan => t("rejected"),
        Answer::Reject { .. } => t("denied"),
    };
    let more = and_more(besides);
    clean_line(&format!(
        "{word}: {}{more}, {}",
        request.id,
        request.summary()
    ))
}

/// How a question ended that was not answered here: `denied: req_000002, run rm -rf build (rejected by the user)`.
pub fn settled_receipt(request: &Request) -> String {
    let word = match request.state.kind() {
        RequestStateKind::Pending => t("waits"),
        RequestStateKind::Approved => t("allowed"),
        RequestStateKind::Rejected => t("denied"),
        RequestStateKind::Expired => t("expired"),
        RequestStateKind::Cancelled => t("withdrawn"),
    };
    let (id, about, how) = (request.id, request.summary(), request.describe());
    let how = translated_sentence(&how);
    clean_line(&format!("{word}: {id}, {about} ({how})"))
}

/// How many others there are besides one that is named; nothing of none.
pub(crate) fn and_more(besides: usize) -> String {
    match besides {
        0 => String::new(),
        besides => t!(" and {besides} more", besides),
    }
}

/// A permission question, where its whole text is shown elsewhere.
pub(crate) fn asks_permission(question: u64, tool: &str) -> TextLine {
    let id = RequestId::new(question);
    plain(&t!("asks for permission: {tool} ({id})", tool, id))
}

/// Who answered, in a word or two: `user`, `user on phone`.
pub(crate) fn answered_by(by: &str, device: Option<&DeviceName>) -> String {
    device.map_or_else(|| by.to_owned(), |device| format!("{by} on {device}"))
}

/// How a permission question ended, and what it was about where that is known.
pub(crate) fn question_answered(
    question: u64,
    allowed: bool,
    by: &str,
    about: Option<&str>,
) -> TextLine {
    let id = RequestId::new(question);
    let about = about.map_or_else(String::new, |about| format!(": {about}"));
    plain(&match (allowed, by) {
        (true, by) => t!("allowed ({by}, {id}){about}", by, id, about),
        (false, "nobody") => t!("question withdrawn ({id}){about}", id, about),
        (false, by) => t!("denied ({by}, {id}){about}", by, id, about),
    })
}

/// A call was refused because nobody could be asked.
pub(crate) fn question_refused(tool: &str, shows: &str, hint: &str) -> TextLine {
    marked(
        t("refused"),
        TextRole::Bad,
        &format!(" {tool}: {shows}. {hint}"),
    )
}

/// A request that is not a permission question.
pub(crate) fn request_opened(
    request: RequestId,
    kind: RequestKind,
    to: &str,
    shows: &str,
) -> TextLine {
    let first = shows.lines().find(|line| !line.trim().is_empty());
    let first = first.unwrap_or_default();
    let rest = match kind {
        RequestKind::Shutdown => t!(" asks: {first}", first),
        RequestKind::Plan => t!(" submits a plan to {to}: {first}", to, first),
        RequestKind::Permission => t!(" asks {to}: {first}", to, first),
    };
    marked(&request.to_string(), TextRole::Dim, &rest)
}

/// How a request ended.
pub(crate) fn request_settled(
    request: RequestId,
    kind: RequestKind,
    state: RequestStateKind,
    how: &str,
) -> TextLine {
    // A member that was stopped without its agreement: the rest says that, and nothing has expired for the user.
    let what = match (kind, state) {
        (RequestKind::Shutdown, RequestStateKind::Expired) => format!("{request} {kind}"),
        _ => format!("{request} {} {}", t(&kind.to_string()), t(state.as_str())),
    };
    let role = match state {
        RequestStateKind::Approved => TextRole::Good,
        RequestStateKind::Rejected | RequestStateKind::Expired => TextRole::Bad,
        RequestStateKind::Pending | RequestStateKind::Cancelled => TextRole::Plain,
    };
    let rest = how.strip_prefix(state.as_str()).unwrap_or_default();
    let said = translated_sentence(how);
    let rest = match said == how {
        true => rest.to_owned(),
        false => format!(" ({said})"),
    };
    marked(&what, role, &rest)
}

/// The change of a task, in a few words; nothing, if it is not worth a line.
pub(crate) fn task_changed(id: TaskId, subject: &str, change: &TaskEvent) -> Option<TextLine> {
    let good = |word, rest: &str| marked(word, TextRole::Good, rest);
    let bad = |word, rest: &str| marked(word, TextRole::Bad, rest);
    Some(match change {
        TaskEvent::Created { blocked_by, .. } => match blocked_by.is_empty() {
            true => plain(&t!("created {id}: {subject}", id, subject)),
            false => {
                let after: Vec<String> = blocked_by.iter().map(ToString::to_string).collect();
                plain(&t!(
                    "created {id} (after {after}): {subject}",
                    id,
                    after = after.join(", "),
                    subject
                ))
            }
        },
        TaskEvent::Assigned { to, .. } => {
            plain(&t!("assigned {id} to {to}: {subject}", id, to, subject))
        }
        TaskEvent::Claimed { .. } => plain(&t!("claimed {id}: {subject}", id, subject)),
        TaskEvent::CheckFailed { .. } => bad(
            t("failed"),
            &t!(" the check of {id}: {subject}", id, subject),
        ),
        TaskEvent::Released { why, .. } => {
            plain(&t!("gave back {id} ({why}): {subject}", id, why, subject))
        }
        TaskEvent::Completed { result, .. } if result.is_empty() => {
            good(t("completed"), &format!(" {id}: {subject}"))
        }
        TaskEvent::Completed { result, .. } => {
            good(t("completed"), &format!(" {id}: {subject}: {result}"))
        }
        TaskEvent::Failed { why, .. } => bad(t("failed"), &format!(" {id}: {subject}: {why}")),
        TaskEvent::Reopened { .. } => plain(&t!("reopened {id}: {subject}", id, subject)),
        TaskEvent::Deleted { .. } => plain(&t!("deleted {id}: {subject}", id, subject)),
        TaskEvent::Edited { .. } | TaskEvent::Renewed { .. } | TaskEvent::Nudged => return None,
    })
}

/// The change of a task in a member's story, which leaves out no change, and where it stands also if somebody else made it.
pub(crate) fn task_in_story(id: TaskId, subject: &str, change: &TaskEvent) -> TextLine {
    let Some(text) = task_changed(id, subject, change) else {
        return plain(&format!(
            "{id} {subject}: {}",
            translated_sentence(&change.describe())
        ));
    };
    match change.by() {
        Some(Sender::Member(_)) | None => text,
        Some(by @ (Sender::User | Sender::System | Sender::Unverified(_))) => {
            let mut line = plain(&format!("{by}: "));
            line.extend(&text.spans);
            line
        }
    }
}
