//! Where lines come from: a terminal with editing and history on a thread of its own, or a pipe.

use std::{io::BufRead as _, sync::mpsc as blocking, thread};

use etcetera::BaseStrategy as _;
use rustyline::{DefaultEditor, ExternalPrinter as _, error::ReadlineError};
use tokio::sync::mpsc;

use super::show::{Print, Printing};

/// What the person did.
pub(super) enum Line {
    /// Typed a line.
    Text(String),
    /// Pressed Ctrl-C.
    Interrupt,
    /// Pressed Ctrl-D, or the pipe ended.
    End,
}

/// Lines as they come. The reader waits for [`Lines::go_on`] before it reads the next, so that it never holds the
/// terminal when the program leaves.
pub(super) struct Lines {
    lines: mpsc::UnboundedReceiver<Line>,
    go_on: blocking::Sender<()>,
}

impl Lines {
    pub(super) async fn next(&mut self) -> Option<Line> {
        self.lines.recv().await
    }

    pub(super) fn go_on(&self) {
        // A reader that has ended sends nothing more, which ends the talk.
        let _ = self.go_on.send(());
    }
}

/// A terminal, and a way to print above its prompt.
pub(super) fn terminal() -> anyhow::Result<(Lines, (Print, Printing))> {
    let mut editor = DefaultEditor::new()?;
    let history = history();
    if let Some(path) = &history {
        // The first time there is none.
        let _ = editor.load_history(path);
    }
    let mut printer = editor.create_external_printer()?;
    let print = Print::new(move |text| {
        if printer.print(text.clone()).is_err() {
            // Nobody reads at the prompt any more.
            crate::screen::put(&mut std::io::stdout(), &text);
        }
    });
    let lines = reader(move || match editor.readline("> ") {
        Ok(text) => {
            if !text.trim().is_empty() {
                let _ = editor.add_history_entry(&text);
                if let Some(path) = &history {
                    let _ = editor.append_history(path);
                }
            }
            Line::Text(text)
        }
        Err(ReadlineError::Interrupted) => Line::Interrupt,
        Err(_) => Line::End,
    });
    Ok((lines, print))
}

/// A pipe: lines from standard input, and everything printed on standard output.
pub(super) fn piped() -> (Lines, (Print, Printing)) {
    let lines = reader(|| {
        let mut text = String::new();
        match std::io::stdin().lock().read_line(&mut text) {
            Ok(0) | Err(_) => Line::End,
            Ok(_) => Line::Text(text),
        }
    });
    (
        lines,
        Print::new(|text| crate::screen::put(&mut std::io::stdout(), &text)),
    )
}

fn reader(mut read: impl FnMut() -> Line + Send + 'static) -> Lines {
    let (sender, lines) = mpsc::unbounded_channel();
    let (go_on, wait) = blocking::channel();
    thread::spawn(move || {
        loop {
            let line = read();
            let is_end = matches!(line, Line::End);
            if sender.send(line).is_err() || is_end || wait.recv().is_err() {
                return;
            }
        }
    });
    Lines { lines, go_on }
}

fn history() -> Option<std::path::PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    let dir = base
        .state_dir()
        .unwrap_or_else(|| base.data_dir())
        .join("teammate");
    std::fs::create_dir_all(&dir).ok()?;
    Some(dir.join("history"))
}
