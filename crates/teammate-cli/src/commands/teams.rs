//! `teammate teams`: the teams that you have opened on this machine, and those on servers.

use clap::Args;
use serde_json::{Value, json};
use teammate::{TeamClient, TeamError, platform::now};
use teammate_view::t;
use teammate_view::{Need, need_you};

use super::{
    CliContext, CliResult, SharedOptions, Verb, known_teams::ListedTeam, print_json, print_line,
};
use crate::screen::{Style, ago, clean};

/// List the teams that you have opened on this machine, with what waits for you in each
///
/// The last one comes first. A team whose directory is gone is no longer listed. Where NATS servers are configured, the teams on them
/// follow.
#[derive(Args)]
pub(crate) struct Teams {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Verb for Teams {
    const SHARED: SharedOptions = SharedOptions::Config;

    async fn run(self, place: &CliContext) -> CliResult {
        let mut lines = Vec::new();
        let known = place.known_teams().await;
        known.note_missing();
        for team in &known.teams {
            let looked = place.look_at(team.place.clone()).await?;
            lines.push(TeamRow::of(team, looked));
        }
        if self.json {
            let lines: Vec<Value> = lines.iter().map(TeamRow::json).collect();
            print_json(&json!({ "teams": lines }));
        } else if lines.is_empty() {
            print_line(t("You have opened no team yet"));
        } else {
            let style = Style::for_stdout();
            lines.iter().for_each(|line| print_line(line.text(style)));
        }
        Ok(std::process::ExitCode::SUCCESS)
    }
}

/// A line for somebody who chooses a team: where it is comes last.
pub(super) fn as_choice(
    team: &ListedTeam,
    looked: Result<TeamClient, TeamError>,
    style: Style,
) -> String {
    let line = TeamRow::of(team, looked);
    let (team, opened) = (line.state(style), line.opened(style));
    format!("{team}{opened}  {}", line.team.at())
}

/// A team in the list.
struct TeamRow<'a> {
    team: &'a ListedTeam,
    state: State,
    runs_in: Option<String>,
    is_on_workers: bool,
    /// How much waits for the user.
    needs: usize,
    /// Why nothing is known of it.
    error: Option<String>,
}

enum State {
    Running,
    /// Members stopped in the middle of their turns.
    Paused,
    NotRunning,
    Unusable,
}

impl State {
    fn as_str(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Paused => "paused",
            Self::NotRunning => "not_running",
            Self::Unusable => "unusable",
        }
    }
}

impl<'a> TeamRow<'a> {
    fn of(team: &'a ListedTeam, looked: Result<TeamClient, TeamError>) -> Self {
        let client = match looked {
            Ok(client) => client,
            Err(error) => {
                return Self {
                    team,
                    state: State::Unusable,
                    runs_in: None,
                    is_on_workers: false,
                    needs: 0,
                    error: Some(error.to_string()),
                };
            }
        };
        let state = match (client.host().is_some(), client.is_paused()) {
            (true, _) => State::Running,
            (false, true) => State::Paused,
            (false, false) => State::NotRunning,
        };
        Self {
            team,
            state,
            runs_in: client.host(),
            is_on_workers: client.is_on_workers(),
            needs: Need::of(client.team(), now()).len(),
            error: None,
        }
    }

    fn json(&self) -> Value {
        let (name, state) = (&self.team.name, self.state.as_str());
        let (runs_in, needs, error) = (&self.runs_in, self.needs, &self.error);
        match &self.team.servers {
            None => json!({
                "dir": self.team.place.workspace(),
                "team_name": name,
                "state": state,
                "runs_in": runs_in,
                "needs": needs,
                "opened_at": self.team.opened.map(teammate::Timestamp::as_seconds),
                "error": error,
            }),
            Some(address) => json!({
                "servers": address,
                "team_name": name,
                "state": state,
                "runs_in": runs_in,
                "needs": needs,
                "error": error,
            }),
        }
    }

    /// `/home/me/shop  default  running in process 4711, 2 need you  (opened 3 h ago)`.
    fn text(&self, style: Style) -> String {
        let (state, opened) = (self.state(style), self.opened(style));
        format!("{}  {state}{opened}", self.team.at())
    }

    /// With two blanks before it.
    fn opened(&self, style: Style) -> String {
        let Some(at) = self.team.opened else {
            return String::new();
        };
        let opened = ago(now().millis_since(at) / 1000);
        format!("  {}", style.dim(&t!("(opened {opened})", opened)))
    }

    /// `default  running in process 4711, 2 need you`.
    fn state(&self, style: Style) -> String {
        let state = match (&self.state, &self.runs_in, &self.error) {
            (State::Running, Some(process), _) => match self.is_on_workers {
                true => t!("running on {process}", process),
                false => t!("running in {process}", process),
            },
            (State::Unusable, _, Some(why)) => clean(why).into_owned(),
            (State::Running, None, _) => "running".to_owned(),
            (State::Paused, ..) => "paused".to_owned(),
            (State::NotRunning, ..) => t("not running").to_owned(),
            (State::Unusable, _, None) => t("cannot be used").to_owned(),
        };
        let needs = match self.needs {
            0 => String::new(),
            count => format!(", {}", style.bold(&need_you(count))),
        };
        let name = style.bold(&self.team.name);
        format!("{name}  {state}{needs}")
    }
}
