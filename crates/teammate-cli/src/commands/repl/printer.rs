//! Shows what happens above the prompt: whole lines, the lead's text as soon as a line of it is full, and which members work.

use std::{sync::mpsc as blocking, thread, time::Duration};

use teammate::{
    Event, EventKind,
    platform::{now, terminal_width},
    request::RequestId,
};
use teammate_view::{Fact, TeamView};
use tokio::{
    sync::mpsc,
    time::{MissedTickBehavior, interval},
};

use super::{question::ShownQuestion, status::status_line};
use crate::screen::{AnswerPlace, EventRenderer, Question, Rendered, Style, Wrap, sanitized};

/// Used if the terminal does not report its width.
const WIDTH: usize = 80;

/// How long what is still to be printed may take at the end.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// How often the status line is rewritten while a member works.
const TICK: Duration = Duration::from_secs(1);

/// How long a member works before there is a status line.
const FIRST_TICK: Duration = Duration::from_millis(400);

/// How long an answer to a typed line is waited for before the next line is read.
const PRINT_TIMEOUT: Duration = Duration::from_millis(200);

/// Something for the screen.
pub(super) enum Put {
    /// Whole lines.
    Text(String),
    /// Sets the status line; `None` removes it.
    Status(Option<String>),
}

/// Nothing is printed while this is held; what comes meanwhile is printed after it.
pub(super) struct PrintPause(
    #[expect(dead_code, reason = "the printer waits until it is dropped")] blocking::Sender<()>,
);

/// Prints lines where they do not disturb the prompt. Cheap to clone, and never blocks: a terminal may take nothing for a while.
#[derive(Clone)]
pub(super) struct Printer(blocking::Sender<Order>);

/// What is to be put on the screen, and who waits for it.
enum Order {
    Put(Put, Option<blocking::Sender<()>>),
    /// Waits until the other end is dropped.
    Pause(blocking::Receiver<()>, blocking::Sender<()>),
}

/// The thread that prints. It ends when all [`Printer`]s are dropped.
pub(super) struct PrinterThread(thread::JoinHandle<()>);

impl Printer {
    /// Prints by `put`; `close` is called when there is nothing more to come.
    pub(super) fn new(
        mut put: impl FnMut(Put) + Send + 'static,
        close: impl FnOnce() + Send + 'static,
    ) -> (Self, PrinterThread) {
        let (sender, orders) = blocking::channel::<Order>();
        let printing = thread::spawn(move || {
            // Who waits may have stopped waiting.
            for order in orders {
                match order {
                    Order::Put(what, printed) => {
                        put(what);
                        let _ = printed.map(|printed| printed.send(()));
                    }
                    Order::Pause(over, begun) => {
                        let _ = begun.send(());
                        let _ = over.recv();
                    }
                }
            }
            close();
        });
        (Self(sender), PrinterThread(printing))
    }

    pub(super) fn line(&self, line: &str) {
        self.put(text(line), None);
    }

    /// Sets the status line, or takes it off.
    pub(super) fn status(&self, status: Option<String>) {
        self.put(Put::Status(status), None);
    }

    /// Prints what a typed line is answered with: before the next line is read, if at all possible.
    pub(super) fn answer(&self, line: &str) {
        let (sender, printed) = blocking::channel();
        self.put(text(line), Some(sender));
        let _ = printed.recv_timeout(PRINT_TIMEOUT);
    }

    /// Leaves the terminal to another program, once all is printed.
    pub(super) fn pause(&self) -> PrintPause {
        let (held, over) = blocking::channel();
        let (begins, begun) = blocking::channel();
        // As above.
        let _ = self.0.send(Order::Pause(over, begins));
        let _ = begun.recv_timeout(PRINT_TIMEOUT);
        PrintPause(held)
    }

    fn put(&self, what: Put, printed: Option<blocking::Sender<()>>) {
        // The printer lives as long as we do.
        let _ = self.0.send(Order::Put(what, printed));
    }

    /// Prints a sentence, broken between words where the terminal ends.
    pub(super) fn wrapped(&self, text: &str) {
        let mut words = wrap(terminal_width(std::io::stdout()));
        let lines = words.take(text);
        lines
            .into_iter()
            .chain(words.rest())
            .for_each(|line| self.line(&line));
    }
}

