//! Plays: a model that follows a script. For demonstrations, for trying a team out without a key, and for tests.
//!
//! A play (`play`) has scenes for each member; a scene answers the `newest` message. Which scenes
//! are used up follows from the request's history alone, so a resumed team continues where it was.
//! `docs/plays.md` describes the format.

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use serde_json::Value;
use teammate_core::{
    block::Block,
    lock::Hold,
    model::{
        ChatMessage, ModelFailure, ModelRequest, Remedy, Reply, Role, StopReason, StreamPart,
        Usage, Wire,
    },
    port::{BoxFuture, Model, PartSink},
    tool::{CallId, ToolCall, ToolInput},
};

mod newest;
mod play;
mod template;

pub use play::PlayError;

use newest::Newest;
use play::{FailRemedy, Play, Scene};

/// A text is streamed in at most this many parts.
const TEXT_PARTS_MAX: usize = 4;

/// The answer when no scene fits.
const NO_SCENE: &str = "(the play has no scene for this)";

/// A model that plays a script.
#[derive(Debug)]
pub struct Scripted {
    play: Play,
    name: String,
    memory: Mutex<HashMap<Arc<str>, Memory>>,
}

/// A conversation's progress through the play: a cache, so that the history is not replayed for
/// each answer. Only the failures cannot be derived from the history.
#[derive(Debug, Default)]
struct Memory {
    /// The messages that `used` follows from, and the last of them.
    read: usize,
    last: Option<Arc<ChatMessage>>,
    used: Vec<bool>,
    failed: HashMap<usize, u32>,
}

/// The next cue of a play.
enum Cue<'a> {
    Scene(&'a Scene),
    Fail(&'a Scene, &'a play::Fail),
    Nothing,
}

impl Scripted {
    /// Reads the play in a file. Errors name the file, the line and what was expected.
    pub fn load(path: &Path) -> Result<Self, PlayError> {
        let text = std::fs::read_to_string(path).map_err(|error| PlayError::Unreadable {
            path: path.to_owned(),
            why: error.to_string(),
        })?;
        Self::read(&path.display().to_string(), &text)
    }

    /// Reads a play from its text; `name` is what errors call it.
    pub fn read(name: &str, text: &str) -> Result<Self, PlayError> {
        Ok(Self {
            play: Play::read(name, text)?,
            name: format!("scripted:{name}"),
            memory: Mutex::default(),
        })
    }

    async fn perform(
        &self,
        request: ModelRequest,
        mut parts: PartSink,
    ) -> Result<Reply, ModelFailure> {
        let member = &*request.asker;
        let newest = Newest::of(&request.messages);
        let cue = self.cue(member, &request, &newest);
        if let Cue::Scene(scene) | Cue::Fail(scene, _) = &cue {
            tokio::time::sleep(Duration::from_millis(scene.pause_ms)).await;
        }
        let (blocks, stop) = match cue {
            Cue::Fail(_, fail) => return Err(self.failure(fail)),
            Cue::Nothing => {
                parts(StreamPart::Started);
                stream(NO_SCENE, StreamPart::Text, &mut parts).await;
                (vec![Block::text(NO_SCENE)], StopReason::EndTurn)
            }
            Cue::Scene(scene) => {
                parts(StreamPart::Started);
                let blocks = blocks(scene, &newest, member, &request, &mut parts).await;
                (blocks, scene.stop())
            }
        };
        Ok(self.reply(blocks, stop, &request))
    }

    /// Finds the scene that answers the newest message.
    fn cue(&self, member: &str, request: &ModelRequest, newest: &Newest) -> Cue<'_> {
        let scenes = self.play.scenes(member);
        let mut memory = self.memory.hold();
        let memory = memory.entry(request.conversation.clone()).or_default();
        memory.catch_up(scenes, &request.messages);
        let failing = |at: usize, memory: &Memory| {
            let fail = scenes[at].fail.as_ref()?;
            (memory.failed.get(&at).copied().unwrap_or(0) < fail.times).then_some(fail)
        };
        let found = play::next_scene(scenes, newest, |at| {
            !memory.used[at] && (scenes[at].answers() || failing(at, memory).is_some())
        });
        let Some(at) = found else { return Cue::Nothing };
        if let Some(fail) = failing(at, memory) {
            *memory.failed.entry(at).or_default() += 1;
            return Cue::Fail(&scenes[at], fail);
        }
        Cue::Scene(&scenes[at])
    }

    fn failure(&self, fail: &play::Fail) -> ModelFailure {
        ModelFailure {
            what: format!("{}: {}", self.name, fail.what),
            remedy: match fail.remedy {
                FailRemedy::Retry => Remedy::Retry {
                    after: fail.after_ms.map(Duration::from_millis),
                },
                FailRemedy::Shorten => Remedy::Shorten,
                FailRemedy::Never => Remedy::Never,
            },
        }
    }

    /// An answer with an estimated usage: four bytes to a token.
    fn reply(&self, blocks: Vec<Block>, stop: StopReason, request: &ModelRequest) -> Reply {
        let bytes = |messages: &[Arc<ChatMessage>]| -> usize {
            let blocks = messages.iter().flat_map(|message| &message.blocks);
            blocks.map(|block| block.json().len()).sum()
        };
        let tokens = |bytes: usize| u64::try_from(bytes / 4).unwrap_or(u64::MAX);
        let (known, new) = request
            .messages
            .split_at(request.cached.min(request.messages.len()));
        let system = request.preamble.system.len() + request.identity.len();
        let (read, fresh) = match known {
            [] => (0, system + bytes(new)),
            known => (system + bytes(known), bytes(new)),
        };
        Reply {
            usage: Usage {
                input: tokens(fresh),
                output: tokens(blocks.iter().map(|block| block.json().len()).sum()),
                cache_read: tokens(read),
                ..Usage::default()
            },
            blocks,
            stop,
            model: self.name.clone(),
            wire: Wire::Plain,
        }
    }
}

