//! The client of a measurement: an agent's updates joined, counted and bounded, and its questions answered by a rule.

use std::{collections::BTreeMap, sync::Mutex};

use teammate_core::{lock::Hold, port::BoxFuture};

use crate::acp::{
    connection::Client,
    question::{Question, QuestionAnswer},
    update::Update,
};

/// How much text is kept, in bytes. What comes beyond is counted only.
const TEXT_MAX: usize = 1 << 20;
/// How many different tool calls, questions and oddities are kept.
const LIST_MAX: usize = 200;

/// A client that answers every question alike, and keeps what it heard.
#[derive(Debug)]
pub struct TrialClient {
    verdict: QuestionAnswer,
    heard: Mutex<Heard>,
}

/// The updates since the last look.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heard {
    /// Words of the agent, joined.
    pub(crate) text: String,
    /// Prompts of the past, joined: of a session that is loaded.
    pub(crate) prompts: String,
    pub(crate) updates: u64,
    /// Tool calls: how far each is.
    pub(crate) calls: BTreeMap<String, String>,
    /// Kinds of tool calls that were asked about.
    pub(crate) questions: Vec<String>,
    pub(crate) oddities: Vec<String>,
    pub(crate) money: bool,
    pub(crate) tokens: bool,
    /// Turns that came to their end.
    pub(crate) turns: u32,
}

impl TrialClient {
    /// Answers so.
    pub fn answering(verdict: QuestionAnswer) -> Self {
        Self {
            verdict,
            heard: Mutex::default(),
        }
    }

    /// Takes the updates until now; from now on it begins anew.
    pub(crate) fn take(&self) -> Heard {
        std::mem::take(&mut self.heard.hold())
    }

    /// How many questions there were.
    pub(crate) fn questions(&self) -> usize {
        self.heard.hold().questions.len()
    }

    /// A turn came to its end.
    pub(crate) fn ended(&self, has_tokens: bool) {
        self.hear(|heard| {
            heard.turns += 1;
            heard.tokens |= has_tokens;
        });
    }

    fn hear(&self, hear: impl FnOnce(&mut Heard)) {
        hear(&mut self.heard.hold());
    }
}

impl Client for TrialClient {
    fn updated(&self, _: &str, update: Update) {
        self.hear(|heard| {
            heard.updates += 1;
            match update {
                Update::Text(text) => join(&mut heard.text, &text),
                Update::Prompt(text) => join(&mut heard.prompts, &text),
                Update::Tool(part) => {
                    if heard.calls.len() < LIST_MAX || heard.calls.contains_key(&part.call) {
                        let status = heard.calls.entry(part.call).or_default();
                        if !part.status.is_empty() {
                            *status = part.status;
                        }
                    }
                }
                Update::Usage { cost, .. } => {
                    heard.tokens = true;
                    heard.money |= cost.is_some();
                }
                Update::Thought(_) | Update::Mode(_) | Update::Other(_) => {}
            }
        });
    }

    fn asked<'a>(&'a self, question: &'a Question) -> BoxFuture<'a, QuestionAnswer> {
        self.hear(|heard| keep(&mut heard.questions, &question.kind));
        Box::pin(async { self.verdict })
    }

    fn noted(&self, oddity: &str) {
        self.hear(|heard| {
            if !heard.oddities.iter().any(|known| known == oddity) {
                keep(&mut heard.oddities, oddity);
            }
        });
    }
}

fn join(to: &mut String, text: &str) {
    let left = TEXT_MAX.saturating_sub(to.len());
    to.push_str(&text[..text.floor_char_boundary(left)]);
}

fn keep(list: &mut Vec<String>, word: &str) {
    if list.len() < LIST_MAX {
        list.push(word.to_owned());
    }
}
