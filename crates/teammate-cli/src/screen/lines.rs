//! News as lines for the user: coloured, and cut where the terminal ends. What is news, and its words, is the view's.

use teammate::{
    Event, Job,
    request::{RequestId, permission_title},
};
use teammate_view::t;
use teammate_view::{
    AskedPermission, News, NewsFold, asks,
    text::{TextLine, TextRole},
};

use super::{
    Style,
    clean::clean_line,
    requests::{AnswerPlace, PrintedQuestion, plan_text},
    wrap::fit,
};

/// The lines that news become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Rendered {
    /// One or more whole lines.
    Line(String),
    /// Some more of the lead's text.
    Lead(String),
    /// The lead's answer is complete.
    LeadEnd,
}

/// Renders events, as far as they are news.
#[derive(Clone)]
pub(crate) struct EventRenderer {
    style: Style,
    width: Option<usize>,
    news: NewsFold,
    /// Where the user can answer questions.
    answering: AnswerPlace,
    /// Whether this is a log: the user's messages are shown, and results are not cut.
    is_log: bool,
}

impl EventRenderer {
    pub(crate) fn new(style: Style, width: Option<usize>) -> Self {
        Self {
            style,
            width,
            news: NewsFold::default(),
            answering: AnswerPlace::Terminal,
            is_log: false,
        }
    }

    /// Renders a log: the user's messages are shown, and results are not cut.
    pub(crate) fn for_log(self) -> Self {
        Self {
            is_log: true,
            ..self
        }
    }

    /// Questions can be answered at a prompt.
    pub(crate) fn at_prompt(self) -> Self {
        Self {
            answering: AnswerPlace::Prompt,
            ..self
        }
    }

    /// The lines of an event; none if it is not shown.
    pub(crate) fn render(&mut self, event: &Event) -> Vec<Rendered> {
        let news = self.news.take(event);
        news.iter().flat_map(|news| self.shown(news)).collect()
    }

    /// Takes an event that is shown in another way.
    pub(crate) fn hear(&mut self, event: &Event) {
        self.news.take(event);
    }

    /// Text of the lead with its tag, where other members' lines are around it.
    pub(crate) fn by_lead(&self, text: &str) -> String {
        format!("{} {text}", self.tag("lead"))
    }

    fn shown(&self, news: &News) -> Vec<Rendered> {
        let one = |line: String| vec![Rendered::Line(line)];
        match news {
            News::Answer(text) => vec![Rendered::Lead(text.clone())],
            News::Thinking(text) => vec![Rendered::Lead(self.style.dim(text))],
            News::AnswerEnd => vec![Rendered::LeadEnd],
            News::Team(text) => one(self.style.line(text)),
            News::Line { who, text } => one(self.line(who, text)),
            News::Whole { who, text } => {
                one(format!("{} {}", self.tag(who), self.style.line(text)))
            }
            News::Printed {
                who,
                has_head,
                lines,
            } => self.printed(who, *has_head, lines),
            News::Result { who, text } => one(self.result(who, text)),
            News::UserSaid { to, text, files } if self.is_log => {
                let mark = self.style.bold(&t!("[you -> {to}]", to));
                let files = files.iter().map(|file| {
                    let file = t!("  attached: {file}", file);
                    Rendered::Line(self.style.dim(&file))
                });
                let said = Rendered::Line(format!("{mark} {text}"));
                std::iter::once(said).chain(files).collect()
            }
            // It stands where it was typed.
            News::UserSaid { .. } => Vec::new(),
            News::Question(asked) => one(self.question(asked)),
            News::Plan {
                request,
                who,
                shows,
            } => one(self.plan(*request, who, shows)),
        }
    }

    fn tag(&self, who: &str) -> String {
        format!("[{}]", self.style.name(who))
    }

    /// One line that is cut where the terminal ends.
    fn line(&self, who: &str, text: &TextLine) -> String {
        let room = self.width.map(|width| width.saturating_sub(who.len() + 3));
        format!("{} {}", self.tag(who), fit(&self.style.line(text), room))
    }

    /// The output of a call, below the tag; a line about the call already has one.
    fn printed(&self, who: &str, has_head: bool, lines: &[String]) -> Vec<Rendered> {
        let indent = who.len() + 5;
        let room = self.width.map(|width| width.saturating_sub(indent));
        let lines = lines.iter().enumerate().map(|(at, line)| {
            let before = match (at, has_head) {
                (0, false) => format!("{}   ", self.tag(who)),
                _ => " ".repeat(indent),
            };
            Rendered::Line(before + &self.style.dim(&fit(line, room)))
        });
        lines.collect()
    }

    fn result(&self, who: &str, text: &str) -> String {
        if self.is_log {
            let done = self.style.good(t("done:"));
            return format!("{} {done} {text}", self.tag(who));
        }
        let mut line = TextLine::of(t("done:"), TextRole::Good);
        line.push(&clean_line(&format!(" {text}")), TextRole::Plain);
        self.line(who, &line)
    }

    fn question(&self, asked: &AskedPermission) -> String {
        let title = asks(&permission_title(&asked.tool, &asked.shows, None));
        let question = PrintedQuestion {
            id: asked.id,
            asker: asked.who.as_str(),
            title: &title,
            shows: &asked.shows,
            facts: &[],
            rules: &asked.rules,
            left_ms: asked.left_ms,
            place: None,
        };
        question.text(self.answering, self.style)
    }

    fn plan(&self, request: RequestId, who: &str, shows: &str) -> String {
        let plan = plan_text(request, shows, self.answering, (self.style, self.width));
        format!("{} {plan}", self.tag(who))
    }
}

/// A job below its member in a roster.
pub(crate) fn job_line(job: &Job) -> String {
    format!("      {}: {}", job.id, clean_line(&job.title))
}

#[cfg(test)]
mod tests;
