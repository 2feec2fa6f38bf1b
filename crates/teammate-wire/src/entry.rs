//! Transcript lines: a header, then one entry per line. All are sealed and linked
//! ([`chain`](super::chain)), except those of earlier versions.
//!
//! Model blocks stand in the line byte for byte as they were received; one with a line end in it is
//! written as a JSON string of its bytes. Types with raw values are never tagged or flattened, since
//! serde would reformat them.

mod reading;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use teammate_core::{
    MemberName, MessageId,
    block::Block,
    model::{StopReason, Usage, Wire},
    team::{ConversationId, Term},
    tool::{CallId, Outcome, OutcomePart},
    transcript::{EndReason, Entry, Handover},
};

pub use reading::{TranscriptFile, read, read_all};

use super::mail;

/// The version that this program writes.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Header<'a> {
    transcript: u32,
    member: &'a MemberName,
}

#[derive(Serialize)]
struct FreshLine {
    entry: &'static str,
}

#[derive(Serialize, Deserialize)]
struct ConversationField<'a> {
    #[serde(borrow)]
    entry: Cow<'a, str>,
    conversation: ConversationId,
}

#[derive(Serialize, Deserialize)]
struct TakenLine<'a> {
    #[serde(borrow)]
    entry: Cow<'a, str>,
    term: Term,
}

#[derive(Serialize, Deserialize)]
struct HandedOverLine<'a> {
    #[serde(borrow)]
    entry: Cow<'a, str>,
    #[serde(flatten)]
    handover: Handover,
}

#[derive(Serialize)]
struct HeardLine {
    entry: &'static str,
    mail: Vec<Box<RawValue>>,
}

#[derive(Serialize)]
struct AnsweredLine<'a> {
    entry: &'static str,
    model: &'a str,
    wire: Wire,
    stop: &'a StopReason,
    usage: Usage,
    blocks: Vec<Cow<'a, RawValue>>,
}

#[derive(Serialize)]
struct DoneLine<'a> {
    entry: &'static str,
    outcomes: Vec<OutcomeLine<'a>>,
}

#[derive(Serialize, Deserialize)]
struct OutcomeLine<'a> {
    call: CallId,
    #[serde(default)]
    is_error: bool,
    #[serde(borrow)]
    parts: Vec<PartLine<'a>>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PartLine<'a> {
    Text(#[serde(borrow)] Cow<'a, str>),
    Image {
        #[serde(borrow)]
        media_type: Cow<'a, str>,
        #[serde(borrow)]
        base64: Cow<'a, str>,
    },
    Document {
        #[serde(borrow)]
        media_type: Cow<'a, str>,
        #[serde(borrow)]
        name: Cow<'a, str>,
        #[serde(borrow)]
        base64: Cow<'a, str>,
    },
}

#[derive(Serialize)]
struct PromptedLine<'a> {
    entry: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
struct RestedLine<'a> {
    entry: &'static str,
    reason: &'a EndReason,
}

#[derive(Serialize)]
struct ShortenedLine<'a> {
    entry: &'static str,
    calls: &'a [CallId],
    #[serde(skip_serializing_if = "<[MessageId]>::is_empty")]
    mail: &'a [MessageId],
    before: u64,
}

#[derive(Serialize)]
struct CompactedLine<'a> {
    entry: &'static str,
    model: &'a str,
    usage: Usage,
    before: u64,
    mail_bytes_max: u64,
    summary: &'a str,
    state: &'a str,
}

#[derive(Serialize)]
struct WastedLine<'a> {
    entry: &'static str,
    model: &'a str,
    usage: Usage,
}

/// The first line of `member`'s transcript, without a line end and without a seal.
pub fn header(member: &MemberName) -> String {
    object_of(&Header {
        transcript: VERSION,
        member,
    })
}

/// Writes an entry as a JSON object on one line, without a line end and without a seal.
pub fn to_json(entry: &Entry) -> String {
    match entry {
        Entry::MemoryReset => object_of(&FreshLine { entry: "fresh" }),
        Entry::Conversation(id) => object_of(&ConversationField {
            entry: "conversation".into(),
            conversation: *id,
        }),
        Entry::Taken { term } => object_of(&TakenLine {
            entry: "taken".into(),
            term: *term,
        }),
        Entry::HandedOver(handover) => object_of(&HandedOverLine {
            entry: "handed_over".into(),
            handover: handover.clone(),
        }),
        Entry::Heard(mail) => object_of(&HeardLine {
            entry: "heard",
            mail: mail
                .iter()
                .map(|message| raw(mail::to_json(message)))
                .collect(),
        }),
        Entry::Answered(reply) => object_of(&AnsweredLine {
            entry: "answered",
            model: &reply.model,
            wire: reply.wire,
            stop: &reply.stop,
            usage: reply.usage,
            blocks: reply.blocks.iter().map(one_line).collect(),
        }),
        Entry::ToolOutcomes(outcomes) => object_of(&DoneLine {
            entry: "done",
            outcomes: outcomes.iter().map(outcome_line).collect(),
        }),
        Entry::Prompted(text) => object_of(&PromptedLine {
            entry: "prompted",
            text,
        }),
        Entry::TurnEnded(reason) => object_of(&RestedLine {
            entry: "rested",
            reason,
        }),
        Entry::Shortened {
            calls,
            mail,
            before,
        } => object_of(&ShortenedLine {
            entry: "shortened",
            calls,
            mail,
            before: *before,
        }),
        Entry::Compacted(compacted) => object_of(&CompactedLine {
            entry: "compacted",
            model: &compacted.model,
            usage: compacted.usage,
            before: compacted.before,
            mail_bytes_max: compacted.mail_bytes_max,
            summary: &compacted.summary,
            state: &compacted.recap,
        }),
        Entry::SummaryFailed { model, usage } => object_of(&WastedLine {
            entry: "wasted",
            model,
            usage: *usage,
        }),
    }
}

fn object_of<T: Serialize>(value: &T) -> String {
    // Structs of strings, numbers and raw JSON always serialise.
    serde_json::to_string(value).expect("an entry of plain values is JSON")
}

fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).expect("a message was just written as JSON")
}

/// The block's own bytes, or a string of them where they would break the line.
fn one_line(block: &Block) -> Cow<'_, RawValue> {
    let json = block.json();
    if json.bytes().any(|byte| byte == b'\n' || byte == b'\r') {
        Cow::Owned(to_raw_value(json).expect("a string is JSON"))
    } else {
        Cow::Owned(raw(json.to_owned()))
    }
}

fn outcome_line((call, outcome): &(CallId, Outcome)) -> OutcomeLine<'_> {
    OutcomeLine {
        call: call.clone(),
        is_error: outcome.is_error,
        parts: outcome.parts.iter().map(part_line).collect(),
    }
}

fn part_line(part: &OutcomePart) -> PartLine<'_> {
    match part {
        OutcomePart::Text(text) => PartLine::Text(Cow::Borrowed(text)),
        OutcomePart::Image { media_type, base64 } => PartLine::Image {
            media_type: Cow::Borrowed(media_type),
            base64: Cow::Borrowed(base64),
        },
        OutcomePart::Document {
            media_type,
            name,
            base64,
        } => PartLine::Document {
            media_type: Cow::Borrowed(media_type),
            name: Cow::Borrowed(name),
            base64: Cow::Borrowed(base64),
        },
    }
}