fn text(line: &str) -> Put {
    Put::Text(sanitized(&format!("{line}\n")).into_owned())
}

impl PrinterThread {
    /// Waits until everything is printed.
    pub(super) async fn finish(self) {
        let joined = tokio::task::spawn_blocking(|| self.0.join());
        // A terminal that takes nothing more is not waited for.
        let _ = tokio::time::timeout(FLUSH_TIMEOUT, joined).await;
    }
}

fn wrap(width: Option<usize>) -> Wrap {
    Wrap::new(width.unwrap_or(WIDTH).saturating_sub(1))
}

/// Shows everything until no fact comes any more. Permission questions are shown one after the other: what a bare answer is for is
/// always the last one that was shown. `view` is what was before, which is not shown.
pub(super) async fn print_facts(
    mut facts: mpsc::UnboundedReceiver<Fact>,
    view: TeamView,
    print: Printer,
    asked: ShownQuestion,
) {
    let mut screen = Screen::new(view, print, asked);
    screen.show_next_question();
    let mut tick = interval(TICK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let was_moving = screen.view.is_moving();
        tokio::select! {
            biased;
            fact = facts.recv() => match fact {
                Some(fact) => screen.take(&fact),
                None => break,
            },
            // No timer while no member works.
            _ = tick.tick(), if was_moving => screen.show_status(),
        }
        match (was_moving, screen.view.is_moving()) {
            // What is over in a moment needs no status line.
            (false, true) => tick.reset_after(FIRST_TICK),
            (true, false) => screen.show_status(),
            (true, true) | (false, false) => {}
        }
    }
    screen.printer.status(None);
}

/// What is shown, and what has to be known for it.
struct Screen {
    printer: Printer,
    asked: ShownQuestion,
    renderer: EventRenderer,
    words: Wrap,
    width: Option<usize>,
    view: TeamView,
}

impl Screen {
    fn new(view: TeamView, print: Printer, asked: ShownQuestion) -> Self {
        let width = terminal_width(std::io::stdout());
        Self {
            printer: print,
            asked,
            renderer: EventRenderer::new(Style::for_stdout(), width).at_prompt(),
            words: wrap(width),
            width,
            view,
        }
    }

    fn take(&mut self, fact: &Fact) {
        self.view.apply(fact);
        let Fact::Event(event) = fact else { return };
        if let EventKind::PermissionAnswered { question, .. } = &event.what {
            self.asked.settled(RequestId::new(*question));
        }
        if let EventKind::PermissionAsked { question, .. } = &event.what {
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
            self.printer.wrapped(&format!(
                "[{name}] also has a question ({question}); {shown} comes first"
            ));
        }
    }

    fn show(&mut self, event: &Event) {
        for shown in self.renderer.render(event) {
            match shown {
                Rendered::Lead(piece) => {
                    let lines = self.words.take(&piece);
                    lines.iter().for_each(|line| self.printer.line(line));
                }
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

    fn end_words(&mut self) {
        if let Some(line) = self.words.rest() {
            self.printer.line(&line);
        }
    }

    fn show_status(&self) {
        let style = Style::for_stdout();
        self.printer
            .status(status_line(&self.view, now(), style, self.width));
    }

    /// Shows the first permission question that is open and was announced, whole, if none is shown.
    fn show_next_question(&self) {
        if self.asked.id().is_some() {
            return;
        }
        let open = self.view.team().questions();
        let due = open.filter(|request| self.asked.is_due(request.id));
        let permissions = due.filter_map(|request| Some((request, request.permission()?)));
        let permissions: Vec<_> = permissions.collect();
        let Some((request, ask)) = permissions.first() else {
            return;
        };
        let asker = request.from.to_string();
        let question = Question {
            id: request.id,
            asker: &asker,
            tool: &ask.tool,
            shows: &ask.shows,
            rules: &ask.rules,
            left_ms: request
                .deadline
                .map(|deadline| deadline.millis_since(now())),
            place: Some((1, permissions.len())),
        };
        let text = question.text(AnswerPlace::Prompt, Style::for_stdout());
        let print = &self.printer;
        self.asked.show(request.id, || print.line(&text));
    }
}
