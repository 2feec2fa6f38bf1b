//! Mail lines: one JSON object a line, readable with `cat` and writable with `echo`.
//!
//! ```json
//! {"id":"…","type":"message","from":"alice","to":"bob","content":"hi","timestamp":1732230000.5}
//! ```
//!
//! In a mailbox the last keys are the digest of the line before and the program's seal
//! ([`chain`](super::chain)). A line without them is read leniently (no `id`, `sender` for `from`,
//! `ts` for `timestamp`, further keys at the top level), but only as plain text from
//! [`Sender::Unverified`]. Mail in a transcript, which only its owner writes, has no seals.

mod annotations;

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use teammate_core::{
    Incarnation, MemberName, Message, MessageId, MessageKind, Sender, Timestamp,
    attachment::ATTACHMENTS_BYTES_MAX,
    mail::{CONTENT_BYTES_MAX, ClaimedSender, Metadata, PRETENDED_KIND},
    port::MailError,
};
use uuid::Uuid;

use self::annotations::Annotations;
use super::chain::{LINK_BYTES, LineDigest, Log};

/// The most bytes a line may have, without attachments.
pub const LINE_BYTES_MAX: usize = 256 * 1024;

/// The most bytes a line of the user's may have, with all the attachments that a message may have.
const ATTACHED_LINE_BYTES_MAX: usize = LINE_BYTES_MAX + ATTACHMENTS_BYTES_MAX;

/// The most bytes that unverified lines of one file take in what the model reads. The rest counts as damage.
const UNSEALED_BYTES_MAX: usize = 8 * 1024 * 1024;

/// The bytes that an unsealed message takes besides its text: each is shown with a notice that warns of it.
const UNSEALED_NOTICE_BYTES: usize = 400;

/// The most damaged lines that are named one by one.
const NAMED_MAX: usize = 100;

/// The namespace of the ids of unverified lines.
const NAMESPACE: Uuid = Uuid::from_u128(0x6d61_696c_2d77_6974_686f_7574_2d61_6e69);

/// The error for a line without a sender.
const NO_SENDER: &str = "it does not say who sent it";

/// The fields that are written.
#[derive(Serialize)]
struct WrittenMail<'a> {
    id: &'a str,
    r#type: &'a str,
    from: &'a Sender,
    to: &'a str,
    content: &'a str,
    timestamp: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<String>,
    #[serde(skip_serializing_if = "Annotations::is_empty")]
    metadata: Annotations<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    from_incarnation: Option<Incarnation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_incarnation: Option<Incarnation>,
}

