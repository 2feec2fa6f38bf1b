//! Events as a log has them, and spans as lines.

use std::{collections::BTreeMap, fmt::Write as _};

use teammate_core::event::{Event, RunId};
use teammate_otel::{About, AttributeValue, Contents, SpanFold, SpanId, TraceSpan};

/// A fold of a run whose id is always the same.
pub(crate) fn fold(contents: Contents) -> SpanFold {
    SpanFold::new(about(contents))
}

pub(crate) fn about(contents: Contents) -> About {
    About {
        run: run(),
        team_id: "team".to_owned(),
        contents,
    }
}

fn run() -> RunId {
    serde_json::from_str("\"01933f6e-52c1-7a40-9d3b-8f1c22aa7b10\"").unwrap()
}

/// An event of a line: `AT MEMBER EVENT {fields}`.
pub(crate) fn event(line: &str) -> Event {
    let mut words = line.trim().splitn(4, ' ');
    let (at, member, name) = (
        words.next().unwrap(),
        words.next().unwrap(),
        words.next().unwrap(),
    );
    let mut fields: serde_json::Value =
        serde_json::from_str(words.next().unwrap_or("{}")).expect(line);
    fields["at"] = at.parse::<u64>().unwrap().into();
    fields["member"] = member.into();
    fields["event"] = name.into();
    serde_json::from_value(fields).expect(line)
}

pub(crate) fn events(lines: &str) -> Vec<Event> {
    let lines = lines.lines().filter(|line| !line.trim().is_empty());
    lines.map(event).collect()
}

/// All spans of these events, with those that the end of the feed ends.
pub(crate) fn spans_of(lines: &str, contents: Contents) -> Vec<TraceSpan> {
    let mut fold = fold(contents);
    let events = events(lines);
    let mut spans: Vec<TraceSpan> = events.iter().flat_map(|event| fold.take(event)).collect();
    spans.extend(fold.finish());
    assert!(fold.finish().is_empty(), "nothing is left open");
    spans
}

/// A line for each, as `#2 in #1 NAME 3..7`, with ids in the order in which spans ended.
pub(crate) fn transcript(spans: &[TraceSpan]) -> String {
    let mut numbers: BTreeMap<SpanId, usize> = BTreeMap::new();
    for span in spans {
        let next = numbers.len() + 1;
        assert_eq!(numbers.insert(span.id, next), None, "an id comes once");
    }
    let number = |id: &SpanId| {
        let known = numbers.get(id);
        known.map_or_else(|| "?".to_owned(), |number| format!("#{number}"))
    };
    let mut text = String::new();
    for span in spans {
        let parent = span.parent.as_ref().map(|id| format!(" in {}", number(id)));
        let error = span.error.map(|error| format!(" failed: {error}"));
        writeln!(
            text,
            "{}{} {} {}..{}{}",
            number(&span.id),
            parent.unwrap_or_default(),
            span.name,
            span.start.0,
            span.end.0,
            error.unwrap_or_default()
        )
        .unwrap();
        for link in &span.links {
            writeln!(text, "    <- {} {}", number(&link.to), link.mail).unwrap();
        }
        for (name, value) in &span.attributes {
            writeln!(text, "    {name} = {}", shown(value)).unwrap();
        }
    }
    text
}

/// The same without what is known of each.
pub(crate) fn outline(spans: &[TraceSpan]) -> Vec<String> {
    let text = transcript(spans);
    let lines = text.lines().filter(|line| !line.contains(" = "));
    lines.map(|line| line.trim().to_owned()).collect()
}

fn shown(value: &AttributeValue) -> String {
    match value {
        AttributeValue::Text(text) => text.clone(),
        AttributeValue::Number(number) => number.to_string(),
        AttributeValue::Real(number) => number.to_string(),
        AttributeValue::Texts(texts) => texts.join(", "),
    }
}
