//! `needs`: what waits for you, ordered by what it holds up.

use clap::Args;
use serde_json::{Value, json};
use teammate::{MemberName, TeamClient, TeamError, platform::now};
use teammate_view::t;
use teammate_view::{
    Fact, Holds, Need, NeedKind, TeamView, Trouble, TroubleKind, screens::past::PastScreen,
};

use super::{
    CliContext, CliResult, SharedOptions, Verb,
    facts::fold_all,
    verb::{OfTeam, TeamVerb, VerbCall, VerbOutput},
};
use crate::screen::{Style, clean_line, deadline_text};

/// List what waits for you: questions, plans, members that failed, tasks that were given up, a goal that was not reached
///
/// What is decided without you within a minute comes first, then what holds up most tasks and members, then the oldest. Below
/// stands what to look at and nobody answers: damaged lines, merge conflicts, calls that say nothing.
#[derive(Args)]
#[command(
    after_help = "Answer a request with `teammate approve ID` or `teammate deny ID`; a member that failed continues with \
                  `teammate send NAME \"go on\"`; a task is opened again with `teammate tasks reopen N`."
)]
pub(crate) struct NeedsList {
    /// Wait until there is something, then list it and exit
    #[arg(long)]
    wait: bool,

    #[command(flatten)]
    list: OfTeam<Needs>,
}

/// The list.
#[derive(Args)]
pub(super) struct Needs {}

impl Verb for NeedsList {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let mut client = place.look().await?;
        if self.wait && of(&client).is_empty() {
            let mut followed = client.follow().await?;
            while of(followed.client()).is_empty() {
                followed.changed().await?;
            }
            client = followed.into_client();
        }
        self.list.run_on(client, place).await
    }
}

impl TeamVerb for Needs {
    const WORD: &str = "/needs";
    const USAGE: &str = "";
    const ABOUT: &str = "what waits for you, by what it holds up";

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
        let client = call.team.look().await?;
        let needs = of(&client);
        let troubles = view(&client).await?.troubles();
        let lines = lines(&client, &needs, &troubles, call.style);
        let json = json!({
            "team_name": client.team().name(),
            "runs_in": client.host(),
            "needs": needs.iter().map(as_json).collect::<Vec<_>>(),
            "look": troubles.iter().map(trouble_as_json).collect::<Vec<_>>(),
        });
        VerbOutput::of(json, lines)
    }
}

/// A line for each, or that there is nothing, and below them what to look at.
fn lines(client: &TeamClient, needs: &[Need], troubles: &[Trouble], style: Style) -> Vec<String> {
    let mut lines: Vec<String> = needs.iter().map(|need| as_text(need, style)).collect();
    if lines.is_empty() {
        lines.push(t("Nothing waits for you").to_owned());
    }
    if !troubles.is_empty() {
        lines.push(format!("{}:", t(PastScreen::TROUBLES)));
    }
    let sentence = |trouble: &Trouble| clean_line(&trouble.in_a_sentence(now()));
    lines.extend(troubles.iter().map(sentence));
    let held = super::held::sentence(client);
    lines.extend(held.map(|held| t!("Look: {held}; see `teammate held`", held)));
    lines
}

/// Everything that is known of the team, now.
pub(super) async fn view(client: &TeamClient) -> Result<TeamView, TeamError> {
    let mut view = fold_all(&mut client.history()).await?;
    let pid = view.run().and_then(|run| run.pid);
    // A process that ended without a word leaves calls that seem to run.
    let ended = pid.filter(|_| client.host().is_none());
    let ended = ended.map(|pid| Fact::HostEnded { pid });
    let facts = ended.into_iter().chain([Fact::Clock(now())]);
    facts.for_each(|fact| view.apply(&fact));
    Ok(view)
}

fn of(client: &TeamClient) -> Vec<Need> {
    Need::grouped(client.team(), now())
}

fn as_json(need: &Need) -> Value {
    json!({
        "kind": need.kind.as_str(),
        "id": need.kind.id(),
        "member": need.member,
        "about": need.about,
        "holds": {
            "tasks": need.holds.tasks,
            "members": need.holds.members,
        },
        "since_at": need.since.map(teammate::Timestamp::as_seconds),
        "deadline_at": need.deadline.map(teammate::Timestamp::as_seconds),
        "notifies": need.notifies,
        "alike": need.alike.iter().map(|other| other.kind.id()).collect::<Vec<_>>(),
    })
}

fn trouble_as_json(trouble: &Trouble) -> Value {
    let (worktree, call) = match &trouble.kind {
        TroubleKind::DamagedLines => (None, None),
        TroubleKind::MergeConflict { worktree } => (Some(worktree), None),
        TroubleKind::SilentCall(call) => (None, Some(call)),
    };
    json!({
        "kind": trouble.kind.as_str(),
        "member": trouble.member,
        "about": trouble.about,
        "worktree": worktree,
        "call": call,
        "since_at": trouble.since.as_seconds(),
    })
}

/// `req_000003  alice asks: bash cargo test  (holds up #4, #7; alice and bob wait; no in 9 min)`.
fn as_text(need: &Need, style: Style) -> String {
    let word = &need.word();
    let what = match &need.kind {
        NeedKind::FailedMember(_) | NeedKind::FailedTask(_) | NeedKind::MissedGoal(_) => {
            style.bad(word)
        }
        NeedKind::Permission(_)
        | NeedKind::Plan(_)
        | NeedKind::LimitedMember(_)
        | NeedKind::UnplacedMember(_) => word.clone().into_owned(),
    };
    let asker = need.asker().map(|who| style.name(&who) + " ");
    let mut rest = held_up(&need.holds, need.member.as_ref());
    rest.extend(need.deadline.map(|deadline| deadline_text(deadline, now())));
    let rest = match rest.is_empty() {
        true => String::new(),
        false => style.dim(&format!("  ({})", rest.join("; "))),
    };
    format!(
        "{}  {}{what}: {}{rest}",
        style.bold(&need.kind.id()),
        asker.unwrap_or_default(),
        clean_line(need.subject())
    )
}

/// Members and tasks that wait for the answer, beside the member that it is about.
fn held_up(holds: &Holds, about: Option<&MemberName>) -> Vec<String> {
    let tasks: Vec<String> = holds.tasks.iter().map(ToString::to_string).collect();
    let others = holds.members.iter().filter(|name| Some(*name) != about);
    let others: Vec<&str> = others.map(MemberName::as_str).collect();
    let mut words = Vec::new();
    if !tasks.is_empty() {
        words.push(t!("holds up {what}", what = tasks.join(", ")));
    }
    match others[..] {
        [] => {}
        [one] => words.push(t!("{one} waits", one)),
        [..] => words.push(t!("{all} wait", all = others.join(", "))),
    }
    words
}
