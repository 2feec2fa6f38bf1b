//! Old tool outcomes are replaced by one line each: which tool it was, how long it was, and where the whole is, if
//! a file has it. So are old attachments of the user's messages. What leaves is planned for two reasons: the context is nearly
//! full, or a request would hold too many pictures and documents ([`Media::MAX`]).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use serde::Deserialize;

use crate::{
    MessageId,
    attachment::AttachmentNote,
    block::{Block, BlockView, Media},
    model::{ChatMessage, Role},
    tool::{CallId, FULL_OUTPUT_IN, Outcome},
};

/// The newest outcomes stay as they are: the model is at work with them.
const RECENT_KEPT_WHOLE: usize = 6;

/// Outcomes up to this length are not replaced.
const SHORT_BYTES: usize = 1_000;

/// Outcomes and attachments that can be shortened.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shortening {
    /// The outcomes of these calls, the oldest first.
    pub calls: Vec<CallId>,
    /// The attachments of these messages, the oldest first.
    pub mail: Vec<MessageId>,
    /// How many bytes they weigh, nearly all of which would be gone.
    pub bytes: usize,
}

impl Shortening {
    /// The plan for the outcomes that were found, from the newest on; nothing, if there are none.
    fn found(from_newest: Vec<Shortened>) -> Option<Self> {
        let mut plan = Self::default();
        for Shortened { place, weight, .. } in from_newest.into_iter().rev() {
            plan.bytes += weight;
            match place {
                Place::Outcome(call) => plan.calls.push(call),
                Place::Mail(message) => plan.mail.push(message),
            }
        }
        (plan != Self::default()).then_some(plan)
    }
}

/// Something that becomes shorter as a whole.
struct Shortened {
    place: Place,
    weight: usize,
    media: Media,
    /// No answer has followed it yet.
    is_unseen: bool,
}

#[derive(PartialEq)]
enum Place {
    Outcome(CallId),
    Mail(MessageId),
}

/// A tool result, as far as it is looked into.
#[derive(Deserialize)]
struct ShownOutcome {
    r#type: String,
    tool_use_id: CallId,
    #[serde(default)]
    content: Vec<OutcomeText>,
    #[serde(default)]
    is_error: bool,
}

#[derive(Deserialize)]
struct OutcomeText {
    text: Option<String>,
}

/// The outcomes that can be shortened when the context is nearly full.
pub(super) fn plan_shortening(messages: &[Arc<ChatMessage>]) -> Option<Shortening> {
    let mut outcomes = 0;
    let is_old = |one: &Shortened| match one.place {
        Place::Outcome(_) => {
            outcomes += 1;
            outcomes > RECENT_KEPT_WHOLE && one.weight > SHORT_BYTES
        }
        Place::Mail(_) => outcomes >= RECENT_KEPT_WHOLE,
    };
    Shortening::found(shortenable(messages).into_iter().filter(is_old).collect())
}

/// The pictures and documents that leave when there are more than a request may have: all but the newest of them. Nothing, if
/// there are no more.
pub(super) fn plan_media(messages: &[Arc<ChatMessage>], all: Media) -> Option<Shortening> {
    if all.is_within(Media::MAX) {
        return None;
    }
    let (mut kept, mut is_full) = (Media::default(), false);
    let leaves = |one: &Shortened| {
        // The model has to see what it was just given, as long as a server takes it.
        let bound = if one.is_unseen || kept == Media::default() {
            Media::MAX
        } else {
            Media::KEPT
        };
        is_full |= !(kept + one.media).is_within(bound);
        if !is_full {
            kept += one.media;
        }
        is_full
    };
    let with_media = shortenable(messages)
        .into_iter()
        .filter(|one| one.media != Media::default());
    Shortening::found(with_media.filter(leaves).collect())
}

/// All that can become shorter, from the newest on.
fn shortenable(messages: &[Arc<ChatMessage>]) -> Vec<Shortened> {
    let mut found: Vec<Shortened> = Vec::new();
    for (at, message) in messages.iter().enumerate().rev() {
        let is_unseen = at + 1 == messages.len() && message.role == Role::User;
        for block in message.blocks.iter().rev() {
            let place = match block.attached() {
                Some(attached) => Place::Mail(attached.message.clone()),
                None => match answer(block) {
                    Some(answer) => Place::Outcome(answer.tool_use_id),
                    None => continue,
                },
            };
            let (weight, media) = block.measured();
            match found.last_mut() {
                Some(last) if last.place == place => {
                    last.weight += weight;
                    last.media += media;
                }
                Some(_) | None => found.push(Shortened {
                    place,
                    weight,
                    media,
                    is_unseen,
                }),
            }
        }
    }
    found
}

/// The messages with these outcomes, and the attachments of this mail, shortened.
pub(super) fn shorten(messages: &mut [Arc<ChatMessage>], calls: &[CallId], mail: &[MessageId]) {
    let calls: BTreeSet<&CallId> = calls.iter().collect();
    let mail: BTreeSet<&MessageId> = mail.iter().collect();
    let mut tools = BTreeMap::new();
    for message in messages {
        tools.extend(
            message
                .blocks
                .iter()
                .filter_map(|block| match block.view() {
                    BlockView::ToolUse(call) => Some((call.id, call.name)),
                    BlockView::Text(_) | BlockView::Thinking(_) | BlockView::Other => None,
                }),
        );
        let short: Vec<Option<Block>> = message
            .blocks
            .iter()
            .map(|block| {
                if let Some(attached) = block.attached() {
                    let is_meant = mail.contains(&attached.message);
                    return is_meant.then(|| attachment_placeholder(&attached.file));
                }
                let answer = answer(block).filter(|answer| calls.contains(&answer.tool_use_id))?;
                let tool = tools
                    .get(&answer.tool_use_id)
                    .map_or("a tool", String::as_str);
                Some(placeholder_block(tool, &answer, block.weight()))
            })
            .collect();
        if short.iter().any(Option::is_some) {
            let blocks = short.into_iter().zip(&message.blocks);
            let blocks = blocks.map(|(short, block)| short.unwrap_or_else(|| block.clone()));
            *message = Arc::new(ChatMessage::new(
                message.role,
                blocks.collect(),
                message.origin.clone(),
            ));
        }
    }
}

fn placeholder_block(tool: &str, answer: &ShownOutcome, bytes: usize) -> Block {
    let texts = answer
        .content
        .iter()
        .filter_map(|part| part.text.as_deref());
    let file = texts.rev().find_map(|text| {
        text.rsplit_once(FULL_OUTPUT_IN)?
            .1
            .split([';', '\n'])
            .next()
    });
    let found = match file {
        Some(file) => format!("{FULL_OUTPUT_IN}{file}; read it there if you need it"),
        None => "call it again if you need it".to_owned(),
    };
    let outcome = Outcome {
        is_error: answer.is_error,
        ..Outcome::ok(format!(
            "[{tool}: {bytes} bytes were removed here to free context; {found}]"
        ))
    };
    Block::tool_result(&answer.tool_use_id, &outcome)
}

fn attachment_placeholder(file: &AttachmentNote) -> Block {
    Block::text(&format!(
        "[{file} was removed here to free context; look at the file again or ask the user for it if you need it]"
    ))
}

fn answer(block: &Block) -> Option<ShownOutcome> {
    if block.view() != BlockView::Other {
        return None;
    }
    let answer: ShownOutcome = serde_json::from_str(block.json()).ok()?;
    (answer.r#type == "tool_result").then_some(answer)
}
