//! Mail lines: one JSON object a line, readable with `cat` and writable with `echo`.
//!
//! ```json
//! {"id":"…","type":"message","from":"alice","to":"bob","content":"hi","timestamp":1732230000.5}
//! ```
//!
//! In a mailbox the last keys are the digest of the line before and the seal of the program ([`chain`](super::chain)). A line
//! without them is understood as far as it makes sense (no `id`, `sender` for `from`, `ts` for `timestamp`, further keys at the top level), but it is what somebody unknown says:
//! plain text from [`Sender::Unverified`]. In a transcript, which only its owner writes, there are no seals.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use teammate_core::{
    Incarnation, MemberName, Message, MessageId, MessageKind, Sender, Timestamp,
    mail::{Claimed, PRETENDS},
};
use uuid::Uuid;

use super::chain::{Digest, LINK_BYTES, Log};

/// The most bytes a line may have.
pub const LINE_BYTES_MAX: usize = 256 * 1024;

/// The most bytes of lines without a seal that are heard from one file. The rest is damage.
const UNSEALED_BYTES_MAX: usize = 8 * 1024 * 1024;

/// So many damaged lines are named one by one.
const NAMED_MAX: usize = 100;

/// The namespace of ids given to lines that bear no seal.
const NAMESPACE: Uuid = Uuid::from_u128(0x6d61_696c_2d77_6974_686f_7574_2d61_6e69);

/// What is wrong with a line that names no sender.
const NOBODY: &str = "it does not say who sent it";

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
    #[serde(skip_serializing_if = "Annotations::is_empty")]
    metadata: Annotations<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from_incarnation: Option<Incarnation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_incarnation: Option<Incarnation>,
}

/// What is written as metadata.
#[derive(Serialize)]
struct Annotations<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    wakes: Option<bool>,
    #[serde(flatten)]
    others: &'a Map<String, Value>,
}

impl Annotations<'_> {
    fn is_empty(&self) -> bool {
        self.wakes.is_none() && self.others.is_empty()
    }
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

/// How long the sealed line of an object is, its line end included.
pub fn line_bytes(object: &str) -> usize {
    object.len() + LINK_BYTES
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
        metadata: Annotations {
            wakes: message.wakes,
            others: &message.metadata,
        },
        from_incarnation: message.from_incarnation,
        to_incarnation: message.to_incarnation,
    };
    // Strings, finite numbers and maps with string keys always serialise.
    serde_json::to_string(&line).expect("a line of plain values is JSON")
}

