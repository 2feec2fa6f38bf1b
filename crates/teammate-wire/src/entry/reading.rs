//! Reads transcript lines. A line that cannot be read is an error in words; nothing is repaired.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;
use teammate_core::{
    Message, MessageId,
    attachment::MediaType,
    block::Block,
    model::{Reply, StopReason, Usage, Wire},
    tool::{CallId, Outcome, OutcomePart},
    transcript::{Compacted, EndReason, Entry},
};

use super::{ConversationField, HandedOverLine, OutcomeLine, PartLine, TakenLine, VERSION};
use crate::{lines, mail};

/// Reads one line of a transcript: an entry, or `None` for the header.
///
/// Errors: what is wrong with it, in words for the user.
pub fn read(line: &[u8]) -> Result<Option<Entry>, String> {
    let text = std::str::from_utf8(line).map_err(|_| "it is not UTF-8".to_owned())?;
    let tag: Tag<'_> = parse(text)?;
    let entry = match (tag.entry.as_deref(), tag.transcript) {
        (None, Some(VERSION)) => return Ok(None),
        (None, Some(version)) => return Err(format!("version {version} is not known")),
        (None, None) => return Err("it is no entry".to_owned()),
        (Some("fresh"), _) => Entry::MemoryReset,
        (Some("conversation"), _) => {
            Entry::Conversation(parse::<ConversationField<'_>>(text)?.conversation)
        }
        (Some("taken"), _) => Entry::Taken {
            term: parse::<TakenLine<'_>>(text)?.term,
        },
        (Some("handed_over"), _) => Entry::HandedOver(parse::<HandedOverLine<'_>>(text)?.handover),
        (Some("heard"), _) => Entry::Heard(heard(&parse::<ReadHeard<'_>>(text)?)?),
        (Some("answered"), _) => Entry::Answered(answered(parse(text)?)?),
        (Some("done"), _) => {
            let done: ReadDone<'_> = parse(text)?;
            Entry::ToolOutcomes(done.outcomes.into_iter().map(outcome).collect())
        }
        (Some("prompted"), _) => Entry::Prompted(parse::<ReadPrompted>(text)?.text),
        (Some("rested"), _) => Entry::TurnEnded(parse::<ReadRested>(text)?.reason),
        (Some("shortened"), _) => {
            let ReadShortened {
                calls,
                mail,
                before,
            } = parse(text)?;
            Entry::Shortened {
                calls,
                mail,
                before,
            }
        }
        (Some("compacted"), _) => Entry::Compacted(compacted(parse(text)?)),
        (Some("wasted"), _) => {
            let ReadWasted { model, usage } = parse(text)?;
            Entry::SummaryFailed { model, usage }
        }
        (Some(other), _) => {
            return Err(format!("the entry '{}' is not known", other.escape_debug()));
        }
    };
    Ok(Some(entry))
}

/// A transcript, read.
pub struct TranscriptFile {
    pub entries: Vec<Entry>,
    /// The numbers of unreadable lines, each with the reason.
    pub damaged: Vec<(usize, String)>,
}

/// Reads all lines of a transcript, without checking seals.
pub fn read_all(bytes: &[u8]) -> TranscriptFile {
    let mut file = TranscriptFile {
        entries: Vec::new(),
        damaged: Vec::new(),
    };
    for (number, line) in lines(bytes) {
        match read(line) {
            Ok(entry) => file.entries.extend(entry),
            Err(why) => file.damaged.push((number, why)),
        }
    }
    file
}

/// The fields that decide the kind of a line.
#[derive(Deserialize)]
struct Tag<'a> {
    #[serde(borrow)]
    entry: Option<Cow<'a, str>>,
    transcript: Option<u32>,
}

#[derive(Deserialize)]
struct ReadHeard<'a> {
    #[serde(borrow)]
    mail: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct ReadAnswered<'a> {
    model: String,
    wire: Wire,
    stop: StopReason,
    #[serde(default)]
    usage: Usage,
    #[serde(borrow)]
    blocks: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct ReadDone<'a> {
    #[serde(borrow)]
    outcomes: Vec<OutcomeLine<'a>>,
}

#[derive(Deserialize)]
struct ReadPrompted {
    text: String,
}

#[derive(Deserialize)]
struct ReadRested {
    reason: EndReason,
}

#[derive(Deserialize)]
struct ReadShortened {
    calls: Vec<CallId>,
    #[serde(default)]
    mail: Vec<MessageId>,
    #[serde(default)]
    before: u64,
}

#[derive(Deserialize)]
struct ReadCompacted {
    model: String,
    #[serde(default)]
    usage: Usage,
    #[serde(default)]
    before: u64,
    mail_bytes_max: u64,
    summary: String,
    state: String,
}

#[derive(Deserialize)]
struct ReadWasted {
    model: String,
    usage: Usage,
}

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

fn heard(line: &ReadHeard<'_>) -> Result<Vec<Message>, String> {
    line.mail
        .iter()
        .map(|message| mail::read(message.get()))
        .collect()
}

fn answered(line: ReadAnswered<'_>) -> Result<Reply, String> {
    let block = |raw: &&RawValue| {
        let json = if raw.get().starts_with('"') {
            parse::<String>(raw.get())?
        } else {
            raw.get().to_owned()
        };
        Block::from_json(json).ok_or_else(|| "a block is not an object".to_owned())
    };
    Ok(Reply {
        blocks: line.blocks.iter().map(block).collect::<Result<_, _>>()?,
        stop: line.stop,
        usage: line.usage,
        model: line.model,
        wire: line.wire,
    })
}

fn compacted(line: ReadCompacted) -> Compacted {
    Compacted {
        summary: line.summary,
        recap: line.state,
        mail_bytes_max: line.mail_bytes_max,
        before: line.before,
        model: line.model,
        usage: line.usage,
    }
}

fn outcome(line: OutcomeLine<'_>) -> (CallId, Outcome) {
    let part = |part| match part {
        PartLine::Text(text) => OutcomePart::Text(text.into_owned()),
        PartLine::Image { media_type, base64 } => image(&media_type, base64.into_owned()),
        PartLine::Document {
            media_type,
            name,
            base64,
        } => document(&media_type, name.into_owned(), base64.into_owned()),
    };
    let outcome = Outcome {
        parts: line.parts.into_iter().map(part).collect(),
        is_error: line.is_error,
        ran: None,
        change: None,
        merge: None,
        refused: None,
    };
    (line.call, outcome)
}

/// A picture; one of an unknown type becomes a note, so that the rest of the outcome is kept.
fn image(media_type: &str, base64: String) -> OutcomePart {
    match MediaType::parse(media_type).filter(|kind| kind.is_picture()) {
        Some(kind) => OutcomePart::Image {
            media_type: kind.as_str(),
            base64,
        },
        None => OutcomePart::Text(format!("[a picture of type {media_type}]")),
    }
}

/// A document; one of an unknown type becomes a note.
fn document(media_type: &str, name: String, base64: String) -> OutcomePart {
    match MediaType::parse(media_type).filter(|kind| !kind.is_picture()) {
        Some(kind) => OutcomePart::Document {
            media_type: kind.as_str(),
            name,
            base64,
        },
        None => OutcomePart::Text(format!("[a document of type {media_type}: {name}]")),
    }
}
