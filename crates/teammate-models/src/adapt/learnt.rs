//! The parts that one model at one server refuses.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{Arc, Mutex},
};

use teammate_core::{
    lock::Hold,
    model::{ModelProfile, ModelRequest},
};

use super::{
    lessons::{LessonStore, Lessons},
    limit::{self, LowerLimit},
    part::{Part, WORDS},
};

/// The parts that one model at one server refuses.
#[derive(Debug, Default)]
pub(crate) struct Learnt {
    refused: Mutex<Refused>,
    store: Option<Arc<dyn LessonStore>>,
}

#[derive(Debug, Default)]
struct Refused {
    /// What the server refused to this program.
    now: Form,
    /// What it refused to an earlier one: it holds until a refusal puts it in doubt.
    kept: Form,
    /// By conversation: how many of its first messages go without their reasoning.
    reasoning: HashMap<String, usize>,
    /// The context that the server says it has.
    told_context: Option<u64>,
    /// The most tokens of an answer as long as this program runs.
    answer_meanwhile: Option<u32>,
    /// Tools whose schema is refused, by name.
    tools: BTreeSet<String>,
    /// Whether the server was asked for its context.
    was_asked: bool,
    /// Whether something was learnt that is not kept yet.
    is_news: bool,
    /// How often something was learnt, or given up.
    changes: u64,
}

/// How requests must look.
#[derive(Debug, Default, PartialEq)]
struct Form {
    /// Left out, or said in another way.
    parts: BTreeSet<Part>,
    context: Option<u64>,
    /// The most tokens of an answer.
    answer_tokens: Option<u32>,
}

/// The parts that are in messages.
const IN_MESSAGES: [Part; 5] = [
    Part::Pictures,
    Part::Documents,
    Part::UserAfterTool,
    Part::NullContent,
    Part::CallIds,
];

/// The least answer that is worth being asked for, in tokens.
const ANSWER_TOKENS_MIN: u32 = 256;
/// What is kept free for tokens that an estimate has missed, in parts of the estimate: one in so many.
const SLACK: u64 = 8;

impl Refused {
    fn has(&self, part: Part) -> bool {
        self.now.parts.contains(&part) || self.kept.parts.contains(&part)
    }

    /// What a refusal of this program names goes first, then what the server says of itself.
    fn context(&self) -> Option<u64> {
        self.now.context.or(self.told_context).or(self.kept.context)
    }

    fn answer_tokens(&self) -> Option<u32> {
        let lasting = self.now.answer_tokens.or(self.kept.answer_tokens);
        [lasting, self.answer_meanwhile].into_iter().flatten().min()
    }

    fn lessons(&self) -> Lessons {
        Lessons::new(&self.now.parts, self.now.context, self.now.answer_tokens)
    }
}

impl Learnt {
    /// With what earlier programs have kept there. `is_context_set`: the user says what the context is.
    pub(crate) fn with(store: Arc<dyn LessonStore>, is_context_set: bool) -> Self {
        let known = store.known();
        let kept = Form {
            parts: known.parts(),
            context: known.context_tokens.filter(|_| !is_context_set),
            answer_tokens: known.answer_tokens,
        };
        Self {
            refused: Mutex::new(Refused {
                kept,
                ..Refused::default()
            }),
            store: Some(store),
        }
    }

    /// Keeps what was learnt since the last time.
    pub(crate) async fn keep_news(&self) {
        let lessons = {
            let mut refused = self.refused.hold();
            match std::mem::take(&mut refused.is_news) {
                true => refused.lessons(),
                false => return,
            }
        };
        if !lessons.is_empty() {
            self.stored(move |store| store.keep(&lessons)).await;
        }
    }

    /// Lets go of what earlier programs have kept, after a refusal that nothing else explains. False if nothing was kept, so that
    /// asking again would give the same answer.
    pub(crate) async fn doubt_kept(&self) -> bool {
        let lessons = {
            let mut refused = self.refused.hold();
            if std::mem::take(&mut refused.kept) == Form::default() {
                return false;
            }
            refused.changes += 1;
            refused.lessons()
        };
        self.stored(move |store| store.replace(&lessons)).await;
        true
    }

    /// How often something was learnt, or given up: a request that was made at another number may be taken if it is made anew.
    pub(crate) fn changes(&self) -> u64 {
        self.refused.hold().changes
    }

    /// Does this with files, beside what waits.
    async fn stored(&self, does: impl FnOnce(&dyn LessonStore) + Send + 'static) {
        let Some(store) = self.store.clone() else {
            return;
        };
        // What is not kept is learnt anew.
        let _ = tokio::task::spawn_blocking(move || does(&*store)).await;
    }

    /// Whether the server refused this part before.
    pub(crate) fn refuses(&self, part: Part) -> bool {
        self.refused.hold().has(part)
    }

    /// The form of messages that the server takes: another number where it refuses other parts of them.
    pub(crate) fn message_form(&self) -> u8 {
        let refused = self.refused.hold();
        IN_MESSAGES
            .iter()
            .fold(0, |form, part| form << 1 | u8::from(refused.has(*part)))
    }

    /// Whether the server refused the schema of this tool.
    pub(crate) fn refuses_tool(&self, name: &str) -> bool {
        self.refused.hold().tools.contains(name)
    }

    /// Whether the server refused the schema of any tool: tools that were rendered before do not fit any more.
    pub(crate) fn has_refused_tools(&self) -> bool {
        !self.refused.hold().tools.is_empty()
    }

