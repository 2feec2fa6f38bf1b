//! Reads what a caller writes, line by line, until it has ended its side and the team rests.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use teammate_protocols::lines::{BoundedLines, LINE_MAX, LinesEnd};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    sync::mpsc,
    time::timeout,
};

use crate::{
    claude::{
        line::{self, CallerLine},
        opening::{ClaudeInput, ClaudeOpening},
        outbox::Outbox,
        program::ClaudeProgram,
        session::Session,
    },
    door::lines::Lines,
};

/// How many lines of a caller may wait while something else is done.
const WAITING_MAX: usize = 256;

/// How long the last lines may take to be read.
const LAST_LINES: Duration = Duration::from_secs(2);

/// The exit code after a signal.
const INTERRUPTED: u8 = 130;

/// Serves a caller until it has ended its side and the team rests, or `end` resolves; then the team is closed. Returns the exit code:
/// 0, or 1 if the last result is an error, or 130 after `end`.
pub async fn serve_claude<R, W>(
    program: Arc<dyn ClaudeProgram>,
    opening: ClaudeOpening,
    (reader, writer): (R, W),
    end: impl Future<Output = ()>,
) -> u8
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (lines, writing) = Lines::new(writer);
    let outbox = Outbox { lines };
    let (lines, said) = mpsc::channel(WAITING_MAX);
    let (input, reading) = match opening.input {
        ClaudeInput::Job(ref job) => (VecDeque::from([Ok(job.clone())]), None),
        ClaudeInput::Lines => {
            let reading = tokio::spawn(listen(reader, outbox.clone(), lines));
            (VecDeque::new(), Some(reading))
        }
    };
    let mut session = Session::new(program, opening, outbox, input);
    let code = tokio::select! {
        code = session.contained(said) => code,
        () = end => INTERRUPTED,
    };
    session.close().await;
    drop(session);
    if let Some(reading) = reading {
        reading.abort();
        // Its copy of the outbox is gone then.
        let _ = reading.await;
    }
    // A caller that has gone does not read the last lines.
    let _ = timeout(LAST_LINES, writing).await;
    code
}

/// Reads what the caller writes. Answers go to who asked at once, the rest waits for its turn.
async fn listen<R: AsyncRead + Unpin>(reader: R, outbox: Outbox, said: mpsc::Sender<CallerLine>) {
    let mut lines = BoundedLines::new(reader, LINE_MAX);
    loop {
        let line = match lines.next().await {
            Ok(line) => line::read(&line),
            Err(LinesEnd::TooLong(max)) => {
                CallerLine::Junk(format!("a line may have {max} bytes; this one was skipped"))
            }
            Err(LinesEnd::Closed | LinesEnd::Io(_)) => break,
        };
        match line {
            CallerLine::Answer { id, answer } => outbox.lines.answered(id, answer),
            CallerLine::Passed => {}
            line @ (CallerLine::User(_) | CallerLine::Asks { .. } | CallerLine::Junk(_)) => {
                if said.send(line).await.is_err() {
                    break;
                }
            }
        }
    }
    // Nobody can be asked any more.
    outbox.lines.end();
}
