//! Twenty members and a server that is away for a moment, or refuses what is too much for it: how much longer their work
//! takes, and how many of their requests are refused.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{
    Effort, Measured, program,
    row::{Row, Target},
    wire::{Asked, Says, Wire},
};

const MEMBERS: usize = 20;

/// How many shell calls each makes, one in each answer.
const CALLS: usize = 20;

/// Requests of a whole run: those, the last word of each member, and a few of the lead.
const REQUESTS: usize = MEMBERS * (CALLS + 1);

/// How long an answer takes.
const LATENCY: Duration = Duration::from_millis(500);

/// How long after the first teammate's request the server goes away, and for how long.
const AWAY_AFTER: Duration = Duration::from_secs(2);
const AWAY_FOR: Duration = Duration::from_millis(300);

/// What the server takes in a second, and at once.
const IN_A_SECOND: f64 = 8.0;
const AT_ONCE: usize = 5;

/// What is wrong with the server.
#[derive(Clone, Copy)]
enum Trouble {
    Nothing,
    Away,
    InASecond { says_when: bool },
    AtOnce,
}

/// What a run took.
struct Run {
    seconds: f64,
    requests: usize,
    refused: usize,
}

impl Run {
    fn share(&self) -> f64 {
        self.refused as f64 / self.requests as f64
    }

    fn note(&self) -> String {
        format!(
            "{} requests, {} refused, {:.1} s",
            self.requests, self.refused, self.seconds
        )
    }
}

pub(super) fn measure(_: Effort) -> Measured {
    let undisturbed = run(Trouble::Nothing)?;
    let blip = run(Trouble::Away)?;
    let mut rows = vec![
        Row::new(
            "server away for 0.3 s, 20 members at work: time lost",
            "s",
            Target::AtMost(5.0),
            blip.seconds - undisturbed.seconds,
        )
        .note(format!(
            "{}; {:.1} s without it",
            blip.note(),
            undisturbed.seconds
        )),
    ];
    let in_a_second = REQUESTS as f64 / IN_A_SECOND;
    let at_once = REQUESTS as f64 * LATENCY.as_secs_f64() / AT_ONCE as f64;
    for (what, trouble, ideal) in [
        (
            "8 requests a second, retry-after",
            Trouble::InASecond { says_when: true },
            in_a_second,
        ),
        (
            "8 requests a second",
            Trouble::InASecond { says_when: false },
            in_a_second,
        ),
        ("5 requests at once", Trouble::AtOnce, at_once),
    ] {
        let run = run(trouble)?;
        rows.push(
            Row::new(
                &format!("limit of {what}, 20 members: refused / all"),
                "",
                Target::AtMost(0.1),
                run.share(),
            )
            .note(run.note()),
        );
        rows.push(Row::new(
            &format!("limit of {what}: time / requests at the limit"),
            "",
            Target::AtMost(1.3),
            run.seconds / ideal,
        ));
    }
    Ok(rows)
}

fn run(trouble: Trouble) -> Result<Run, Box<dyn std::error::Error + Send + Sync>> {
    let server = Arc::new(Mutex::new(Server::new(trouble)));
    let script = server.clone();
    let wire = Wire::start(false, move |asked| {
        let mut server = script.lock().unwrap_or_else(PoisonError::into_inner);
        server.says(asked, Instant::now())
    })?;
    let dir = program::workspace()?;
    let command = &mut program::teammate(dir.path(), &wire.url());
    let cost = program::start(command.args(["run", "Spawn them."]))?.finish()?;
    let refused = server
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .refused;
    Ok(Run {
        seconds: cost.wall.as_secs_f64(),
        requests: wire.count(),
        refused,
    })
}

/// What the server counts.
struct Server {
    trouble: Trouble,
    refused: usize,
    /// When it goes away: known when a teammate has asked.
    away_at: Option<Instant>,
    /// When the answers that are under way end.
    ends: Vec<Instant>,
    /// What is left of the requests that may come now.
    tokens: f64,
    counted_at: Option<Instant>,
    /// How many answers each member has had.
    answers: std::collections::HashMap<String, usize>,
}

impl Server {
    fn new(trouble: Trouble) -> Self {
        Self {
            trouble,
            refused: 0,
            away_at: None,
            ends: Vec::new(),
            tokens: IN_A_SECOND,
            counted_at: None,
            answers: Default::default(),
        }
    }

    fn says(&mut self, asked: &Asked<'_>, now: Instant) -> Says {
        if asked.member != "lead" {
            self.away_at.get_or_insert(now + AWAY_AFTER);
        }
        if let Some(refusal) = self.refusal(now) {
            self.refused += 1;
            return refusal;
        }
        self.ends.push(now + LATENCY);
        let before = self.answers.entry(asked.member.to_owned()).or_default();
        let says = answer(asked.member, *before);
        *before += 1;
        Says::After(LATENCY, Box::new(says))
    }

    fn refusal(&mut self, now: Instant) -> Option<Says> {
        match self.trouble {
            Trouble::Nothing => None,
            Trouble::Away => {
                let from = self.away_at?;
                let breaks = now + LATENCY > from && now < from + AWAY_FOR;
                breaks.then(|| {
                    Says::After(from.saturating_duration_since(now), Box::new(Says::Breaks))
                })
            }
            Trouble::AtOnce => {
                self.ends.retain(|end| *end > now);
                (self.ends.len() >= AT_ONCE).then_some(Says::TooMany(None))
            }
            Trouble::InASecond { says_when } => {
                let since = self.counted_at.map_or(Duration::ZERO, |at| now - at);
                self.counted_at = Some(now);
                self.tokens = (self.tokens + since.as_secs_f64() * IN_A_SECOND).min(IN_A_SECOND);
                if self.tokens < 1.0 {
                    return Some(Says::TooMany(says_when.then_some(1)));
                }
                self.tokens -= 1.0;
                None
            }
        }
    }
}

fn answer(member: &str, before: usize) -> Says {
    match (member, before) {
        ("lead", 0) => Says::Calls((0..MEMBERS).map(spawn).collect()),
        ("lead", 1) => Says::Calls(vec![("wait_for_team", json!({}))]),
        (name, before) if name != "lead" && before < CALLS => {
            Says::Calls(vec![("bash", json!({"command": "true"}))])
        }
        _ => Says::Text("done".to_owned()),
    }
}

fn spawn(number: usize) -> (&'static str, Value) {
    (
        "spawn_teammate",
        json!({"name": format!("m{number}"), "role": "worker", "prompt": "Work."}),
    )
}
