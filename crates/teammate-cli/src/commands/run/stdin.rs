//! Reads standard input: the job, or something beside it.

use std::{
    io::{IsTerminal as _, Read as _},
    time::Duration,
};
use teammate_view::t;

use teammate::{CONTENT_BYTES_MAX, fenced};
use tokio::{sync::mpsc, time::timeout};

use crate::commands::{UsageError, read_stdin};
use crate::screen::print_warning;

/// How long to wait for input besides the job. A parent process may leave us an input that is never written to or
/// closed.
const BEGINS_WITHIN: Duration = Duration::from_secs(3);

/// How long an input that has begun may be silent before it ends.
const SILENT_MAX: Duration = Duration::from_secs(10 * 60);

const CHUNK_BYTES: usize = 64 * 1024;

/// The job: the prompt with the piped input, or all of standard input if it is `-`.
///
/// Errors: there is more than a message can hold, or an input that has begun does not end.
pub(in crate::commands) async fn job(prompt: String) -> anyhow::Result<String> {
    if prompt == "-" {
        return read_stdin();
    }
    if std::io::stdin().is_terminal() {
        return Ok(prompt);
    }
    let bytes = beside().await?;
    let text = String::from_utf8_lossy(&bytes);
    if text.trim().is_empty() {
        return Ok(prompt);
    }
    let job = format!("{prompt}\n\n{}", fenced("stdin", "standard input", &text));
    if job.len() > CONTENT_BYTES_MAX {
        return Err(too_much().into());
    }
    Ok(job)
}

/// The text on standard input until it ends; nothing, if it does not begin.
async fn beside() -> anyhow::Result<Vec<u8>> {
    let mut chunks = read();
    let mut all = match timeout(BEGINS_WITHIN, chunks.recv()).await {
        Ok(Some(first)) => first,
        Ok(None) => return Ok(Vec::new()),
        Err(_) => {
            let seconds = BEGINS_WITHIN.as_secs();
            print_warning(&t!(
                "no input arrived on standard input within {seconds} s; the job runs without it. Add `< /dev/null` to skip the wait",
                seconds
            ));
            return Ok(Vec::new());
        }
    };
    loop {
        match timeout(SILENT_MAX, chunks.recv()).await {
            Ok(Some(chunk)) => all.extend(chunk),
            Ok(None) => return Ok(all),
            Err(_) => anyhow::bail!(
                "standard input began but sent nothing more for {} minutes and did not end; nothing was started. Close it, or write the input to a file and name the file in the job",
                SILENT_MAX.as_secs() / 60
            ),
        }
        if all.len() > CONTENT_BYTES_MAX {
            return Err(too_much().into());
        }
    }
}

fn too_much() -> UsageError {
    UsageError(format!(
        "the job and standard input are more than {} KiB together; write the input to a file in the workspace and name the file in the job",
        CONTENT_BYTES_MAX / 1024
    ))
}

/// Reads standard input on its own thread, which may wait for ever. A read error counts as the end.
fn read() -> mpsc::Receiver<Vec<u8>> {
    let (sender, chunks) = mpsc::channel(1);
    std::thread::spawn(move || {
        let mut stdin = std::io::stdin().lock();
        let mut buffer = vec![0; CHUNK_BYTES];
        while let Ok(count @ 1..) = stdin.read(&mut buffer) {
            if sender.blocking_send(buffer[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    chunks
}
