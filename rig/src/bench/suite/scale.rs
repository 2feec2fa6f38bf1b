//! Large teams: long journals, boards, transcripts and inboxes, and many members at work. Each row is one run of the program;
//! what the same run costs with a small team is next to it.

mod crowd;
mod fixture;
mod past;

use serde_json::json;

use self::fixture::Team;
use super::{
    Effort, Measured,
    program::Cost,
    row::{Row, Target},
    sample::ms,
};

/// A file of a team, and what opening the team then costs.
struct Opened {
    what: String,
    /// The size of the file.
    bytes: u64,
    cost: Cost,
    seconds_max: Target,
    /// The most memory that may be taken for each byte of the file.
    memory_max: Target,
}

pub(super) fn measure(effort: Effort) -> Measured {
    let small = Team::new()?.run()?;
    let mut rows = vec![
        Row::new(
            "scale: a small team, opened and run for one turn",
            "ms",
            Target::Nothing,
            ms(small.wall),
        )
        .note(format!("peak memory {:.1} MB", small.peak_mb)),
    ];
    for opened in [
        journal(effort)?,
        conversation(effort)?,
        transcript(effort)?,
        inbox(effort.times(200_000, 20_000), 1_000)?,
        inbox(effort.times(1_000_000, 100_000), 50)?,
    ] {
        rows.extend(opened.rows(small));
    }
    rows.extend(board(effort)?);
    rows.extend(crowd::measure(effort)?);
    Ok(rows)
}

impl Opened {
    fn rows(&self, small: Cost) -> [Row; 2] {
        let size = self.bytes as f64 / 1e6;
        let memory = self.cost.peak_mb - small.peak_mb;
        [
            Row::new(
                &format!("scale: {}, opened", self.what),
                "s",
                self.seconds_max,
                self.cost.wall.as_secs_f64(),
            )
            .note(format!("{size:.1} MB")),
            Row::new(
                &format!("scale: {}, memory / size of the file", self.what),
                "",
                self.memory_max,
                memory * 1.048_576 / size,
            )
            .note(format!("peak {:.1} MB in all", self.cost.peak_mb)),
        ]
    }
}

fn journal(effort: Effort) -> Result<Opened, Failure> {
    let team = Team::new()?;
    let records = effort.times(1_000_000, 50_000);
    let bytes = team.extend_journal(past::turns(records))?;
    Ok(Opened {
        what: format!("journal of {records} records"),
        bytes,
        cost: team.run()?,
        seconds_max: Target::AtMost(10.0),
        memory_max: Target::AtMost(2.0),
    })
}

/// One long conversation that was never made shorter.
fn conversation(effort: Effort) -> Result<Opened, Failure> {
    let team = Team::new()?;
    let rounds = effort.times(10_000, 1_000);
    let bytes = team.extend_transcript(past::rounds(rounds, 1_420, None))?;
    Ok(Opened {
        what: format!("transcript of {} lines, one conversation", 2 * rounds),
        bytes,
        cost: team.run()?,
        seconds_max: Target::AtMost(2.0),
        memory_max: Target::Nothing,
    })
}

/// A long life, in which the conversation was summarized again and again.
fn transcript(effort: Effort) -> Result<Opened, Failure> {
    let team = Team::new()?;
    let rounds = effort.times(200_000, 10_000);
    let bytes = team.extend_transcript(past::rounds(rounds, 20, Some(200)))?;
    Ok(Opened {
        what: format!("transcript of {} lines, summarized", 2 * rounds),
        bytes,
        cost: team.run()?,
        seconds_max: Target::AtMost(5.0),
        memory_max: Target::AtMost(2.0),
    })
}

/// An inbox into which another program wrote.
fn inbox(lines: usize, bytes: usize) -> Result<Opened, Failure> {
    let team = Team::new()?;
    let bytes = team.fill_inbox(past::mail(lines, bytes))?;
    Ok(Opened {
        what: format!("inbox of {lines} lines"),
        bytes,
        // A full inbox takes no job.
        cost: team.cost(&["resume"])?,
        seconds_max: Target::AtMost(10.0),
        memory_max: Target::AtMost(2.0),
    })
}

/// A board of many open tasks: opened, one of them claimed, and listed.
fn board(effort: Effort) -> Measured {
    let tasks = effort.times(10_000, 1_000);
    let team = Team::new()?;
    let bytes = team.extend_journal(past::tasks(tasks))?;
    let first = team.run()?;
    let opened = team.run()?;
    team.plays(&json!([
        {"calls": [{"tool": "claim_task"}]},
        {"calls": [{"tool": "list_tasks"}]},
        {"say": "ok", "repeat": true},
    ]))?;
    let claimed = team.run()?;
    let listed = team.cost(&["tasks"])?;
    let row = |what: &str, target, cost: Cost| {
        let what = format!("scale: board of {tasks} tasks, {what}");
        Row::new(&what, "ms", target, ms(cost.wall))
            .note(format!("peak memory {:.1} MB", cost.peak_mb))
    };
    let size = format!("; journal of {:.1} MB", bytes as f64 / 1e6);
    let mut first = row("the first opening", Target::Nothing, first);
    first.note.push_str(&size);
    Ok(vec![
        first,
        row("opened again", Target::AtMost(1_000.0), opened),
        row(
            "opened, one claimed, all listed to the lead",
            Target::AtMost(1_000.0),
            claimed,
        ),
        row("`teammate tasks`", Target::AtMost(1_000.0), listed),
    ])
}

type Failure = Box<dyn std::error::Error + Send + Sync>;
