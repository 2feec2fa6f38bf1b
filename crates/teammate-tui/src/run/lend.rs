//! Other programs that have the terminal for a while: the user's own command, editor or pager, or the shell below this program.

use std::{io, time::Duration};
use teammate_view::t;

use tokio::{
    runtime::Handle,
    signal::unix::{SignalKind, signal},
    time::timeout,
};

use super::console::Console;
use crate::{app::App, input::Lent};

/// So long a stop may take to come. Without a shell that could continue this program there is none.
const STOPS_WITHIN: Duration = Duration::from_millis(500);

/// Lends the terminal, and says if that went wrong.
pub(super) fn lend(app: &mut App, console: &mut Console, to: Lent) -> io::Result<()> {
    let environment = &app.setup.environment;
    let done = match to {
        Lent::Shell => {
            console.lend(suspend)?;
            Ok(())
        }
        Lent::Command(line) => console.lend(|| {
            let ran = environment.shell(&line);
            wait_for_enter();
            ran
        })?,
        Lent::Editor => {
            let text = app.prompt.editor.text();
            let edited = console.lend(|| environment.edit(&text))?;
            edited.map(|text| app.prompt.editor.set(text.trim_end()))
        }
        Lent::File(file) => console.lend(|| environment.open(&file))?,
        Lent::Pager(text) => console.lend(|| environment.page(&text))?,
    };
    if let Err(why) = done {
        app.say(why);
    }
    Ok(())
}

/// Waits for Enter, so that what a command printed stays until the user has read it.
fn wait_for_enter() {
    use io::Write as _;
    let mut out = io::stdout();
    let _ = out.write_all(t("\n(Enter goes back to the team)\n").as_bytes());
    let _ = out.flush();
    let mut line = String::new();
    let _ = io::stdin().read_line(&mut line);
}

/// Stops this process as Ctrl-Z does; returns when it continues. Another thread may hear the signal, a moment after it was sent:
/// the terminal is taken again only after that.
fn suspend() {
    // Only a stop that everybody in the process group hears lets the shell have the terminal.
    let stop = || rustix::process::kill_current_process_group(rustix::process::Signal::TSTP);
    let goes_on = SignalKind::from_raw(rustix::process::Signal::CONT.as_raw());
    Handle::current().block_on(async {
        let Ok(mut goes_on) = signal(goes_on) else {
            let _ = stop();
            return;
        };
        let _ = stop();
        let _ = timeout(STOPS_WITHIN, goes_on.recv()).await;
    });
}
