//! The terminal while the full screen has it: entered, left, suspended, and given back after a bug.

mod mouse;

use std::io::{self, Write as _};

use crossterm::{
    event::{
        DisableBracketedPaste, DisableFocusChange, EnableBracketedPaste, EnableFocusChange,
        KeyboardEnhancementFlags, PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
    },
    execute, queue,
    terminal::{
        BeginSynchronizedUpdate, EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen,
        SetTitle, disable_raw_mode, enable_raw_mode,
    },
};
use ratatui::{Frame, Terminal};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    termios::{OptionalActions, tcgetattr, tcsetattr},
};

use self::mouse::{GiveMouseBack, TakeMouse};
use crate::{app::MouseUse, backend::CellBackend};

/// The terminal in our hands. Dropping it gives it back.
pub(crate) struct HeldTerminal {
    terminal: Terminal<CellBackend>,
    mouse: MouseUse,
    is_ours: bool,
}

impl HeldTerminal {
    /// Takes the terminal.
    ///
    /// Errors: it cannot be read by keys.
    pub(crate) fn enter(mouse: MouseUse) -> io::Result<Self> {
        let terminal = Terminal::new(CellBackend::new(io::stdout()))?;
        let mut screen = Self {
            terminal,
            mouse,
            is_ours: false,
        };
        screen.take()?;
        Ok(screen)
    }

    /// Takes the terminal again after [`Self::give_back`].
    pub(crate) fn take(&mut self) -> io::Result<()> {
        enable_raw_mode()?;
        self.is_ours = true;
        // The keyboard protocol is pushed unasked: who does not know it ignores it, and nobody waits for an answer.
        execute!(
            io::stdout(),
            EnterAlternateScreen,
            EnableBracketedPaste,
            EnableFocusChange,
            PushKeyboardEnhancementFlags(KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES),
        )?;
        match self.mouse {
            MouseUse::OfTerminal => {}
            MouseUse::OfScreen => execute!(io::stdout(), TakeMouse)?,
        }
        self.terminal.clear()
    }

    /// Gives the terminal back as it was.
    pub(crate) fn give_back(&mut self) {
        if self.is_ours {
            self.is_ours = false;
            if self.mouse == MouseUse::OfScreen {
                let _ = execute!(io::stdout(), GiveMouseBack);
            }
            restore();
        }
    }

    /// Draws one frame; the terminal shows all of it at once.
    pub(crate) fn draw(&mut self, render: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        queue!(io::stdout(), BeginSynchronizedUpdate)?;
        self.terminal.draw(render)?;
        execute!(io::stdout(), EndSynchronizedUpdate)
    }

    /// Draws everything anew with the next frame, at the size that the terminal has now.
    pub(crate) fn forget(&mut self) -> io::Result<()> {
        self.terminal.autoresize()?;
        self.terminal.clear()
    }

    /// Sets the window's title.
    pub(crate) fn title(&self, title: &str) {
        let _ = execute!(io::stdout(), SetTitle(title));
    }

    /// Writes one of our own sequences, such as a bell.
    pub(crate) fn signal(&self, sequence: &str) {
        let mut out = io::stdout();
        let _ = out.write_all(sequence.as_bytes());
        let _ = out.flush();
    }
}

impl Drop for HeldTerminal {
    fn drop(&mut self) {
        self.give_back();
    }
}

/// Has keys read that wait in the terminal. The reader of keys hears of each arrival once, and forgets those that came together
/// with another size, or did not fit into one read: they would wait for the next key. Setting the modes as they are makes the
/// terminal tell of them again.
pub(crate) fn remind_of_keys() {
    let stdin = io::stdin();
    let mut waits = [PollFd::new(&stdin, PollFlags::IN)];
    if !poll(&mut waits, Some(&Timespec::default())).is_ok_and(|ready| ready > 0) {
        return;
    }
    // A terminal that is gone has no keys.
    if let Ok(modes) = tcgetattr(&stdin) {
        let _ = tcsetattr(&stdin, OptionalActions::Now, &modes);
    }
}

/// Gives the terminal back, also in the middle of a frame. A closed terminal needs nothing.
fn restore() {
    let _ = execute!(
        io::stdout(),
        EndSynchronizedUpdate,
        PopKeyboardEnhancementFlags,
        DisableFocusChange,
        DisableBracketedPaste,
        LeaveAlternateScreen,
        crossterm::cursor::Show,
    );
    let _ = disable_raw_mode();
}
