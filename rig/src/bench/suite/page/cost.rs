//! What readers cost while a team works: the CPU of its process, with them and without in turn, and that of the page.

use std::{io, thread, time::Duration};

use super::{
    super::{
        row::{Row, Target},
        sample::Sample,
    },
    stage::{Page, Stage},
};

/// Shares of a CPU in percent, of each turn.
#[derive(Default)]
pub(super) struct Cost {
    /// The team's process without readers.
    alone: Vec<f64>,
    /// How much more it takes with them.
    more: Vec<f64>,
    /// The page's own process.
    pages: Vec<f64>,
}

impl Cost {
    /// Measures during this time with readers. `without` is what the team's process took before they came.
    pub(super) fn take(
        &mut self,
        without: f64,
        stage: &Stage,
        page: &Page,
        span: Duration,
    ) -> io::Result<()> {
        let (host, own) = thread::scope(|scope| {
            let own = scope.spawn(|| page.process.share(span));
            let host = stage.host.share(span);
            (host, own.join().map_err(|_| io::Error::other("a panic")))
        });
        self.alone.push(without);
        self.more.push(host? - without);
        self.pages.push(own??);
        Ok(())
    }

    /// As rows.
    pub(super) fn rows(self, readers: &str) -> [Row; 2] {
        let alone = Sample::new(self.alone);
        let (more, pages) = (Sample::new(self.more), Sample::new(self.pages));
        [
            Row::new(
                &format!("CPU that {readers} cost the process of the team"),
                "% of a CPU",
                Target::AtMost(3.0),
                more.median(),
            )
            .note(format!(
                "{:.1} % without; {}",
                alone.median(),
                more.spread()
            )),
            Row::new(
                &format!("CPU of the page's own process for {readers}"),
                "% of a CPU",
                Target::Nothing,
                pages.median(),
            )
            .note(pages.spread()),
        ]
    }
}
