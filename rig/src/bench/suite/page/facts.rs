//! When each fact was one: by the event log, whose times are those of the events.

use std::{io, ops::Range};

use serde_json::Value;

use super::{Seen, stage::Stage};

/// How long those that are of this time were on their way to where they were seen.
pub(super) fn delays(stage: &Stage, seen: &Seen, during: Range<f64>) -> io::Result<Vec<f64>> {
    let mut delays = Vec::new();
    for line in stage
        .events()?
        .lines()
        .filter(|line| line.contains("mark-"))
    {
        let event: Value = serde_json::from_str(line)?;
        let at = event["at"].as_f64().unwrap_or(0.0);
        let text = match event["event"].as_str() {
            Some("mail_sent") => &event["content"],
            Some("answered") => &event["text"],
            Some(_) | None => continue,
        };
        let mark = marks(text.as_str().unwrap_or_default()).next();
        if let Some(seen) = mark
            .and_then(|mark| seen.get(mark))
            .filter(|_| during.contains(&at))
        {
            delays.push(seen - at);
        }
    }
    Ok(delays)
}

/// The words in it that are a fact's own.
pub(super) fn marks(text: &str) -> impl Iterator<Item = &str> {
    let all = text.match_indices("mark-");
    all.filter_map(|(at, _)| text[at..].split_once('.').map(|(mark, _)| mark))
}
