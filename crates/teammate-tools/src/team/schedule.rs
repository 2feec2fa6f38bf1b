//! `schedule`: work at a time, for the lead, where the user lets schedules fire.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    MemberName,
    fence::escaped_line,
    port::{Action, ScheduleAsk, ToolContext},
    team::{MissedRuns, ScheduleId, ScheduledWork},
    tool::{EffectClass, Outcome},
};

use crate::{
    display::one_line,
    typed_tool::{Reply, TypedTool, done, team_action},
};

pub(crate) struct ScheduleWork;

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum What {
    Add,
    List,
    Remove,
    Pause,
    Resume,
}

#[derive(Deserialize, JsonSchema)]
pub(crate) struct Input {
    action: What,
    /// Cron (`0 9 * * mon-fri`) or a moment (`2026-11-26 09:00`).
    #[serde(default)]
    when: Option<String>,
    /// A task for the board.
    #[serde(default)]
    task: Option<String>,
    /// Or a message, to you unless `to` is set.
    #[serde(default)]
    say: Option<String>,
    #[serde(default)]
    to: Option<String>,
    /// Leave out what is missed while no team runs; else one run makes up for it.
    #[serde(default)]
    skip_missed: bool,
    /// As `s1`.
    #[serde(default)]
    id: Option<String>,
}

impl Input {
    fn ask(&self) -> Result<ScheduleAsk, Outcome> {
        match self.action {
            What::List => Ok(ScheduleAsk::List),
            What::Add => Ok(ScheduleAsk::Add {
                when: self.when.clone().ok_or_else(|| missing("when"))?,
                work: self.work()?,
                missed: match self.skip_missed {
                    true => MissedRuns::Skip,
                    false => MissedRuns::RunOnce,
                },
            }),
            What::Remove => Ok(ScheduleAsk::Remove(self.id()?)),
            What::Pause => Ok(ScheduleAsk::Pause(self.id()?)),
            What::Resume => Ok(ScheduleAsk::Resume(self.id()?)),
        }
    }

    fn work(&self) -> Result<ScheduledWork, Outcome> {
        match (&self.task, &self.say) {
            (Some(subject), None) => Ok(ScheduledWork::Task {
                subject: subject.clone(),
                description: String::new(),
            }),
            (None, Some(text)) => {
                let to = self.to.as_deref().unwrap_or("lead");
                let to = MemberName::parse(to)
                    .map_err(|why| Outcome::error(format!("Not scheduled: {why}.")))?;
                Ok(ScheduledWork::Say {
                    to,
                    text: text.clone(),
                })
            }
            (Some(_), Some(_)) | (None, None) => Err(Outcome::error(
                "Not scheduled: give either a task or a message to say.",
            )),
        }
    }

    fn id(&self) -> Result<ScheduleId, Outcome> {
        let id = self.id.as_deref().ok_or_else(|| missing("id"))?;
        ScheduleId::parse(id)
            .ok_or_else(|| Outcome::error("Nothing was changed: ids of schedules look like s1."))
    }
}

impl TypedTool for ScheduleWork {
    type Input = Input;
    const NAME: &'static str = "schedule";
    const DESCRIPTION: &'static str = "Have a task put on the board or something said at a time, once or again and \
        again, while the team runs.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let shows = match input.ask()? {
            ScheduleAsk::List => "list schedules".to_owned(),
            ScheduleAsk::Add { when, work, .. } => {
                format!("schedule {when}: {}", work.describe())
            }
            ScheduleAsk::Remove(id) => format!("remove schedule {id}"),
            ScheduleAsk::Pause(id) => format!("pause schedule {id}"),
            ScheduleAsk::Resume(id) => format!("resume schedule {id}"),
        };
        let summary = one_line(&shows, 100);
        Ok(team_action(shows, summary))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let lines = context.team.schedule(input.ask()?).await?;
        if lines.is_empty() {
            return done("No schedules.");
        }
        let lines: Vec<String> = lines.iter().map(|line| escaped_line(line)).collect();
        done(lines.join("\n"))
    }
}

fn missing(argument: &str) -> Outcome {
    Outcome::error(format!("Nothing was done: {argument} is missing."))
}
