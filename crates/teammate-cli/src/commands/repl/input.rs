//! Where lines come from: a terminal with editing and history on a thread of its own, or a pipe.

use std::{
    io::BufRead as _,
    path::{Path, PathBuf},
    sync::mpsc as blocking,
    thread,
};

use etcetera::BaseStrategy as _;
use rustyline::{
    CompletionType, Config, ExternalPrinter,
    config::{BellStyle, ColorMode},
    error::ReadlineError,
};
use teammate::{
    Secrets,
    contained::{contained_call, may_fail_here},
};
use tokio::sync::mpsc;

use super::{
    above::{Above, Continued, DRAW_AGAIN},
    draft::LeadDraft,
    editing::{Editing, LineEditor, bind_keys},
    offered::PromptOffers,
    printer::{Printer, PrinterThread, Put},
};

/// How long the rest of a key's sequence is waited for after Esc, in milliseconds. Then Esc was pressed alone, and does nothing.
const ESC_MILLIS: u16 = 100;

/// The user's action at the prompt.
pub(super) enum InputLine {
    /// Typed a line.
    Text(String),
    /// Pressed Ctrl-C with nothing on the line.
    Interrupt,
    /// Pressed Ctrl-C on a line with text, which is cleared.
    Cleared,
    /// Pressed Ctrl-D, or the pipe ended.
    End,
    /// Nothing: a bug has ended the editing of lines, and with it what was typed so far. From now on a line comes as the terminal
    /// itself edits it.
    Broken(String),
}

/// Lines as they come. The reader waits for [`Lines::resume`] before it reads the next, so that it never holds the
/// terminal when the program leaves.
pub(super) struct InputLines {
    lines: mpsc::Receiver<InputLine>,
    resume: blocking::Sender<()>,
    /// Whether the reader waits.
    has_line: bool,
}

impl InputLines {
    pub(super) async fn next(&mut self) -> Option<InputLine> {
        let line = self.lines.recv().await;
        self.has_line = true;
        line
    }

    /// Lets the reader read on, if it waits.
    pub(super) fn resume(&mut self) {
        if std::mem::replace(&mut self.has_line, false) {
            // Nobody waits where the reader has ended, which ends the talk.
            let _ = self.resume.send(());
        }
    }
}

/// A terminal, and a way to print above its prompt. What was typed ahead comes first.
///
/// Errors: the terminal cannot edit lines (`TERM=dumb`).
pub(super) fn terminal(
    draft: LeadDraft,
    offered: PromptOffers,
    typed_ahead: Vec<String>,
) -> anyhow::Result<(InputLines, (Printer, PrinterThread))> {
    let config = Config::builder()
        .keyseq_timeout(Some(ESC_MILLIS))
        .bell_style(BellStyle::None)
        // A list would stand where the status line is taken off.
        .completion_type(CompletionType::Circular)
        // It asks us how its prompt looks only if it may use colours.
        .color_mode(ColorMode::Forced)
        .build();
    let mut editor = LineEditor::with_config(config)?;
    let above = Above::default();
    bind_keys(&mut editor, &above);
    editor.set_helper(Some(Editing {
        above: above.clone(),
        draft: draft.clone(),
        offered,
    }));
    // What is no file would keep the editor waiting.
    let history = history().filter(|path| !path.exists() || path.is_file());
    if let Some(path) = &history {
        // The first time there is none.
        let _ = editor.load_history(path);
    }
    let bell = bell(editor.create_external_printer()?);
    let (shown, closed) = (above.clone(), above.clone());
    let print = Printer::new(
        move |what| {
            let is_due = match what {
                Put::Text(text) => shown.print(&text),
                Put::Status(status) => shown.set_status(status),
            };
            if is_due {
                // One that is on its way draws this, too.
                let _ = bell.try_send(());
            }
        },
        move || drop(closed.close()),
    );
    // Only the first line begins with the draft.
    let mut begun = (draft.text(), String::new());
    let mut typed_ahead = typed_ahead.into_iter();
    let broken = above.clone();
    let secrets = draft.secrets().clone();
    let edit = move || {
        let typed = match typed_ahead.next() {
            // It was shown when it was typed.
            Some(line) => Ok(line),
            None => read(&mut editor, &above, std::mem::take(&mut begun)),
        };
        may_fail_here("line");
        ended((&mut editor, &secrets), &above, typed, history.as_deref())
    };
    let mut editing = Some(edit);
    let read = move || {
        let line = match &mut editing {
            Some(edit) => contained_call("the line editor", edit).unwrap_or_else(|_| {
                editing = None;
                InputLine::Broken(broken.close())
            }),
            None => plain_line(),
        };
        match &line {
            InputLine::Text(_) | InputLine::Interrupt | InputLine::Cleared => draft.keep(""),
            InputLine::End | InputLine::Broken(_) => {}
        }
        line
    };
    Ok((reader(read), print))
}