impl Memory {
    /// Replays the history: each answer in it used up its scene.
    fn catch_up(&mut self, scenes: &[Scene], messages: &[Arc<ChatMessage>]) {
        let is_same = match (&self.last, self.read.checked_sub(1)) {
            (Some(last), Some(at)) => messages.get(at).is_some_and(|now| Arc::ptr_eq(now, last)),
            _ => false,
        };
        if !is_same {
            self.read = 0;
            self.last = None;
            self.used = vec![false; scenes.len()];
        }
        for at in self.read..messages.len() {
            if messages[at].role == Role::User {
                continue;
            }
            let newest = Newest::of(&messages[..at]);
            let used = &self.used;
            let found = play::next_scene(scenes, &newest, |at| !used[at] && scenes[at].answers());
            if let Some(found) = found {
                self.used[found] = !scenes[found].repeat;
            }
            // The history before an answer does not change any more.
            self.read = at + 1;
            self.last = Some(messages[at].clone());
        }
    }
}

impl Model for Scripted {
    fn answer(
        &self,
        request: ModelRequest,
        parts: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>> {
        Box::pin(self.perform(request, parts))
    }

    fn rate_limit_key(&self) -> &str {
        &self.name
    }
}

/// The pieces of a scene's answer, streamed.
async fn blocks(
    scene: &Scene,
    newest: &Newest,
    member: &str,
    request: &ModelRequest,
    parts: &mut PartSink,
) -> Vec<Block> {
    let cue = scene.when.as_ref();
    let mut blocks = Vec::new();
    // Reasoning is streamed but not kept: no server signed it.
    if let Some(thinking) = &scene.thinking {
        let text = template::fill(thinking, newest, cue);
        stream(&text, StreamPart::Thinking, parts).await;
    }
    if let Some(say) = &scene.say {
        let text = template::fill(say, newest, cue);
        stream(&text, StreamPart::Text, parts).await;
        blocks.push(Block::text(&text));
    }
    for (at, call) in scene.calls.iter().enumerate() {
        parts(StreamPart::ToolUse {
            name: call.tool.clone(),
        });
        let mut input = Value::Object(call.input.clone());
        template::fill_value(&mut input, newest, cue);
        blocks.push(Block::tool_use(&ToolCall {
            id: call_id(member, request, at),
            name: call.tool.clone(),
            input: ToolInput::from_json(input.to_string()),
        }));
    }
    blocks
}

/// A call id that depends on the situation only, and differs between situations: also after the
/// history was cleared, and for a later incarnation of the same name.
fn call_id(member: &str, request: &ModelRequest, at: usize) -> CallId {
    let answers = request
        .messages
        .iter()
        .filter(|message| message.role == Role::Assistant);
    let ordinal = answers.count();
    let newest = request.messages.last();
    let newest = newest.iter().flat_map(|message| &message.blocks);
    let hash = newest
        .flat_map(|block| block.json().bytes())
        .chain(request.conversation.bytes())
        // FNV-1a, because ids must not change with the compiler's version.
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    let hash = hash & 0xff_ffff;
    CallId::new(format!("{member}_{ordinal}_{at}_{hash:06x}"))
}

/// Gives a text in a few parts, cut after words.
async fn stream(text: &str, part: fn(String) -> StreamPart, parts: &mut PartSink) {
    let length = text.len() / TEXT_PARTS_MAX + 1;
    let mut piece = String::new();
    for word in text.split_inclusive(char::is_whitespace) {
        piece.push_str(word);
        if piece.len() >= length {
            parts(part(std::mem::take(&mut piece)));
            tokio::task::yield_now().await;
        }
    }
    if !piece.is_empty() {
        parts(part(piece));
    }
}

#[cfg(test)]
mod golden;
#[cfg(test)]
mod tests;