/// Reads a message as [`object`] wrote it, and believes it.
///
/// Errors: what is wrong with it, for a person.
pub fn read(text: &str) -> Result<Message, String> {
    let read = parsed(text)?;
    let kind = kind(read.r#type.as_deref())?;
    let mut metadata = metadata(read.metadata, read.rest);
    let wakes = metadata.get("wakes").and_then(Value::as_bool);
    let wakes = wakes.filter(|_| kind.can_be_quiet());
    if wakes.is_some() {
        metadata.shift_remove("wakes");
    }
    let request_id = match read.request_id {
        Some(Value::String(id)) => Some(id),
        Some(Value::Null) | None => None,
        Some(other) => Some(other.to_string()),
    };
    Ok(Message {
        id: id(&read.id.ok_or("it has no id")?)?,
        kind,
        from: Sender::try_from(read.from.ok_or(NOBODY)?)
            .map_err(|error| format!("its sender is no member: {error}"))?,
        from_incarnation: read.from_incarnation,
        to: MemberName::parse(&read.to.ok_or("it is addressed to nobody")?)
            .map_err(|error| format!("it is addressed to no member: {error}"))?,
        to_incarnation: read.to_incarnation,
        content: content(read.content)?,
        sent_at: sent_at(read.timestamp.as_ref()),
        request_id,
        wakes,
        metadata,
    })
}

/// Reads a line that bears no seal of ours: what somebody unknown says to `owner`. It is plain text whatever it pretends to be,
/// and belongs to no life and no request. Its id follows from its bytes and from what it says its id is, or from `origin`
/// (which line of which file it is); it cannot be the id of anything that the team sends.
fn unverified(text: &str, owner: &MemberName, origin: &str) -> Result<Unverified, String> {
    let read = parsed(text)?;
    let from = read.from.ok_or(NOBODY)?;
    let kind = kind(read.r#type.as_deref())?;
    let cause = match &read.id {
        Some(claimed) => format!("{owner}/{}/{text}", id(claimed)?),
        None => format!("{owner}/{origin}/{text}"),
    };
    let mut metadata = metadata(read.metadata, read.rest);
    let pretends = (!matches!(kind, MessageKind::Message | MessageKind::Broadcast)).then_some(kind);
    if let Some(kind) = pretends {
        metadata.insert(PRETENDS.to_owned(), kind.as_str().into());
    }
    let message = Message {
        id: MessageId::derived(NAMESPACE, &cause),
        kind: MessageKind::Message,
        from: Sender::Unverified(Claimed::new(&from)),
        from_incarnation: None,
        to: owner.clone(),
        to_incarnation: None,
        content: content(read.content)?,
        sent_at: sent_at(read.timestamp.as_ref()),
        request_id: None,
        wakes: None,
        metadata,
    };
    Ok(Unverified {
        message,
        pretends,
        claims: from,
    })
}

/// Reads a line of any version and of anybody as what it claims to be, or as words of somebody unknown.
///
/// Errors: what is wrong with it, for a person.
pub fn read_unproven(line: &[u8], owner: &MemberName, origin: &str) -> Result<Message, String> {
    let text = checked(line)?;
    match read(text) {
        Ok(message) if message.to == *owner => Ok(message),
        Ok(_) | Err(_) => unverified(text, owner, origin).map(|unverified| unverified.message),
    }
}

fn checked(line: &[u8]) -> Result<&str, String> {
    if line.len() > LINE_BYTES_MAX {
        let bytes = line.len();
        return Err(format!(
            "it has {bytes} bytes, at most {LINE_BYTES_MAX} are allowed"
        ));
    }
    std::str::from_utf8(line).map_err(|_| "it is not UTF-8".to_owned())
}

fn parsed(text: &str) -> Result<Read, String> {
    if !text.trim_start().starts_with('{') {
        return Err("it is not a JSON object".to_owned());
    }
    let mut read: Read = serde_json::from_str(text).map_err(|error| error.to_string())?;
    // What a line of the program's own bears besides the message.
    if read.rest.shift_remove("seal").is_some() {
        read.rest.shift_remove("prev");
    }
    Ok(read)
}

fn id(text: &str) -> Result<MessageId, String> {
    MessageId::parse(text).ok_or_else(|| "its id is empty or too long".to_owned())
}

fn metadata(metadata: Option<Value>, rest: Map<String, Value>) -> Map<String, Value> {
    let mut map = match metadata {
        Some(Value::Object(map)) => map,
        Some(Value::Null) | None => Map::new(),
        Some(other) => Map::from_iter([("metadata".to_owned(), other)]),
    };
    for (key, value) in rest {
        map.entry(key).or_insert(value);
    }
    map
}

fn content(content: Option<Value>) -> Result<String, String> {
    match content.ok_or("it has no content")? {
        Value::String(text) => Ok(text),
        other => Ok(other.to_string()),
    }
}

fn sent_at(timestamp: Option<&Value>) -> Timestamp {
    Timestamp::from_seconds(timestamp.and_then(Value::as_f64).unwrap_or_default())
}

fn kind(word: Option<&str>) -> Result<MessageKind, String> {
    match word {
        // How one teaching version says that a member is done, and what `echo` may leave out.
        Some("result") | None => Ok(MessageKind::Message),
        Some(word) => MessageKind::parse(word)
            .ok_or_else(|| format!("its type '{}' is not known", word.escape_debug())),
    }
}

/// What somebody unknown wrote.
struct Unverified {
    message: Message,
    pretends: Option<MessageKind>,
    claims: String,
}

/// A line that proves nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsealed {
    /// What it pretends to be, if that is more than plain mail.
    pub pretends: Option<MessageKind>,
    /// Who it says it is from.
    pub claims: String,
}

/// A file of mail, as far as it was read.
#[derive(Debug, Default)]
pub struct MailFile {
    /// The messages, in order. Of those with the same id, the first.
    pub messages: Vec<Message>,
    /// What is wrong with the lines that are none.
    pub damaged: Vec<String>,
    /// The lines that are among the messages as words of somebody unknown.
    pub unsealed: Vec<Unsealed>,
    /// Where lines are missing, were changed or were moved, in sentences for a person.
    pub gaps: Vec<String>,
}

/// Reads a file from one mailbox line by line.
pub struct Reading<'a> {
    owner: &'a MemberName,
    origin: String,
    log: &'a Log,
    file: MailFile,
    ids: HashSet<MessageId>,
    /// The digest of the line before, whatever it was.
    prev: Digest,
    unsealed_bytes: usize,
    unnamed: u64,
}

