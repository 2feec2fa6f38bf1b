//! Shows what happens above the prompt: whole lines, the lead's text as soon as a line of it is full, and which members work.

use std::time::Duration;
use teammate_view::t;

use teammate::{
    Event, EventKind,
    contained::{BUGS_MAX, contained, may_fail_here},
    platform::{now, terminal_width},
    request::RequestId,
};
use teammate_view::{
    Fact, Motion, Need, NeedKind, TeamView, asking_the_same, screens::needs::NeedCard,
};
use tokio::{
    sync::mpsc,
    time::{MissedTickBehavior, interval},
};

use super::{
    offered::PromptOffers,
    printer::{Printer, wrap},
    status::status_line,
};
use crate::{
    commands::shown_question::ShownQuestion,
    screen::{AnswerPlace, EventRenderer, PrintedQuestion, Rendered, Style, Wrap},
};

/// How often the status line is rewritten while a member works.
const TICK: Duration = Duration::from_secs(1);

/// How long a member works before there is a status line.
const FIRST_TICK: Duration = Duration::from_millis(400);

/// The shown lines, and what has to be known for them.
pub(super) struct PromptScreen {
    printer: Printer,
    asked: ShownQuestion,
    offered: PromptOffers,
    renderer: EventRenderer,
    words: Wrap,
    /// Whether the label of the lead stands before the words that come.
    is_labelled: bool,
    width: Option<usize>,
    view: TeamView,
    motion: Motion,
}

impl PromptScreen {
    /// `view` is what was before, which is not shown.
    pub(super) fn new(
        view: TeamView,
        print: Printer,
        asked: ShownQuestion,
        offered: PromptOffers,
        motion: Motion,
    ) -> Self {
        let width = terminal_width(std::io::stdout());
        offered.know_members(view.team());
        Self {
            printer: print,
            asked,
            offered,
            renderer: EventRenderer::new(Style::for_stdout(), width).at_prompt(),
            words: wrap(width),
            is_labelled: false,
            width,
            view,
            motion,
        }
    }

    /// Shows everything until no fact comes any more. Permission questions are shown one after the other: what a bare answer is
    /// for is always the last one that was shown.
    pub(super) async fn show_facts(mut self, mut facts: mpsc::Receiver<Fact>) {
        for _ in 0..BUGS_MAX {
            let shown = self.show_until_end(&mut facts);
            if contained("the showing of what happens", shown)
                .await
                .is_ok()
            {
                break;
            }
        }
        self.printer.status(None);
    }

    async fn show_until_end(&mut self, facts: &mut mpsc::Receiver<Fact>) {
        self.show_next_question();
        let mut tick = interval(TICK);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let was_moving = self.has_status();
            tokio::select! {
                biased;
                fact = facts.recv() => match fact {
                    Some(fact) => self.take(&fact),
                    None => break,
                },
                // No timer while no member works.
                _ = tick.tick(), if was_moving => self.show_status(),
            }
            match (was_moving, self.has_status()) {
                // What is over in a moment needs no status line.
                (false, true) => tick.reset_after(FIRST_TICK),
                (true, false) => self.show_status(),
                (true, true) | (false, false) => {}
            }
        }
    }

    fn take(&mut self, fact: &Fact) {
        may_fail_here("news");
        if let Fact::Presence(seen) = fact {
            let news = self.view.presence_news(seen);
            news.iter().for_each(|line| self.printer.wrapped(line));
        }
        self.view.apply(fact);
        if let Fact::Record(_) = fact {
            self.offered.know_members(self.view.team());
        }
        let Fact::Event(event) = fact else { return };
        if let EventKind::PermissionAnswered { question, .. } = &event.what {
            self.asked.settled(RequestId::new(*question));
        }
        if let EventKind::PermissionAsked { question, .. } = &event.what {
            // Its answer says again what it is about.
            self.renderer.hear(event);
            self.asks(event, RequestId::new(*question));
        } else {
            self.show(event);
        }
        self.show_next_question();
    }

    /// A question is shown when it is its turn; a line says at once that it waits.
    fn asks(&self, event: &Event, question: RequestId) {
        self.asked.announce(question);
        if let Some(shown) = self.asked.id() {
            let name = Style::for_stdout().name(event.member.as_str());
            self.printer.wrapped(&t!(
                "[{name}] also has a question ({question}); {shown} comes first",
                name,
                question,
                shown
            ));
        }
    }

    fn show(&mut self, event: &Event) {
        for shown in self.renderer.render(event) {
            match shown {
                Rendered::Lead(piece) => self.say(&piece),
                Rendered::LeadEnd => self.end_words(),
                Rendered::Line(line) => {
                    // Other members' lines do not break the lead's sentence; it continues below.
                    if event.member.is_lead() {
                        self.end_words();
                    }
                    self.printer.line(&line);
                }
            }
        }
    }

    /// Some more of the lead's words: who listens to lines hears first whose they are.
    fn say(&mut self, piece: &str) {
        let label = match std::mem::replace(&mut self.is_labelled, true) {
            true => "",
            false => "[lead] ",
        };
        let lines = self.words.take(&format!("{label}{piece}"));
        lines.iter().for_each(|line| self.printer.line(line));
    }

    fn end_words(&mut self) {
        self.is_labelled = false;
        if let Some(line) = self.words.rest() {
            self.printer.line(&line);
        }
    }

    /// Whether a line names the members at work and counts the seconds. It is written over and over: not where little is to move.
    fn has_status(&self) -> bool {
        self.motion == Motion::Full && self.view.is_moving()
    }

    fn show_status(&self) {
        let style = Style::for_stdout();
        self.printer
            .status(status_line(&self.view, now(), style, self.width));
    }

    /// Shows the most urgent permission question that was announced, whole, if none is shown. Those that ask exactly the same are one
    /// with it.
    fn show_next_question(&self) {
        if self.asked.id().is_some() {
            return;
        }
        let team = self.view.team();
        let needs = Need::grouped(team, now());
        let is_due = |need: &&Need| {
            let all = need.alike.iter().chain([*need]);
            let ids = all.filter_map(|need| need.kind.request());
            matches!(need.kind, NeedKind::Permission(_))
                && ids.into_iter().all(|id| self.asked.is_due(id))
        };
        let due: Vec<&Need> = needs.iter().filter(is_due).collect();
        let Some(need) = due.first() else {
            return;
        };
        let Some(request) = need.request_in(team) else {
            return;
        };
        let card = NeedCard::of(&self.view, need, usize::MAX);
        let held = [
            (t("holds up"), card.holds_tasks.join(", ")),
            (t("waiting"), card.waiting()),
        ];
        let facts = card.reasons.iter().cloned().chain(held);
        let facts: Vec<_> = facts.filter(|(_, text)| !text.is_empty()).collect();
        let question = PrintedQuestion {
            id: request.id,
            asker: &card.who,
            title: &card.title,
            shows: &card.shows,
            facts: &facts,
            rules: &request.offers(),
            left_ms: need.deadline.map(|deadline| deadline.millis_since(now())),
            place: Some((1, due.len())),
        };
        let text = question.text(AnswerPlace::Prompt, Style::for_stdout());
        let print = &self.printer;
        let alike = asking_the_same(team, request);
        self.asked.show(request.id, alike, || print.line(&text));
    }
}
