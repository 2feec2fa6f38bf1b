//! The conversation that a transcript makes: what a request says, and where the member goes on.

use std::{collections::HashSet, sync::Arc};

use super::{
    Compacted, Entry, Gap, HandoverState, Mended, Shortening, excerpt, heal::Healing, last_mark,
    numbering, render, server_tools, shorten, sources::Sources,
};
use crate::{
    block::{Block, Media},
    estimate::tokens,
    id::ConversationId,
    mail::{Message, MessageId},
    model::{ChatMessage, Origin, Reply, Role, StopReason},
    tool::{CallId, ToolCall},
};

/// The transcript folded into what a request needs.
#[derive(Debug, Default)]
pub struct Conversation {
    messages: Vec<Arc<ChatMessage>>,
    heard: HashSet<MessageId>,
    length: u64,
    last_reply: Option<LastReply>,
    /// Whether something came after the last answer that a model reads or that ends a turn.
    has_entries_after_reply: bool,
    /// A turn has begun and not ended.
    in_turn: bool,
    /// Mail that no answer has followed yet.
    unanswered_mail: Vec<Block>,
    /// The tokens of the whole, as the last answer counted them.
    counted: Option<u64>,
    bytes: usize,
    media: Media,
    pub(super) handover: HandoverState,
    pub(super) sources: Sources,
}

/// The parts of the last answer that matter later.
#[derive(Debug, Clone)]
struct LastReply {
    at: u64,
    open: Vec<ToolCall>,
    text: String,
    stop: StopReason,
}

/// The state of a conversation; what to do next follows from it.
#[derive(Debug, Clone, PartialEq)]
pub enum ResumePoint {
    /// Nothing to answer: empty, or the turn is over.
    Idle,
    /// The model has ended the turn; `turn` is its number.
    Finished {
        /// The entry that holds it.
        turn: u64,
        text: String,
    },
    /// Tool calls have no outcome yet.
    OpenCalls(Vec<ToolCall>),
    CallModel,
}

impl Conversation {
    /// Folds a whole transcript, from which no line is missing as far as anybody knows, to the conversation in which it ends.
    /// Of others only the ids of heard mail count.
    pub fn of(entries: impl IntoIterator<Item = Entry>) -> Self {
        Self::found(entries.into_iter().collect(), &[]).0
    }

    /// Folds a transcript as it was found: whatever is missing, each wire accepts the result. Reports what was mended. The
    /// gaps are in ascending order.
    pub fn found(entries: Vec<Entry>, gaps: &[Gap]) -> (Self, Mended) {
        let length = numbering::length(entries.len(), gaps);
        let last = last_mark(entries.iter());
        let mut current = ConversationId::FIRST;
        let mut conversation = Self::default();
        let mut healing = Healing::default();
        for (at, entry) in numbering::numbers(gaps).zip(entries) {
            if let Entry::Conversation(id) = entry {
                current = id;
            }
            if current == last {
                conversation.push_mended(&healing.take(entry), at);
            } else {
                conversation.pass_over(&entry, at);
            }
        }
        let mended = conversation.end(healing);
        conversation.length = length.max(conversation.length);
        (conversation, mended)
    }

    /// Takes the replacement of entry number `at`.
    fn push_mended(&mut self, entries: &[Entry], at: u64) {
        for entry in entries {
            self.length = at;
            self.push(entry);
        }
        self.length = at + 1;
    }

    fn end(&mut self, healing: Healing) -> Mended {
        let (entries, mended) = healing.finish();
        let length = self.length;
        for entry in &entries {
            self.push(entry);
        }
        self.length = length;
        mended
    }

    /// Takes entry number `at`, of another conversation.
    fn pass_over(&mut self, entry: &Entry, at: u64) {
        if let Entry::Heard(mail) = entry {
            self.heard.extend(mail.iter().map(|mail| mail.id.clone()));
        }
        self.length = at + 1;
    }