/// The fields that are read. Everything that some program leaves out is optional.
#[derive(Deserialize)]
struct ReadLine {
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

/// The most bytes that the message's line may have.
fn line_bytes_max(message: &Message) -> usize {
    match message.metadata.attachments.is_empty() {
        true => LINE_BYTES_MAX,
        false => ATTACHED_LINE_BYTES_MAX,
    }
}

/// The length of an object's sealed line, with its line end.
pub fn line_bytes(object: &str) -> usize {
    object.len() + LINK_BYTES
}

/// Writes a message as [`to_json`] does.
///
/// Errors: [`MailError::TooLarge`] if no mailbox takes it.
pub fn object_within_limits(message: &Message) -> Result<String, MailError> {
    let too_large = |bytes, max| Err(MailError::TooLarge { bytes, max });
    if message.content.len() > CONTENT_BYTES_MAX {
        return too_large(message.content.len(), CONTENT_BYTES_MAX);
    }
    let object = to_json(message);
    let (bytes, bytes_max) = (line_bytes(&object), line_bytes_max(message));
    if bytes > bytes_max {
        return too_large(bytes, bytes_max);
    }
    Ok(object)
}

/// Writes a message as a JSON object on one line.
pub fn to_json(message: &Message) -> String {
    let line = WrittenMail {
        id: message.id.as_str(),
        r#type: message.kind.as_str(),
        from: &message.from,
        to: message.to.as_str(),
        content: &message.content,
        timestamp: message.sent_at.as_seconds(),
        request_id: message.request_id.map(|id| id.to_string()),
        metadata: Annotations::of(message),
        from_incarnation: message.from_incarnation,
        to_incarnation: message.to_incarnation,
    };
    // Strings, finite numbers and maps with string keys always serialise.
    serde_json::to_string(&line).expect("a line of plain values is JSON")
}

/// Reads a message that [`to_json`] wrote, and trusts it.
///
/// Errors: what is wrong with it, in words for the user.
pub fn read(text: &str) -> Result<Message, String> {
    let read = parsed(text)?;
    let kind = kind(read.r#type.as_deref())?;
    let from = Sender::try_from(read.from.ok_or(NO_SENDER)?)
        .map_err(|error| format!("its sender is no member: {error}"))?;
    let mut others = annotations::flattened(read.metadata, read.rest);
    let request_id = annotations::request_id(read.request_id, &mut others);
    let wakes = annotations::wakes(kind, &mut others);
    Ok(Message {
        id: id(&read.id.ok_or("it has no id")?)?,
        kind,
        metadata: annotations::metadata(&from, others),
        from,
        from_incarnation: read.from_incarnation,
        to: MemberName::parse(&read.to.ok_or("it is addressed to nobody")?)
            .map_err(|error| format!("it is addressed to no member: {error}"))?,
        to_incarnation: read.to_incarnation,
        content: content(read.content)?,
        sent_at: sent_at(read.timestamp.as_ref()),
        request_id,
        wakes,
    })
}

/// Reads a line without a valid seal, as an unverified message to `owner`: plain text whatever kind
/// it claims, for no incarnation and no request. Its id derives from its bytes and from the id that
/// it claims, or from `origin` (file and line); it never equals an id that the team sends.
fn unverified(text: &str, owner: &MemberName, origin: &str) -> Result<UnverifiedMail, String> {
    let read = parsed(text)?;
    let from = read.from.ok_or(NO_SENDER)?;
    let kind = kind(read.r#type.as_deref())?;
    let cause = match &read.id {
        Some(claimed) => format!("{owner}/{}/{text}", id(claimed)?),
        None => format!("{owner}/{origin}/{text}"),
    };
    let mut others = annotations::flattened(read.metadata, read.rest);
    let pretends = (!matches!(kind, MessageKind::Message | MessageKind::Broadcast)).then_some(kind);
    if let Some(kind) = pretends {
        others.insert(PRETENDED_KIND.to_owned(), kind.as_str().into());
    }
    let message = Message {
        id: MessageId::derived(NAMESPACE, &cause),
        kind: MessageKind::Message,
        from: Sender::Unverified(ClaimedSender::new(&from)),
        from_incarnation: None,
        to: owner.clone(),
        to_incarnation: None,
        content: content(read.content)?,
        sent_at: sent_at(read.timestamp.as_ref()),
        request_id: None,
        wakes: None,
        metadata: Metadata::of_others(others),
    };
    Ok(UnverifiedMail {
        message,
        pretends,
        claims: from,
    })
}

/// Reads a line of any version, from any writer: as it claims to be, or else as unverified.
///
/// Errors: what is wrong with it, in words for the user.
pub fn read_unproven(line: &[u8], owner: &MemberName, origin: &str) -> Result<Message, String> {
    let text = checked(line, LINE_BYTES_MAX)?;
    match read(text) {
        Ok(message) if message.to == *owner => Ok(message),
        Ok(_) | Err(_) => unverified(text, owner, origin).map(|unverified| unverified.message),
    }
}

fn checked(line: &[u8], bytes_max: usize) -> Result<&str, String> {
    if line.len() > bytes_max {
        return Err(too_long(line.len() as u64));
    }
    std::str::from_utf8(line).map_err(|_| "it is not UTF-8".to_owned())
}

fn too_long(bytes: u64) -> String {
    format!("it has {bytes} bytes, at most {LINE_BYTES_MAX} are allowed")
}

fn parsed(text: &str) -> Result<ReadLine, String> {
    if !text.trim_start().starts_with('{') {
        return Err("it is not a JSON object".to_owned());
    }
    let mut read: ReadLine = serde_json::from_str(text).map_err(|error| error.to_string())?;
    // The keys that the program adds to a message.
    if read.rest.shift_remove("seal").is_some() {
        read.rest.shift_remove("prev");
    }
    Ok(read)
}

fn id(text: &str) -> Result<MessageId, String> {
    MessageId::parse(text).ok_or_else(|| "its id is empty or too long".to_owned())
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
        // Another program's word for an idle notification, and a missing type.
        Some("result") | None => Ok(MessageKind::Message),
        Some(word) => MessageKind::parse(word)
            .ok_or_else(|| format!("its type '{}' is not known", word.escape_debug())),
    }
}

/// An unverified message.
struct UnverifiedMail {
    message: Message,
    pretends: Option<MessageKind>,
    claims: String,
}

/// A line without a valid seal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnverifiedLines {
    /// The kind that it claims, unless plain mail.
    pub pretends: Option<MessageKind>,
    /// The sender that it claims.
    pub claims: String,
}

/// The content of a mail file.
#[derive(Debug, Default)]
pub struct MailFile {
    /// The messages in order; of several with the same id, the first.
    pub messages: Vec<Message>,
    pub damaged: Vec<String>,
    /// The lines among the messages that are unverified.
    pub unsealed: Vec<UnverifiedLines>,
    /// Missing, changed or moved lines, in sentences for the user.
    pub gaps: Vec<String>,
}

/// Reads a mail file line by line.
pub struct MailReader<'a> {
    owner: &'a MemberName,
    origin: String,
    log: &'a Log,
    file: MailFile,
    ids: HashSet<MessageId>,
    /// The digest of the line before.
    prev: LineDigest,
    unsealed_bytes: usize,
    unnamed: u64,
}

