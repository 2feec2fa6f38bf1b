//! Prints lines where they do not disturb the prompt, on a thread of its own.

use std::{sync::mpsc as blocking, thread, time::Duration};

use teammate::{
    contained::{BUGS_MAX, contained_call, may_fail_here},
    platform::terminal_width,
};

use crate::screen::{Wrap, sanitized};

/// Used if the terminal does not report its width.
const WIDTH: usize = 80;

/// How long what is still to be printed may take at the end.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

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
pub(super) struct Printer(blocking::Sender<PrintOrder>);

/// An order for the screen, and who waits for it.
enum PrintOrder {
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
        let (sender, orders) = blocking::channel::<PrintOrder>();
        let printing = thread::spawn(move || {
            let mut bugs = 0;
            // Who waits may have stopped waiting.
            for order in orders {
                match order {
                    // It would have the next bug with what is said of the last.
                    PrintOrder::Put(..) if bugs == BUGS_MAX => {}
                    PrintOrder::Put(what, printed) => {
                        let put = contained_call("the printing of a line", || {
                            may_fail_here("printer");
                            put(what);
                        });
                        bugs += usize::from(put.is_err());
                        let _ = printed.map(|printed| printed.send(()));
                    }
                    PrintOrder::Pause(over, begun) => {
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
        let _ = self.0.send(PrintOrder::Pause(over, begins));
        let _ = begun.recv_timeout(PRINT_TIMEOUT);
        PrintPause(held)
    }

    fn put(&self, what: Put, printed: Option<blocking::Sender<()>>) {
        // The printer lives as long as we do.
        let _ = self.0.send(PrintOrder::Put(what, printed));
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

pub(super) fn wrap(width: Option<usize>) -> Wrap {
    Wrap::new(width.unwrap_or(WIDTH).saturating_sub(1))
}