    /// The most tokens that the answer to a request can have: no more than the server gives, and than its context has room for.
    pub(crate) fn answer_limit(&self, request: &ModelRequest, context: Option<u64>) -> u32 {
        let (most, known) = {
            let refused = self.refused.hold();
            (refused.answer_tokens(), refused.context())
        };
        let wanted = request.max_tokens.min(most.unwrap_or(u32::MAX));
        let Some(context) = known.or(context) else {
            return wanted;
        };
        let prompt = request.estimated_tokens();
        let room = context.saturating_sub(prompt + prompt / SLACK);
        match u32::try_from(room) {
            Ok(room) => wanted.min(room.max(ANSWER_TOKENS_MIN)),
            Err(_) => wanted,
        }
    }

    /// Learns from a refusal of `sent` tokens for the answer how many there can be. `Some` if fewer are worth a try.
    pub(crate) fn learn_limit(&self, message: &str, sent: u32) -> Option<LowerLimit> {
        let found = limit::lower_limit(message, sent)?;
        let tokens = found.tokens();
        if tokens < ANSWER_TOKENS_MIN || tokens >= sent {
            return None;
        }
        let mut refused = self.refused.hold();
        match found {
            LowerLimit::Always(_) => {
                refused.now.answer_tokens = Some(tokens);
                refused.is_news = true;
                refused.changes += 1;
            }
            LowerLimit::Meanwhile(_) => refused.answer_meanwhile = Some(tokens),
            LowerLimit::Now(_) => {}
        }
        Some(found)
    }

    /// Learns that the server does not take the schema of one of these tools. The sentence for the user, if it is news.
    pub(crate) fn learn_tool<'a>(
        &self,
        message: &str,
        tools: impl Iterator<Item = &'a str>,
    ) -> Option<String> {
        let lower = message.to_ascii_lowercase();
        let is_about_schema = [
            "schema",
            "function_parameters",
            "input_schema",
            "parameters",
        ];
        if !is_about_schema.iter().any(|word| lower.contains(word)) {
            return None;
        }
        let is_named = |name: &&str| {
            ["'", "\"", "`"]
                .iter()
                .any(|quote| message.contains(&format!("{quote}{name}{quote}")))
                || message.contains(&format!("\\\"{name}\\\""))
        };
        let name = tools.filter(is_named).max_by_key(|name| name.len())?;
        let mut refused = self.refused.hold();
        if !refused.tools.insert(name.to_owned()) {
            return None;
        }
        refused.changes += 1;
        Some(format!(
            "does not take the schema of the tool {name}; from now on it is asked without that tool"
        ))
    }

    /// How many of the first messages of a conversation go without their reasoning.
    pub(crate) fn without_reasoning(&self, conversation: &str) -> usize {
        let refused = self.refused.hold();
        refused.reasoning.get(conversation).copied().unwrap_or(0)
    }

    /// Learns from a refusal with this message. `sent`: the parts that the refused request had. The sentence for the user says
    /// what is left out from now on; `None` if nothing was learnt, so that asking again would give the same answer.
    pub(crate) fn learn(
        &self,
        message: &str,
        sent: &[Part],
        (conversation, messages): (&str, usize),
    ) -> Option<String> {
        let message = message.to_ascii_lowercase();
        let is_named = |words: &[&str]| words.iter().any(|word| message.contains(word));
        let part = WORDS
            .iter()
            .filter(|(part, _)| sent.contains(part))
            .find(|(_, words)| is_named(words))
            .map(|(part, _)| *part)?;
        let mut refused = self.refused.hold();
        if part == Part::Reasoning {
            let known = refused.reasoning.get(conversation).copied().unwrap_or(0);
            if known >= messages {
                return None;
            }
            refused.reasoning.insert(conversation.to_owned(), messages);
        } else if refused.has(part) {
            return None;
        } else {
            refused.now.parts.insert(part);
            refused.is_news = true;
            refused.changes += 1;
        }
        Some(part.sentence().to_owned())
    }

    /// Learns the context that a refusal names. The sentence for the user, if it is news.
    pub(crate) fn learn_context(&self, message: &str) -> Option<String> {
        let tokens = limit::context_in(message)?;
        let mut refused = self.refused.hold();
        if refused.context().is_some_and(|known| known <= tokens) {
            return None;
        }
        refused.now.context = Some(tokens);
        refused.is_news = true;
        refused.changes += 1;
        Some(format!(
            "takes only {tokens} tokens at once; conversations are made shorter for that from now on"
        ))
    }

    /// A profile less what its server has refused.
    pub(crate) fn fit(&self, profile: ModelProfile) -> ModelProfile {
        let refused = self.refused.hold();
        let thinking = profile.thinking;
        ModelProfile {
            context_tokens: refused.context().or(profile.context_tokens),
            answer_tokens: refused.answer_tokens().or(profile.answer_tokens),
            thinking: thinking.filter(|_| !refused.has(Part::Thinking)),
            ..profile
        }
    }

    /// Learns the context that the server tells, if it was not asked before.
    pub(crate) async fn ask_context_once<Answer: Future<Output = Option<u64>>>(
        &self,
        ask: impl FnOnce() -> Answer,
    ) {
        let was_asked = std::mem::replace(&mut self.refused.hold().was_asked, true);
        if was_asked {
            return;
        }
        // While it is asked other requests go on with what is known.
        if let Some(tokens) = ask().await {
            self.refused.hold().told_context = Some(tokens);
        }
    }
}

#[cfg(test)]
mod tests;
