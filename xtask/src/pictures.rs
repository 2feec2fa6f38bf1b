//! `cargo xtask pictures`: makes the pictures in the pages anew, of the page as Chromium shows it. Look at them before you commit them.

use std::process::ExitCode;

use xtask::{command::Ended, root};

use crate::test::browser::Browser;

/// How it is called.
pub(crate) const USAGE: &str = "pictures";

/// Makes them.
pub(crate) fn run(args: &[&str]) -> ExitCode {
    if !args.is_empty() {
        eprintln!("usage: cargo xtask {USAGE}");
        return ExitCode::from(2);
    }
    let root = root();
    let browser = match Browser::find(&root) {
        Ok(browser) => browser,
        Err(why) => {
            eprintln!("no picture was made: {why}");
            return ExitCode::FAILURE;
        }
    };
    let place = root.join("docs/pictures");
    let ended = browser.run(
        &root,
        "browser::pictures::",
        &[("TEAMMATE_PICTURES", &place)],
    );
    match ended {
        Ended::Passed(_) => ExitCode::SUCCESS,
        Ended::Skipped(_) | Ended::Failed(_) => ExitCode::FAILURE,
    }
}
