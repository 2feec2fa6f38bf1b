//! Shows what happens above the prompt: whole lines, the lead's text as soon as a line of it is full.

use std::{
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use teammate::{
    EventFeed, What,
    platform::terminal_width,
    request::{Kind, Request, RequestId},
};

use super::question::Asked;
use crate::{
    commands::tasks::now,
    screen::{Answering, Lines, Question, Shown, Style, Wrap, shown},
};

/// Used where the terminal does not tell its width.
const WIDTH: usize = 80;

/// How long what is still to be printed may take at the end.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long an answer to a typed line is waited for before the next line is read.
const ANSWERED: Duration = Duration::from_millis(200);

/// Prints lines where they do not disturb the prompt. Cheap to clone, and never blocks: printing above a prompt waits for
/// the reader of the prompt, and the reader waits for whoever prints.
#[derive(Clone)]
pub(super) struct Print(mpsc::Sender<Text>);

/// What is to be printed, and who waits for it.
struct Text {
    text: String,
    printed: Option<mpsc::Sender<()>>,
}

/// The thread that prints. It ends when all [`Print`]s are gone.
pub(super) struct Printing(thread::JoinHandle<()>);

impl Print {
    pub(super) fn new(mut print: impl FnMut(String) + Send + 'static) -> (Self, Printing) {
        let (sender, lines) = mpsc::channel::<Text>();
        let printing = thread::spawn(move || {
            for Text { text, printed } in lines {
                print(text);
                // It may not be waited for any more.
                let _ = printed.map(|printed| printed.send(()));
            }
        });
        (Self(sender), Printing(printing))
    }

    pub(super) fn line(&self, line: &str) {
        self.put(line, None);
    }

    /// Prints what a typed line is answered with: before the next line is read, if at all possible.
    pub(super) fn answer(&self, line: &str) {
        let (sender, printed) = mpsc::channel();
        self.put(line, Some(sender));
        let _ = printed.recv_timeout(ANSWERED);
    }

    fn put(&self, line: &str, printed: Option<mpsc::Sender<()>>) {
        let text = shown(&format!("{line}\n")).into_owned();
        // The printer lives as long as we do.
        let _ = self.0.send(Text { text, printed });
    }

    /// Prints a sentence, broken between words where the terminal ends.
    pub(super) fn words(&self, text: &str) {
        let mut words = wrap(terminal_width(std::io::stdout()));
        let lines = words.take(text);
        lines
            .into_iter()
            .chain(words.rest())
            .for_each(|line| self.line(&line));
    }
}

impl Printing {
    /// Waits until everything is printed.
    pub(super) async fn finish(self) {
        let joined = tokio::task::spawn_blocking(|| self.0.join());
        // A terminal that takes nothing more is not waited for.
        let _ = tokio::time::timeout(LAST_WORDS, joined).await;
    }
}

fn wrap(width: Option<usize>) -> Wrap {
    Wrap::new(width.unwrap_or(WIDTH).saturating_sub(1))
}

/// Shows everything until the feed ends. Permission questions are shown one after the other: what a bare answer is for is always
/// the last one that was shown.
pub(super) async fn follow(
    mut feed: EventFeed,
    print: Print,
    asked: Asked,
    questions: impl Fn() -> Vec<Arc<Request>> + Send + 'static,
) {
    let width = terminal_width(std::io::stdout());
    let mut lines = Lines::new(Style::for_stdout(), width).at_prompt();
    let mut words = wrap(width);
    while let Some(event) = feed.next().await {
        if let What::PermissionAnswered { question, .. } = &event.what {
            asked.settled(RequestId::new(*question));
        }
        // It is shown when it is its turn.
        let is_question = matches!(event.what, What::PermissionAsked { .. });
        if is_question && let Some(shown) = asked.shown() {
            let name = Style::for_stdout().name(event.member.as_str());
            print.words(&format!(
                "[{name}] asks something, too; first comes {shown}"
            ));
        }
        let shown = lines.show(&event);
        for shown in shown.into_iter().filter(|_| !is_question) {
            match shown {
                Shown::Lead(piece) => words.take(&piece).iter().for_each(|line| print.line(line)),
                Shown::LeadEnd => words.rest().iter().for_each(|line| print.line(line)),
                Shown::Line(line) => {
                    // What others do does not break the lead's sentence; it goes on below.
                    if event.member.is_lead() {
                        words.rest().iter().for_each(|line| print.line(line));
                    }
                    print.line(&line);
                }
            }
        }
        if asked.shown().is_none() {
            ask_next(&questions(), &asked, &print);
        }
    }
}

/// Shows the first permission question that is open, whole.
fn ask_next(open: &[Arc<Request>], asked: &Asked, print: &Print) {
    let permissions = open.iter().filter_map(|request| match &request.kind {
        Kind::Permission(ask) if !asked.is_answered(request.id) => Some((request, ask)),
        Kind::Permission(_) | Kind::Plan(_) | Kind::Shutdown(_) => None,
    });
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
        rule: ask.rule.as_deref(),
        left_ms: request
            .deadline
            .map(|deadline| deadline.millis_since(now())),
        place: Some((1, permissions.len())),
    };
    print.line(&question.text(Answering::Prompt, Style::for_stdout()));
    asked.show(request.id);
}
