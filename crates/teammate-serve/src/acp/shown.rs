//! Events as updates for an editor: the lead's words as they come, members' calls, and in its thoughts what else the team
//! does. The same for what happens now and for the past, whose events have answers whole.

mod calls;
mod diff;
mod kinds;
#[cfg(test)]
mod tests;
mod usage;

pub(crate) use self::kinds::kind;

use std::path::PathBuf;

use serde_json::Value;
use teammate::{Event, EventKind, MemberName, request::Request};
use teammate_view::{News, NewsFold, clean::clean};

use self::{calls::Calls, usage::Used};
use crate::acp::update;

/// Turns events into updates, in their order.
#[derive(Debug)]
pub(crate) struct Shown {
    news: NewsFold,
    calls: Calls,
    usage: Used,
    /// The last words of the user by this editor, which shows them itself.
    own_words: Option<String>,
    /// Whether the lead has said something since the user did.
    has_answered: bool,
}

impl Shown {
    /// For a team that works in this directory, which is absolute.
    pub(crate) fn new(workspace: PathBuf) -> Self {
        Self {
            news: NewsFold::default(),
            calls: Calls::new(workspace),
            usage: Used::default(),
            own_words: None,
            has_answered: false,
        }
    }

    /// The user says this by the editor.
    pub(crate) fn user_says(&mut self, text: &str) {
        self.own_words = Some(text.trim_end().to_owned());
        self.has_answered = false;
    }

    /// The call that a request is about, as the editor knows it, if there is no doubt.
    pub(crate) fn call_of(&self, request: &Request) -> Option<String> {
        let (member, asked) = (request.concerns()?, request.permission()?);
        self.calls.only_open(member, &asked.tool)
    }

    /// The past has been shown: what runs in it has ended with the process that ran it.
    pub(crate) fn past_ends(&mut self) -> Vec<Value> {
        self.has_answered = false;
        self.calls.cut()
    }

    /// Something that the user should read, as a paragraph of its own.
    pub(crate) fn note(&mut self, text: &str) -> Value {
        let begin = match std::mem::take(&mut self.has_answered) {
            true => "\n\n",
            false => "",
        };
        update::answer(&format!("{begin}Note: {}\n\n", clean(text.trim())))
    }

    /// The updates for an event; maybe none.
    pub(crate) fn take(&mut self, event: &Event) -> Vec<Value> {
        // It remembers what must not be said twice.
        let news = self.news.take(event);
        match &event.what {
            EventKind::ToolStarted { .. } => self.calls.started(event).into_iter().collect(),
            EventKind::ToolFinished { .. } => self.calls.finished(event).into_iter().collect(),
            EventKind::ModelAnswered { .. } => {
                let mut updates = self.updates(news);
                updates.extend(self.usage.take(event));
                updates
            }
            EventKind::Spawned { worktree, .. } => {
                self.calls.works_in(&event.member, worktree.as_deref());
                self.updates(news)
            }
            _ => self.updates(news),
        }
    }

    fn is_own(&mut self, to: &MemberName, words: &str) -> bool {
        let own = self.own_words.as_deref().map(clean);
        let is_own = to.is_lead() && own.as_deref() == Some(words);
        if is_own {
            self.own_words = None;
        }
        is_own
    }

    fn updates(&mut self, news: Vec<News>) -> Vec<Value> {
        news.into_iter()
            .filter_map(|one| self.update(one))
            .collect()
    }

    fn update(&mut self, news: News) -> Option<Value> {
        Some(match news {
            News::Answer(text) if std::mem::take(&mut self.has_answered) => {
                update::answer(&format!("\n\n{text}"))
            }
            News::Answer(text) => update::answer(&text),
            News::Thinking(text) => update::thought(&text),
            News::AnswerEnd => {
                self.has_answered = true;
                return None;
            }
            News::Team(text) => update::thought(&format!("{}\n\n", text.plain())),
            News::Line { who, text } | News::Whole { who, text } => {
                update::thought(&format!("{who}: {}\n\n", text.plain()))
            }
            News::Result { who, text } => update::thought(&format!("{who}: {text}\n\n")),
            News::UserSaid { to, text, .. } if self.is_own(&to, &text) => return None,
            News::UserSaid { to, text, files } => {
                self.has_answered = false;
                let to = match to.is_lead() {
                    true => String::new(),
                    false => format!("@{to} "),
                };
                let files: String = files.iter().map(|file| format!("\n{file}")).collect();
                update::user(&format!("{to}{text}{files}"))
            }
            // A call has what it printed; questions and plans are asked.
            News::Printed { .. } | News::Question(_) | News::Plan { .. } => return None,
        })
    }
}
