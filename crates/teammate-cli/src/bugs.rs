//! Reports of bugs, in whatever part of the program: a file below the state directory, which only the user can read, and one
//! line that says what happened and where the report is. Going on without that part is its own ([`teammate::contained`]).

mod report;

use std::{
    cell::Cell,
    panic::PanicHookInfo,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use teammate::{
    Providers,
    contained::{contained_part, message, note_bug},
    hiding::SecretHider,
};

use self::report::Report;
use crate::{
    screen::{clean, fit, print_error_text},
    user_dirs::user_dirs,
};

/// So many reports a process writes. A bug that comes again and again needs no more of them.
const REPORTS_MAX: usize = 20;

/// The most columns of what a panic says in the line; the report has all.
const SAID_COLUMNS_MAX: usize = 200;

static WRITTEN: AtomicUsize = AtomicUsize::new(0);

type MakeHider = Box<dyn Fn() -> SecretHider + Send + Sync>;

/// Hides the secrets of the servers that a team was opened with.
static HIDERS: OnceLock<MakeHider> = OnceLock::new();

thread_local! {
    /// A bug of the hook itself is left alone: the next one would end the process.
    static IS_REPORTING: Cell<bool> = const { Cell::new(false) };
}

/// From now on reports hide the secrets that `hiders` know. The first call counts: secrets that come later are known to it, too.
pub(crate) fn hide_by(hiders: impl Fn() -> SecretHider + Send + Sync + 'static) {
    let _ = HIDERS.set(Box::new(hiders));
}

/// From now on every bug is reported.
pub(crate) fn install_hook() {
    std::panic::set_hook(Box::new(|info| {
        if !IS_REPORTING.replace(true) {
            report_bug(info);
            IS_REPORTING.set(false);
        }
    }));
    #[cfg(debug_assertions)]
    teammate::contained::plant::by(planted);
}

/// A bug's message is text like any other: it may quote what a model said, and a key.
fn report_bug(info: &PanicHookInfo<'_>) {
    let mut hider = match HIDERS.get() {
        Some(hiders) => hiders(),
        None => Providers::new().hider(),
    };
    let said = hider.hide("bug", message(info.payload())).into_owned();
    let part = contained_part();
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    let written = match WRITTEN.fetch_add(1, Ordering::Relaxed) < REPORTS_MAX {
        true => Report::of(part, &said, &place, &mut hider).write(&user_dirs()),
        false => Err("this process has written enough of them".to_owned()),
    };
    let what = part.map_or_else(|| "a bug".to_owned(), |part| format!("a bug ended {part}"));
    let said = clean(&said)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    let report = match written {
        Ok(path) => format!("the report is {}", path.display()),
        Err(why) => format!("there is no report: {why}"),
    };
    let line = format!(
        "{what}: {} (at {place}); {report}",
        fit(&said, Some(SAID_COLUMNS_MAX))
    );
    note_bug(line.clone());
    print_error_text(&format!("{line}\n"));
}

/// The bug that the tests of the program want here now: each that they plant is a file, which comes into being whole and is taken out
/// by the first who comes.
#[cfg(debug_assertions)]
fn planted(place: &str) -> Option<String> {
    let path = std::path::Path::new(&std::env::var_os("TEAMMATE_PLANTS")?).join(place);
    let said = std::fs::read_to_string(&path).ok()?;
    std::fs::remove_file(path).is_ok().then_some(said)
}
