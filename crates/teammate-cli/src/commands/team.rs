//! `teammate team`: the roster.

mod activity;

use std::io::IsTerminal as _;
use teammate_view::t;

use clap::Args;
use serde_json::{Value, json};
use teammate::{Member, TeamClient, json::request_json, platform::now, with_thousands};

use teammate_view::{TeamCounts, all_tokens};

use self::activity::RunningTools;
use super::{
    CliContext, CliResult, SharedOptions, Verb, needs::view, print_in_place, print_json, print_line,
};
use crate::screen::{Local, Style, clean, clean_line, in_progress_text, job_line, request_lines};

/// Show the members and what each one is doing
#[derive(Args)]
pub(crate) struct Team {
    /// Print JSON
    #[arg(long)]
    json: bool,

    /// List all teams in the directory, and those on the NATS servers that are configured
    #[arg(long)]
    all: bool,

    /// Keep running and show the team again at each change: in place at a terminal, otherwise one block for each change
    #[arg(short, long, conflicts_with = "all")]
    watch: bool,
}

impl Verb for Team {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    fn finds_team(&self) -> bool {
        !self.all
    }

    async fn run(self, place: &CliContext) -> CliResult {
        if self.all {
            return all(place, self.json).await;
        }
        let client = place.look().await?;
        let form = match (self.json, self.watch && std::io::stdout().is_terminal()) {
            (true, _) => Form::Json,
            (false, true) => Form::InPlace,
            (false, false) => Form::Lines,
        };
        if self.watch {
            return watch(place, client, form).await;
        }
        show(place, &client, form).await?;
        Ok(std::process::ExitCode::SUCCESS)
    }
}

/// How the team is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Lines,
    /// In place of what the terminal shows.
    InPlace,
    Json,
}

async fn show(place: &CliContext, client: &TeamClient, form: Form) -> anyhow::Result<()> {
    let activity = RunningTools::of(place, client).await;
    match form {
        Form::Json => print_json(&json_of(client, &activity).await?),
        Form::Lines => print_line(lines_of(client, &activity).await?.join("\n")),
        Form::InPlace => print_in_place(&lines_of(client, &activity).await?.join("\n")),
    }
    Ok(())
}

/// Shows it at each change of its files, until the program is interrupted.
async fn watch(place: &CliContext, client: TeamClient, form: Form) -> CliResult {
    let mut team = client.follow().await?;
    loop {
        show(place, team.client(), form).await?;
        team.changed().await?;
        if form == Form::Lines {
            print_line("");
        }
    }
}

/// All teams of the directory and on servers. One that cannot be opened is listed with the reason.
async fn all(place: &CliContext, as_json: bool) -> CliResult {
    let known = place.teams_here().await;
    known.note_missing();
    let mut lines = Vec::new();
    for team in known.teams {
        let (state, members) = match place.look_at(team.place.clone()).await? {
            Ok(client) => (runs(&client), Some(client.team().members().count())),
            Err(error) => (error.to_string(), None),
        };
        let name = &team.name;
        if as_json {
            let mut line = json!({ "team_name": name, "state": state, "members": members });
            if let Some(address) = &team.servers {
                line["servers"] = json!(address);
            }
            lines.push(line);
            continue;
        }
        let members = match members {
            None => String::new(),
            Some(1) => t(", 1 member").to_owned(),
            Some(count) => t!(", {count} members", count),
        };
        let at = match &team.servers {
            None => String::new(),
            Some(address) => t!(", on {address}", address),
        };
        print_line(format!("{name}: {}{members}{}", clean(&state), clean(&at)));
    }
    if as_json {
        print_json(&json!({ "teams": lines }));
    }
    Ok(std::process::ExitCode::SUCCESS)
}

fn runs(client: &TeamClient) -> String {
    match client.host() {
        None => t("not running").to_owned(),
        Some(workers) if client.is_on_workers() => t!("running on {workers}", workers),
        Some(process) => t!("running in {process}", process),
    }
}

async fn json_of(client: &TeamClient, activity: &RunningTools) -> anyhow::Result<Value> {
    let mut members = Vec::new();
    for member in client.team().members() {
        let used = client.team().spending().member(&member.name).sum();
        let tool = activity.tool(member);
        let mut shown = json!({
            "name": member.name,
            "role": member.role,
            "status": client.status(&member.phase),
            "phase": client.describe(member),
            "incarnation": member.incarnation,
            "team": member.options.group,
            "agent": member.options.agent,
            "engine": member.options.engine,
            "doing": client.doing(member),
            "tool": tool.map(|tool| json!({ "name": tool.name, "since_at": tool.since.as_seconds(), "progress": tool.progress })),
            "model": client.team().model_of(member),
            "tokens_in": used.known(used.input()),
            "tokens_out": used.known(used.usage.output),
            "tokens_estimated": used.usage.estimated,
            "plan": member.gate.as_str(),
            "task": client.board().task_of(&member.name).map(|task| task.id),
            "jobs": client.jobs(&member.name).map(|job| json!({
                "id": job.id,
                "title": job.title,
                "started_at": job.started,
            })).collect::<Vec<_>>(),
            "unread": client.inbox(&member.name).await?.len(),
        });
        if let Some(worker) = client.worker_of(&member.name) {
            shown["worker"] = worker.as_str().into();
        }
        members.push(shown);
    }
    let mut shown = json!({
        "team_name": client.team().name(),
        "runs_in": client.host(),
        "counts": view(client).await?.counts(),
        "members": members,
        "requests": client.requests().iter().map(|request| request_json(request)).collect::<Vec<_>>(),
    });
    if let Some(pause) = client.team().pause() {
        shown["paused"] = json!({ "since_at": pause.since, "device": pause.device });
    }
    Ok(shown)
}

