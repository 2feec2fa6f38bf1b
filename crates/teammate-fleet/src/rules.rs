//! The rules that the exhaustive check leaves out one at a time, to see that it would notice. Outside of tests all hold.

/// A rule of the machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Rule {
    /// A newer term in the transcript fences the holder of an older one.
    Terms,
    /// An engine that is busy (NATS: error 10164) has not decided anything.
    BusyIsNoVerdict,
    /// A worker that does not hear itself begins nothing.
    AloneBeginsNothing,
    /// A successor begins after its `Taken` is in the transcript.
    TakenFirst,
}

/// Which rules hold.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Rules {
    #[cfg(test)]
    pub(crate) without: Option<Rule>,
}

impl Rules {
    #[cfg(test)]
    pub(crate) fn hold(self, rule: Rule) -> bool {
        self.without != Some(rule)
    }

    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "tests leave rules out")]
    pub(crate) fn hold(self, _: Rule) -> bool {
        true
    }
}
