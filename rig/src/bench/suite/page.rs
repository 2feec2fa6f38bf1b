//! The page while a hundred members work: how long a fact is on its way to a reader, what three readers cost the process that runs
//! the team, and how soon and heavy the first view is in Chromium.

mod browsers;
mod chromium;
mod cost;
mod facts;
mod reader;
mod stage;

use std::{
    collections::HashMap,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use self::{cost::Cost, reader::Reader, stage::Stage};
use super::{
    Effort, Measured,
    row::{Row, Target},
    sample::{self, Sample},
};

/// When a text was seen for the first time, in milliseconds since 1970.
type Seen = HashMap<String, f64>;

/// How long a thread sleeps that shows how busy the machine is.
const SLEEP: Duration = Duration::from_millis(5);

/// What three browsers look at.
const SEEN: [&str; 3] = ["side,needs,team", "side,needs,mail", "side,needs,m:m0"];

pub(super) fn measure(effort: Effort) -> Measured {
    let stage = Stage::begin()?;
    let mut rows = readers(&stage, effort)?;
    rows.extend(browsers::measure(&stage, effort)?);
    rows.extend(browser(&stage, effort)?);
    Ok(rows)
}

/// What readers of the stream get and cost, with and without them in turn: on a busy machine both suffer alike.
fn readers(stage: &Stage, effort: Effort) -> Measured {
    let span = Duration::from_secs(effort.times(8, 4) as u64);
    let mut cost = Cost::default();
    let (mut delays, mut late) = (Vec::new(), Vec::new());
    for _ in 0..effort.times(5, 2) {
        let without = stage.host.share(span)?;
        let page = stage.page()?;
        let readers = SEEN.map(|see| Reader::begin(&page, stage.team.clone(), see));
        // What they are given first is over.
        thread::sleep(Duration::from_secs(2));
        let from = now_ms();
        let (taken, wakes) = thread::scope(|scope| {
            let wakes = scope.spawn(|| wakes(span));
            (cost.take(without, stage, &page, span), wakes.join())
        });
        taken?;
        late.extend(wakes.unwrap_or_default());
        let to = now_ms();
        drop(page);
        for reader in readers {
            let seen = reader.end()?;
            delays.extend(facts::delays(stage, &seen, from..to)?);
        }
    }
    let (delays, late) = (Sample::new(delays), Sample::new(late));
    let mut rows = vec![
        Row::new(
            "fact -> in the hands of a reader of the stream, 100 members at work, p95",
            "ms",
            Target::AtMost(100.0),
            delays.quantile(0.95),
        )
        .note(format!(
            "median {:.0}; {}",
            delays.median(),
            delays.spread()
        )),
        Row::new(
            "how late a thread wakes that sleeps meanwhile, p95",
            "ms",
            Target::Nothing,
            late.quantile(0.95),
        )
        .note(late.spread()),
    ];
    rows.extend(cost.rows("three readers"));
    Ok(rows)
}

/// How many milliseconds later than it wanted a thread wakes that sleeps again and again: what the machine adds to any way of
/// several processes.
fn wakes(span: Duration) -> Vec<f64> {
    let begun = Instant::now();
    let mut late = Vec::new();
    while begun.elapsed() < span {
        let slept = Instant::now();
        thread::sleep(SLEEP);
        late.push(sample::ms(slept.elapsed().saturating_sub(SLEEP)));
    }
    late
}

/// What somebody sees who opens the page.
fn browser(stage: &Stage, effort: Effort) -> Measured {
    let page = stage.page()?;
    let chromium = chromium::Looked::begin(&page)?;
    let (mut paints, mut screens, mut bytes) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..effort.times(9, 3) {
        let view = chromium.first_view("/")?;
        paints.push(view.paint_ms);
        screens.push(view.screen_ms);
        bytes.push(view.bytes / 1e3);
    }
    let from = chromium.watch("/mail")?;
    thread::sleep(Duration::from_secs(effort.times(15, 6) as u64));
    let seen = chromium.seen()?;
    let delays = Sample::new(facts::delays(stage, &seen, from..now_ms())?);
    let (paints, screens, bytes) = (
        Sample::new(paints),
        Sample::new(screens),
        Sample::new(bytes),
    );
    Ok(vec![
        Row::new(
            "fact -> to be read in Chromium, 100 members at work, p95",
            "ms",
            Target::AtMost(100.0),
            delays.quantile(0.95),
        )
        .note(format!(
            "median {:.0}; {}",
            delays.median(),
            delays.spread()
        )),
        Row::new(
            "first paint of the page, median",
            "ms",
            Target::AtMost(200.0),
            paints.median(),
        )
        .note(paints.spread()),
        Row::new(
            "all of the first screen is there, median",
            "ms",
            Target::Nothing,
            screens.median(),
        )
        .note(screens.spread()),
        Row::new(
            "first view of a team of 101: all that is sent",
            "kB",
            Target::AtMost(60.0),
            bytes.median(),
        )
        .note(bytes.spread()),
    ])
}

fn now_ms() -> f64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0.0, |now| now.as_secs_f64() * 1e3)
}
