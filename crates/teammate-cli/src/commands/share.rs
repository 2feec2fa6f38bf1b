//! `teammate share`: one file that replays a run in any browser, for people who have neither the program nor the team. It asks
//! nobody for anything, and the secrets that the program holds are hidden in it.

mod markdown;
mod node;
mod page;
mod recording;
mod scene;
mod story;

use std::{
    io::{IsTerminal as _, stdout},
    process::ExitCode,
};

use clap::Args;
use teammate::{
    contained::may_fail_here,
    hiding::{Encoding, SecretHider},
};

use self::{node::NodeMaker, page::SharePage, recording::Recording};
use super::{CliContext, CliResult, SharedOptions, UsageError, Verb, note, print_line};

/// Make a file that replays the run in a browser: teammate share > run.html
///
/// It holds the whole run with a slider over its moments, and asks no other machine for anything. Secrets that the program
/// holds (keys of your servers, and what the environment has under names of secrets) are hidden, and each hiding is listed
/// before anything is written. Secrets in files of the workspace are not known: look at it before you give it away.
#[derive(Args)]
pub(crate) struct Share {}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
enum ShareError {
    /// A secret is in a place or a form in which it cannot be hidden.
    #[error(
        "nothing was written: {secret}{} would still be in {place}. `teammate export` shows the run; change that secret before \
         you share it, or start this without it where it is no secret any more",
        in_words(.encoding)
    )]
    SecretStays {
        secret: String,
        encoding: Encoding,
        place: String,
    },
}

impl Verb for Share {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        may_fail_here("export");
        if stdout().is_terminal() {
            let text = "this is a file for a browser: teammate share > run.html";
            return Err(UsageError(text.to_owned()).into());
        }
        let client = place.look().await?;
        let prices = place.options.prices()?;
        let mut hider = place.options.providers()?.hider();
        let recording = {
            let words = NodeMaker::new(&mut hider);
            Recording::of(&client, prices, words).await?
        };
        let page = SharePage::of(&recording);
        list(&hider);
        refuse_secrets(&hider, &recording, &page)?;
        recording.left_out().iter().for_each(|text| note(text));
        print_line(page.html());
        Ok(ExitCode::SUCCESS)
    }
}

/// Lists each secret that was hidden, and where.
fn list(hider: &SecretHider) {
    let mut places = 0;
    for hiding in hider.hidden() {
        places += 1;
        note(&format!(
            "hidden in {}: {}{}",
            hiding.place,
            hiding.shown,
            in_words(&hiding.encoding)
        ));
    }
    if places == 0 {
        note("nothing was hidden: no secret that the program holds is in this run");
    }
}

/// The last look: at each text as a reader sees it, and at the bytes of the file.
fn refuse_secrets(
    hider: &SecretHider,
    recording: &Recording,
    page: &SharePage,
) -> Result<(), ShareError> {
    let texts = recording.texts();
    let file = std::iter::once(("the file".to_owned(), page.html().to_owned()));
    for (place, text) in texts.into_iter().chain(file) {
        if let Some((secret, encoding)) = hider.stays_in(&text) {
            return Err(ShareError::SecretStays {
                secret: secret.to_owned(),
                encoding,
                place,
            });
        }
    }
    Ok(())
}

fn in_words(encoding: &Encoding) -> String {
    match encoding.word() {
        "" => String::new(),
        word => format!(" as {word}"),
    }
}