async fn lines_of(client: &TeamClient, activity: &RunningTools) -> anyhow::Result<Vec<String>> {
    let style = Style::for_stdout();
    let mut runs = runs(client);
    if client.is_paused() {
        runs.push_str(t("; `teammate resume` continues"));
    }
    let name = client.team().name();
    let counts = counts_line(&view(client).await?.counts());
    let mut lines = vec![
        t!("Team '{name}', {runs}", name, runs = style.dim(&runs)),
        counts,
    ];
    lines.extend(client.team().pause().map(|pause| {
        t!(
            "The team is {words} since {since}; `teammate continue` has it go on",
            words = pause.in_words(),
            since = Local::at(pause.since)
        )
    }));
    let names = client.team().members().map(|m| m.name.as_str().len());
    let wide = names.max().unwrap_or(0);
    for member in client.team().members() {
        lines.push(member_line(client, member, activity, wide).await?);
        lines.extend(client.jobs(&member.name).map(job_line));
    }
    if client.board().progress().total() > 0 {
        lines.push(t!("Tasks: {tasks}", tasks = client.board().summary_line()));
    }
    let requests = client.requests();
    if !requests.is_empty() {
        lines.push(t("Requests:").to_owned());
    }
    lines.extend(request_lines(&requests, now(), style));
    let damaged = client.damaged().iter();
    lines.extend(damaged.map(|line| format!("{} {}", style.bad(t("damaged:")), clean(line))));
    let uncounted = client.uncounted().iter();
    lines.extend(uncounted.map(|line| format!("{} {}", style.bad(t("uncounted:")), clean(line))));
    Ok(lines)
}

/// `Members: 6, 1 works, 4 wait for you`, the same numbers as in every heading.
pub(super) fn counts_line(counts: &TeamCounts) -> String {
    t!(
        "Members: {count}, {words}",
        count = counts.members,
        words = counts.in_words(t("you"))
    )
}

/// A row: who, what it does, for what, and what waits for it.
async fn member_line(
    client: &TeamClient,
    member: &Member,
    activity: &RunningTools,
    wide: usize,
) -> anyhow::Result<String> {
    let unread = match client.inbox(&member.name).await?.len() {
        0 => String::new(),
        count => t!(", {count} unread", count),
    };
    let team = match &member.options.group {
        Some(team) => t!(", team {team}", team),
        None => String::new(),
    };
    let worker = client.worker_of(&member.name);
    let worker = worker.map_or_else(String::new, |worker| t!(", on worker {worker}", worker));
    let doing = client
        .doing(member)
        .map(|doing| format!(": {}", clean(doing)));
    Ok(format!(
        "  {}{}  {}{} ({}{team}{worker}){}{unread}{}",
        Style::for_stdout().name(member.name.as_str()),
        " ".repeat(wide - member.name.as_str().len()),
        clean(&client.describe(member)),
        doing.unwrap_or_default(),
        clean(&member.role_and_engine()),
        in_progress_text(client.board(), &member.name),
        under_way(client, member, activity),
    ))
}

/// The call that a member in a turn runs, its model, and the tokens of this turn.
fn under_way(client: &TeamClient, member: &Member, activity: &RunningTools) -> String {
    if client.host().is_none() || !member.phase.is_busy() {
        return String::new();
    }
    let tool = activity.tool(member).map(|tool| {
        let seconds = now().millis_since(tool.since) / 1000;
        let progress = tool.progress.as_ref();
        let progress = progress.map_or_else(String::new, |text| format!(" ({})", clean_line(text)));
        t!(
            "{what} for {seconds} s{progress}",
            what = clean_line(&tool.name),
            seconds,
            progress
        )
    });
    let model = client.team().model_of(member).map(ToString::to_string);
    let used = client.team().spending().member(&member.name).sum();
    let tokens = (used.requests > 0).then(|| all_tokens(&used, with_thousands));
    let model = model.map(|model| clean_line(&model));
    let words: Vec<String> = tool.into_iter().chain(model).chain(tokens).collect();
    let rest = format!("; {}", words.join(", "));
    match words.is_empty() {
        true => String::new(),
        false => Style::for_stdout().dim(&rest),
    }
}