/// Reads a line, or several that are one message. It begins with what is typed already, before and behind the cursor.
fn read(editor: &mut LineEditor, above: &Above, mut begun: Continued) -> rustyline::Result<String> {
    loop {
        above.begin();
        let typed = editor.readline_with_initial("> ", (&begun.0, &begun.1));
        let Some(more) = above.continued() else {
            return typed;
        };
        above.cancel();
        begun = more;
    }
}

/// The action of the user that ended a line.
fn ended(
    (editor, secrets): (&mut LineEditor, &Secrets),
    above: &Above,
    typed: rustyline::Result<String>,
    history: Option<&Path>,
) -> InputLine {
    match typed {
        Ok(_) if above.is_interrupted() => interrupted((editor, secrets), above),
        Ok(text) => {
            above.end();
            if !text.trim().is_empty() {
                let _ = editor.add_history_entry(secrets.redact(&text).as_ref());
                if let Some(path) = history {
                    let _ = editor.append_history(path);
                }
            }
            InputLine::Text(text)
        }
        // By the key that the terminal has for it, if that is another.
        Err(ReadlineError::Interrupted) => interrupted((editor, secrets), above),
        Err(_) => {
            above.cancel();
            InputLine::End
        }
    }
}

/// The history is a file in the end.
fn interrupted((editor, secrets): (&mut LineEditor, &Secrets), above: &Above) -> InputLine {
    let typed = above.cancel();
    if typed.trim().is_empty() {
        return InputLine::Interrupt;
    }
    // The up arrow brings it back.
    let _ = editor.add_history_entry(secrets.redact(&typed).as_ref());
    InputLine::Cleared
}

/// Redraws the prompt on request. On its own thread: between two lines the editor takes nothing.
fn bell(mut printer: impl ExternalPrinter + Send + 'static) -> blocking::SyncSender<()> {
    let (ring, rung) = blocking::sync_channel(1);
    thread::spawn(move || {
        while rung.recv().is_ok() {
            if printer.print(DRAW_AGAIN.to_owned()).is_err() {
                // The prompt has ended.
                return;
            }
        }
    });
    ring
}

/// A pipe: lines from standard input, and everything printed on standard output.
pub(super) fn piped() -> (InputLines, (Printer, PrinterThread)) {
    let lines = reader(plain_line);
    (
        lines,
        Printer::new(
            |what| match what {
                Put::Text(text) => crate::screen::write_clean(&mut std::io::stdout(), &text),
                // What is rewritten in place is for terminals.
                Put::Status(_) => {}
            },
            || {},
        ),
    )
}

/// A line as it comes.
fn plain_line() -> InputLine {
    let mut text = String::new();
    match std::io::stdin().lock().read_line(&mut text) {
        Ok(0) | Err(_) => InputLine::End,
        Ok(_) => InputLine::Text(text),
    }
}

/// How many lines may wait: the reader waits for leave before each.
const LINES_MAX: usize = 1;

fn reader(mut read: impl FnMut() -> InputLine + Send + 'static) -> InputLines {
    let (sender, lines) = mpsc::channel(LINES_MAX);
    let (go_on, wait) = blocking::channel();
    thread::spawn(move || {
        loop {
            // After an end, too: the talk may ask something before it leaves.
            if sender.blocking_send(read()).is_err() || wait.recv().is_err() {
                return;
            }
        }
    });
    InputLines {
        lines,
        resume: go_on,
        has_line: false,
    }
}

/// The file of what was typed before, in a directory that is there.
pub(in crate::commands) fn history() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    let dir = base
        .state_dir()
        .unwrap_or_else(|| base.data_dir())
        .join("teammate");
    std::fs::create_dir_all(&dir).ok()?;
    Some(dir.join("history"))
}