    /// Takes the next entry of the same conversation.
    pub fn push(&mut self, entry: &Entry) {
        self.sources.push(entry, self.length);
        let heard = self.heard_blocks().len();
        self.handover.follow(entry, self.length, heard);
        match entry {
            Entry::MemoryReset => {
                self.clear();
                self.unanswered_mail.clear();
                self.last_reply = None;
                self.in_turn = false;
            }
            Entry::Heard(mail) => {
                self.heard
                    .extend(mail.iter().map(|message| message.id.clone()));
                let blocks = render::mail_blocks(mail);
                self.unanswered_mail.extend(blocks.iter().cloned());
                self.push_user(blocks);
                if mail.iter().any(Message::wakes) {
                    self.in_turn = true;
                }
            }
            Entry::Answered(reply) => self.answer(reply),
            Entry::ToolOutcomes(outcomes) => {
                if let Some(last) = &mut self.last_reply {
                    let done: HashSet<&CallId> = outcomes.iter().map(|(id, _)| id).collect();
                    last.open.retain(|call| !done.contains(&call.id));
                }
                self.push_user(
                    outcomes
                        .iter()
                        .map(|(id, outcome)| Block::tool_result(id, outcome)),
                );
            }
            Entry::Prompted(text) => {
                self.push_user([Block::text(text)]);
                self.in_turn = true;
            }
            Entry::TurnEnded(_) => self.in_turn = false,
            Entry::Shortened { calls, mail, .. } => self.shorten(calls, mail),
            Entry::Compacted(compacted) => self.replace(compacted),
            Entry::Taken { .. }
            | Entry::Conversation(_)
            | Entry::HandedOver(_)
            | Entry::SummaryFailed { .. } => {}
        }
        self.has_entries_after_reply = match entry {
            Entry::Answered(_) => false,
            Entry::MemoryReset
            | Entry::Conversation(_)
            | Entry::Heard(_)
            | Entry::ToolOutcomes(_)
            | Entry::Prompted(_)
            | Entry::TurnEnded(_) => true,
            Entry::Taken { .. }
            | Entry::HandedOver(_)
            | Entry::Shortened { .. }
            | Entry::Compacted(_)
            | Entry::SummaryFailed { .. } => self.has_entries_after_reply,
        };
        self.length += 1;
    }

    fn clear(&mut self) {
        self.messages.clear();
        (self.counted, self.bytes, self.media) = (None, 0, Media::default());
    }

    fn shorten(&mut self, calls: &[CallId], mail: &[MessageId]) {
        shorten::shorten(&mut self.messages, calls, mail);
        let blocks = self.messages.iter().flat_map(|message| &message.blocks);
        let (bytes, media) = measured(blocks);
        self.media = media;
        let freed = tokens(self.bytes.saturating_sub(bytes));
        self.counted = self.counted.map(|counted| counted.saturating_sub(freed));
        self.bytes = bytes;
    }

    fn replace(&mut self, compacted: &Compacted) {
        let most = usize::try_from(compacted.mail_bytes_max).unwrap_or(usize::MAX);
        self.unanswered_mail = excerpt::cut(&self.unanswered_mail, most);
        self.clear();
        let summary = Block::text(&format!(
            "To free context, the conversation before this was replaced by your own summary of it:\n\n<summary>\n{}\n</summary>",
            compacted.summary.trim()
        ));
        let state = Block::text(&compacted.recap);
        self.push_user(
            [summary, state]
                .into_iter()
                .chain(self.unanswered_mail.clone()),
        );
    }

    fn answer(&mut self, reply: &Reply) {
        let open = reply.calls();
        self.in_turn = !open.is_empty() || reply.stop.is_interim();
        self.unanswered_mail.clear();
        self.last_reply = Some(LastReply {
            at: self.length,
            text: reply.text(),
            stop: reply.stop.clone(),
            open,
        });
        // A wire refuses an empty assistant message, and there is nothing in it to keep.
        if !reply.blocks.is_empty() {
            let origin = Origin::new(reply.wire, &reply.model);
            self.add(Role::Assistant, reply.blocks.clone(), Some(origin));
        }
        // The estimate of an answer would leave out what came after it.
        self.counted = reply.usage.context();
    }

    fn push_user(&mut self, blocks: impl IntoIterator<Item = Block>) {
        self.add(Role::User, blocks.into_iter().collect(), None);
    }

    /// Adds blocks, joining them to the last message if it has the same role: the wires want roles to alternate.
    fn add(&mut self, role: Role, blocks: Vec<Block>, origin: Option<Origin>) {
        if blocks.is_empty() {
            return;
        }
        let (bytes, media) = measured(&blocks);
        self.bytes += bytes;
        self.media += media;
        match self.messages.last_mut() {
            Some(last) if last.role == role => match Arc::get_mut(last) {
                Some(last) if last.origin == origin => last.extend(blocks),
                Some(_) | None => {
                    let mut joined = last.blocks.clone();
                    joined.extend(blocks);
                    // An answer whose parts came from two models is native to neither.
                    let origin = origin.filter(|origin| last.origin.as_ref() == Some(origin));
                    *last = Arc::new(ChatMessage::new(role, joined, origin));
                }
            },
            last => {
                if let Some(answer) = last {
                    pair_server_tools(answer);
                }
                let message = ChatMessage::new(role, blocks, origin);
                self.messages.push(Arc::new(message));
            }
        }
    }