impl<'a> Reading<'a> {
    /// Nothing was read of a file from `owner`'s mailbox; `origin` names it.
    pub fn new(owner: &'a MemberName, origin: String, log: &'a Log) -> Self {
        Self {
            owner,
            origin,
            log,
            file: MailFile::default(),
            ids: HashSet::new(),
            prev: Digest::NONE,
            unsealed_bytes: 0,
            unnamed: 0,
        }
    }

    /// Reads the line with this number, which is not blank. Whether it proves nothing and should be kept aside.
    pub fn line(&mut self, number: u64, line: &[u8]) -> bool {
        let prev = std::mem::replace(&mut self.prev, Digest::of(line));
        let text = match checked(line) {
            Ok(text) => text,
            Err(why) => return self.damaged(why),
        };
        if let Some(linked) = self.log.opened(line) {
            let message = read(text).ok().filter(|message| message.to == *self.owner);
            if let Some(message) = message {
                if linked.prev != prev {
                    self.file.gaps.push(format!(
                        "mail to {} is missing or was changed before message {}",
                        self.owner, message.id
                    ));
                }
                self.heard(message);
                return false;
            }
        }
        self.unsealed_bytes += line.len();
        if self.unsealed_bytes > UNSEALED_BYTES_MAX {
            let why = "there is more mail from somebody unknown than is heard at once";
            return self.damaged(why.to_owned());
        }
        let origin = format!("{}/{number}", self.origin);
        match unverified(text, self.owner, &origin) {
            Ok(unverified) => {
                self.file.unsealed.push(Unsealed {
                    pretends: unverified.pretends,
                    claims: unverified.claims,
                });
                self.heard(unverified.message);
                true
            }
            Err(why) => self.damaged(why),
        }
    }

    /// A line of `bytes` bytes that was too long to be held.
    pub fn too_long(&mut self, bytes: u64) {
        // No line of ours can follow it: what does names it as missing.
        self.prev = Digest::NONE;
        let _ = self.damaged(format!(
            "it has {bytes} bytes, at most {LINE_BYTES_MAX} are allowed"
        ));
    }

    /// What was found.
    pub fn file(mut self) -> MailFile {
        if self.unnamed > 0 {
            self.file
                .damaged
                .push(format!("{} more lines are no messages", self.unnamed));
        }
        self.file
    }

    fn heard(&mut self, message: Message) {
        // Whoever could not know whether a message was stored has sent it again.
        if self.ids.insert(message.id.clone()) {
            self.file.messages.push(message);
        }
    }

    /// A line that is no message and is kept aside.
    fn damaged(&mut self, why: String) -> bool {
        if self.file.damaged.len() < NAMED_MAX {
            self.file.damaged.push(why);
        } else {
            self.unnamed += 1;
        }
        true
    }
}

/// Reads the whole of a file from `owner`'s mailbox; `origin` names it.
pub fn read_all(bytes: &[u8], owner: &MemberName, origin: &str, log: &Log) -> MailFile {
    let mut reading = Reading::new(owner, origin.to_owned(), log);
    for (number, line) in super::lines(bytes) {
        reading.line(number as u64, line);
    }
    reading.file()
}
