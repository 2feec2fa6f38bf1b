//! Transcript lines: a header, then one entry per line. All are sealed and linked
//! ([`chain`](super::chain)), except those of earlier versions.
//!
//! Model blocks stand in the line byte for byte as they were received; one with a line end in it is
//! written as a JSON string of its bytes. Types with raw values are never tagged or flattened, since
//! serde would reformat them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use teammate_core::{
    MemberName, Message,
    block::Block,
    model::{Reply, StopReason, Usage, Wire},
    team::ConversationId,
    tool::{CallId, Outcome, OutcomePart},
    transcript::{Compacted, EndReason, Entry},
};

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
struct ConversationLine<'a> {
    #[serde(borrow)]
    entry: Cow<'a, str>,
    conversation: ConversationId,
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
        Entry::Conversation(id) => object_of(&ConversationLine {
            entry: "conversation".into(),
            conversation: *id,
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
        Entry::Shortened { calls, before } => object_of(&ShortenedLine {
            entry: "shortened",
            calls,
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
    }
}

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
            Entry::Conversation(parse::<ConversationLine<'_>>(text)?.conversation)
        }
        (Some("heard"), _) => Entry::Heard(heard(&parse::<ReadHeard<'_>>(text)?)?),
        (Some("answered"), _) => Entry::Answered(answered(parse(text)?)?),
        (Some("done"), _) => {
            let done: ReadDone<'_> = parse(text)?;
            Entry::ToolOutcomes(done.outcomes.into_iter().map(outcome).collect())
        }
        (Some("prompted"), _) => Entry::Prompted(parse::<ReadPrompted>(text)?.text),
        (Some("rested"), _) => Entry::TurnEnded(parse::<ReadRested>(text)?.reason),
        (Some("shortened"), _) => {
            let ReadShortened { calls, before } = parse(text)?;
            Entry::Shortened { calls, before }
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
    };
    let outcome = Outcome {
        parts: line.parts.into_iter().map(part).collect(),
        is_error: line.is_error,
        ran: None,
    };
    (line.call, outcome)
}

/// A picture; one of an unknown type becomes a note, so that the rest of the outcome is kept.
fn image(media_type: &str, base64: String) -> OutcomePart {
    ["image/png", "image/jpeg", "image/gif", "image/webp"]
        .into_iter()
        .find(|known| *known == media_type)
        .map_or_else(
            || OutcomePart::Text(format!("[a picture of type {media_type}]")),
            |media_type| OutcomePart::Image { media_type, base64 },
        )
}

/// A transcript, read.
pub struct TranscriptFile {
    /// The entries, in order.
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
    for (number, line) in super::lines(bytes) {
        match read(line) {
            Ok(entry) => file.entries.extend(entry),
            Err(why) => file.damaged.push((number, why)),
        }
    }
    file
}
