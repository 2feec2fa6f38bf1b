//! `cargo xtask pictures`: makes the pictures in the pages anew, of the full screen as a terminal shows it and of the page as
//! Chromium does. Look at them before you commit them.

use std::{path::Path, process::ExitCode};

use xtask::{
    command::{self, Ended},
    root,
};

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
    let place = root.join("docs/pictures");
    if !of_screen(&root, &place) {
        return ExitCode::FAILURE;
    }
    let browser = match Browser::find(&root) {
        Ok(browser) => browser,
        Err(why) => {
            eprintln!("no picture was made: {why}");
            return ExitCode::FAILURE;
        }
    };
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

/// Makes those of the full screen.
fn of_screen(root: &Path, place: &Path) -> bool {
    let args = ["test", "--workspace", "--test", "e2e", "face::pictures::"];
    let ended = command::run(command::cargo(root, &args).env("TEAMMATE_PICTURES", place));
    match ended {
        Ended::Passed(_) => true,
        Ended::Skipped(_) | Ended::Failed(_) => false,
    }
}
