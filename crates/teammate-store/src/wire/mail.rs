//! Mail lines: one JSON object a line, readable with `cat` and writable with `echo`.
//!
//! ```json
//! {"id":"…","type":"message","from":"alice","to":"bob","content":"hi","timestamp":1732230000.5}
//! ```
//!
//! Lines of other programs are understood as far as they make sense: no `id`, `sender` for `from`, `ts` for
//! `timestamp`, further keys at the top level.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use teammate_core::{Incarnation, MemberName, Message, MessageId, MessageKind, Sender, Timestamp};
use uuid::Uuid;

/// The most bytes a line may have.
pub const LINE_BYTES_MAX: usize = 256 * 1024;

/// The namespace of ids given to lines that came without one.
const NAMESPACE: Uuid = Uuid::from_u128(0x6d61_696c_2d77_6974_686f_7574_2d61_6e69);

/// A line as it is written.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    r#type: &'a str,
    from: &'a Sender,
    to: &'a str,
    content: &'a str,
    timestamp: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    metadata: &'a Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from_incarnation: Option<Incarnation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_incarnation: Option<Incarnation>,
}

/// A line as it is read. Optional is all that some program leaves out.
#[derive(Deserialize)]
struct Read {
    id: Option<String>,
    r#type: Option<String>,
    #[serde(alias = "sender")]
    from: Option<String>,
    to: Option<String>,
    content: Option<Value>,
    #[serde(alias = "ts")]
    timestamp: Option<Value>,
    request_id: Option<Value>,
    metadata: Option<Value>,
    from_incarnation: Option<Incarnation>,
    to_incarnation: Option<Incarnation>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// Writes a message as one line, its line end included.
pub fn write(message: &Message) -> Vec<u8> {
    let mut line = object(message).into_bytes();
    line.push(b'\n');
    line
}

/// Writes a message as a JSON object on one line.
pub fn object(message: &Message) -> String {
    let line = Line {
        id: message.id.as_str(),
        r#type: message.kind.as_str(),
        from: &message.from,
        to: message.to.as_str(),
        content: &message.content,
        timestamp: message.sent_at.as_seconds(),
        request_id: message.request_id.as_deref(),
        metadata: &message.metadata,
        from_incarnation: message.from_incarnation,
        to_incarnation: message.to_incarnation,
    };
    // Strings, finite numbers and maps with string keys always serialise.
    serde_json::to_string(&line).expect("a line of plain values is JSON")
}

/// Reads one line that lay in a file of `owner`'s. A line without an id gets one that follows from `origin` (which line
/// of which file it is) and its bytes, so that reading it again gives the same.
///
/// Errors: what is wrong with it, for a person.
pub fn read(line: &[u8], owner: &MemberName, origin: &str) -> Result<Message, String> {
    let text = std::str::from_utf8(line).map_err(|_| "it is not UTF-8".to_owned())?;
    if !text.trim_start().starts_with('{') {
        return Err("it is not a JSON object".to_owned());
    }
    let read: Read = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let foreign = read.id.is_none();
    let id = match read.id {
        Some(id) => MessageId::parse(&id).ok_or("its id is empty or too long")?,
        None => MessageId::derived(NAMESPACE, &format!("{owner}/{origin}/{text}")),
    };
    let mut metadata = match read.metadata {
        Some(Value::Object(map)) => map,
        Some(Value::Null) | None => Map::new(),
        Some(other) => Map::from_iter([("metadata".to_owned(), other)]),
    };
    for (key, value) in read.rest {
        metadata.entry(key).or_insert(value);
    }
    let request_id = match read.request_id {
        Some(Value::String(id)) => Some(id),
        Some(Value::Null) | None => metadata
            .get("request_id")
            .filter(|_| foreign)
            .and_then(Value::as_str)
            .map(str::to_owned),
        Some(other) => Some(other.to_string()),
    };
    Ok(Message {
        id,
        kind: kind(read.r#type.as_deref())?,
        from: Sender::try_from(read.from.ok_or("it does not say who sent it")?)
            .map_err(|error| format!("its sender is no member: {error}"))?,
        from_incarnation: read.from_incarnation,
        to: addressee(read.to.as_deref(), owner)?,
        to_incarnation: read.to_incarnation,
        content: match read.content.ok_or("it has no content")? {
            Value::String(text) => text,
            other => other.to_string(),
        },
        sent_at: Timestamp::from_seconds(
            read.timestamp
                .and_then(|value| value.as_f64())
                .unwrap_or_default(),
        ),
        request_id,
        metadata,
    })
}

fn kind(word: Option<&str>) -> Result<MessageKind, String> {
    match word {
        // How one teaching version says that a member is done, and what `echo` may leave out.
        Some("result") | None => Ok(MessageKind::Message),
        Some(word) => MessageKind::parse(word)
            .ok_or_else(|| format!("its type '{}' is not known", word.escape_debug())),
    }
}

fn addressee(to: Option<&str>, owner: &MemberName) -> Result<MemberName, String> {
    match to {
        None | Some("all" | "*") => Ok(owner.clone()),
        Some(name) => MemberName::parse(name)
            .map_err(|error| format!("it is addressed to no member: {error}")),
    }
}

/// A file of mail, read.
pub struct MailFile<'a> {
    /// The messages, in order. Of those with the same id, the first.
    pub messages: Vec<Message>,
    /// The lines that are none, with what is wrong.
    pub damaged: Vec<(&'a [u8], String)>,
}

/// Reads the whole of a file from `owner`'s mailbox; `origin` names it.
pub fn read_all<'a>(bytes: &'a [u8], owner: &MemberName, origin: &str) -> MailFile<'a> {
    let mut file = MailFile {
        messages: Vec::new(),
        damaged: Vec::new(),
    };
    let mut ids = HashSet::new();
    for (number, line) in super::lines(bytes) {
        let read = if line.len() > LINE_BYTES_MAX {
            Err(format!(
                "it has {} bytes, at most {LINE_BYTES_MAX} are allowed",
                line.len()
            ))
        } else {
            read(line, owner, &format!("{origin}/{number}"))
        };
        match read {
            Ok(message) if message.to != *owner => {
                let why = format!("it is addressed to {}, not to {owner}", message.to);
                file.damaged.push((line, why));
            }
            Ok(message) => {
                // Whoever could not know whether a message was stored has sent it again.
                if ids.insert(message.id.clone()) {
                    file.messages.push(message);
                }
            }
            Err(why) => file.damaged.push((line, why)),
        }
    }
    file
}
