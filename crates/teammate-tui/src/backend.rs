//! Cells to the terminal: as ratatui's backend does it, but behind a cluster whose width terminals dispute the cursor is set
//! anew, so that one wrong guess moves nothing else.

use std::io::{self, Stdout};

use ratatui::{
    backend::{Backend, ClearType, CrosstermBackend, WindowSize},
    buffer::Cell,
    layout::{Position, Size},
};
use teammate_view::width::is_disputed;

/// Writes to standard output.
pub(crate) struct CellBackend(CrosstermBackend<Stdout>);

impl CellBackend {
    pub(crate) fn new(out: Stdout) -> Self {
        Self(CrosstermBackend::new(out))
    }
}

impl Backend for CellBackend {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        // Each call of the inner backend begins by setting the cursor.
        let mut run = Vec::new();
        for cell in content {
            // Lines are drawn from end to end: there one wrong guess moves nothing.
            let symbol = cell.2.symbol();
            let is_end = !matches!(symbol, "─" | "│") && is_disputed(symbol);
            run.push(cell);
            if is_end {
                self.0.draw(run.drain(..))?;
            }
        }
        self.0.draw(run.into_iter())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.0.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.0.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        // Asking the terminal would wait for its answer. Nobody needs it on the alternate screen.
        Ok(Position::ORIGIN)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.0.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.0.clear()
    }

    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        self.0.clear_region(clear_type)
    }

    fn size(&self) -> io::Result<Size> {
        self.0.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.0.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.0)
    }
}