    /// The blocks that were heard since the last answer.
    pub(super) fn heard_blocks(&self) -> &[Block] {
        match self.messages().last() {
            Some(last) if last.role == Role::User => &last.blocks,
            Some(_) | None => &[],
        }
    }

    /// The messages of the next request.
    pub fn messages(&self) -> &[Arc<ChatMessage>] {
        &self.messages
    }

    /// The messages of a request that asks the model something about the conversation, which stays as it is. With
    /// `bytes_max`, of an excerpt of about so many bytes.
    pub fn with_question(&self, question: &str, bytes_max: Option<usize>) -> Vec<Arc<ChatMessage>> {
        let mut messages = match bytes_max {
            Some(bytes_max) => excerpt::excerpt(&self.messages, bytes_max),
            None => self.messages.clone(),
        };
        let mut blocks = match messages.last() {
            Some(last) if last.role == Role::User => {
                let blocks = last.blocks.clone();
                messages.pop();
                blocks
            }
            Some(_) | None => Vec::new(),
        };
        if let Some(answer) = messages.last_mut() {
            pair_server_tools(answer);
        }
        blocks.push(Block::text(question));
        messages.push(Arc::new(ChatMessage::new(Role::User, blocks, None)));
        messages
    }

    /// How many tokens of the model's context the conversation takes: what the last answer counted, or, where nothing
    /// was counted yet, an estimate.
    pub fn tokens(&self) -> u64 {
        self.counted.unwrap_or_else(|| tokens(self.bytes))
    }

    /// How many bytes it has; pictures count as if they were short texts.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether an answer of the model is still part of the request.
    pub fn has_answers(&self) -> bool {
        self.messages.len() > 1
    }

    /// Whether it ends with an answer that ended only because the context was full.
    pub fn ends_unfinished(&self) -> bool {
        let is_cut = |last: &LastReply| last.stop == StopReason::ContextFull;
        !self.has_entries_after_reply && self.last_reply.as_ref().is_some_and(is_cut)
    }

    /// The old outcomes of tools, and old attachments, that can be shortened.
    pub fn shortening(&self) -> Option<Shortening> {
        shorten::plan_shortening(&self.messages)
    }

    /// The old pictures and documents that have to leave, if there are more than a request may have.
    pub fn surplus_media(&self) -> Option<Shortening> {
        shorten::plan_media(&self.messages, self.media)
    }

    /// The pictures and documents that it sends.
    pub fn media(&self) -> Media {
        self.media
    }

    /// Whether a message with this id is in the transcript.
    pub fn has_heard(&self, id: &MessageId) -> bool {
        self.heard.contains(id)
    }

    /// How many entries the transcript has; numbers the next one.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The entry that holds the last answer: numbers the calls it makes for ever.
    pub fn last_answer(&self) -> Option<u64> {
        self.last_reply.as_ref().map(|last| last.at)
    }

    /// Calls of the last answer that have no outcome.
    pub fn open_calls(&self) -> Vec<CallId> {
        let open = self.last_reply.as_ref().map(|last| &last.open);
        let open = open.into_iter().flatten();
        open.map(|call| call.id.clone()).collect()
    }

    /// Where the conversation stands.
    pub fn resume_point(&self) -> ResumePoint {
        if let Some(last) = &self.last_reply
            && !last.open.is_empty()
        {
            return ResumePoint::OpenCalls(last.open.clone());
        }
        if self.in_turn {
            return if self.messages.is_empty() {
                ResumePoint::Idle
            } else {
                ResumePoint::CallModel
            };
        }
        match &self.last_reply {
            Some(last) if !self.has_entries_after_reply && last.stop != StopReason::Pause => {
                ResumePoint::Finished {
                    turn: last.at,
                    text: last.text.clone(),
                }
            }
            Some(_) | None => ResumePoint::Idle,
        }
    }
}

/// The bytes that blocks take of a context, and the media in them.
fn measured<'a>(blocks: impl IntoIterator<Item = &'a Block>) -> (usize, Media) {
    let all = (0, Media::default());
    blocks.into_iter().fold(all, |(bytes, media), block| {
        let (weight, of_block) = block.measured();
        (bytes + weight, media + of_block)
    })
}

/// Pairs the server's tools in an answer that has ended: no more parts of it come.
fn pair_server_tools(message: &mut Arc<ChatMessage>) {
    if message.role == Role::Assistant
        && let Some(blocks) = server_tools::paired(&message.blocks, !message.call_ids().is_empty())
    {
        *message = Arc::new(ChatMessage::new(
            message.role,
            blocks,
            message.origin.clone(),
        ));
    }
}