impl<'a> MailReader<'a> {
    /// A reader for a file of `owner`'s mailbox; `origin` names the file.
    pub fn new(owner: &'a MemberName, origin: String, log: &'a Log) -> Self {
        Self {
            owner,
            origin,
            log,
            file: MailFile::default(),
            ids: HashSet::new(),
            prev: LineDigest::NONE,
            unsealed_bytes: 0,
            unnamed: 0,
        }
    }

    /// Reads the line with this number, which is not blank. True if it goes to quarantine.
    pub fn line(&mut self, number: u64, line: &[u8]) -> bool {
        let prev = std::mem::replace(&mut self.prev, LineDigest::of(line));
        let text = match checked(line, ATTACHED_LINE_BYTES_MAX) {
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
        // Only proven mail has attachments.
        if line.len() > LINE_BYTES_MAX {
            return self.damaged(too_long(line.len() as u64));
        }
        self.unsealed_bytes += line.len() + UNSEALED_NOTICE_BYTES;
        if self.unsealed_bytes > UNSEALED_BYTES_MAX {
            let why = "there is more mail from somebody unknown than is heard at once";
            return self.damaged(why.to_owned());
        }
        let origin = format!("{}/{number}", self.origin);
        match unverified(text, self.owner, &origin) {
            Ok(unverified) => {
                self.file.unsealed.push(UnverifiedLines {
                    pretends: unverified.pretends,
                    claims: unverified.claims,
                });
                self.heard(unverified.message);
                true
            }
            Err(why) => self.damaged(why),
        }
    }

    /// Counts a line that was too long to be held.
    pub fn too_long(&mut self, bytes: u64) {
        // No sealed line links to it, so the next one reports it as missing.
        self.prev = LineDigest::NONE;
        let _ = self.damaged(too_long(bytes));
    }

    /// The result.
    pub fn file(mut self) -> MailFile {
        if self.unnamed > 0 {
            self.file
                .damaged
                .push(format!("{} more lines are no messages", self.unnamed));
        }
        self.file
    }

    fn heard(&mut self, message: Message) {
        // A sender that does not know whether a message was stored sends it again.
        if self.ids.insert(message.id.clone()) {
            self.file.messages.push(message);
        }
    }

    /// Adds a line that is no message. Returns true: it goes to quarantine.
    fn damaged(&mut self, why: String) -> bool {
        if self.file.damaged.len() < NAMED_MAX {
            self.file.damaged.push(why);
        } else {
            self.unnamed += 1;
        }
        true
    }
}

/// Reads a whole file of `owner`'s mailbox; `origin` names it.
pub fn read_all(bytes: &[u8], owner: &MemberName, origin: &str, log: &Log) -> MailFile {
    let mut reading = MailReader::new(owner, origin.to_owned(), log);
    for (number, line) in super::lines(bytes) {
        reading.line(number as u64, line);
    }
    reading.file()
}
