//! Counts over a run: each series from the run's beginning on, so that what is sent later holds what was sent before, and a
//! number that is lost on the way costs nothing.

use std::collections::BTreeMap;

use crate::names::metric;

/// How many series there are at most. Members, models and tools make them, and a team may make many of those.
const SERIES_MAX: usize = 2_000;

/// Bounds of seconds, by the convention for model calls; the last ones are ours, for waits and turns.
const SECONDS: &[f64] = &[
    0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92, 327.68,
    1310.72,
];

/// Bounds of tokens, by the convention.
const TOKENS: &[f64] = &[
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1024.0,
    4096.0,
    16384.0,
    65536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];

/// Something that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Instrument {
    /// Tokens of a model call.
    TokenUsage,
    /// How long a model call took.
    CallDuration,
    /// How long a tool call took.
    ToolDuration,
    /// How long a turn took.
    AgentDuration,
    /// How long the run took.
    WorkflowDuration,
    /// How long a member waited for something.
    WaitDuration,
    /// The cost of model calls.
    Cost,
}

impl Instrument {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::TokenUsage => metric::TOKEN_USAGE,
            Self::CallDuration => metric::CALL_DURATION,
            Self::ToolDuration => metric::TOOL_DURATION,
            Self::AgentDuration => metric::AGENT_DURATION,
            Self::WorkflowDuration => metric::WORKFLOW_DURATION,
            Self::WaitDuration => metric::WAIT_DURATION,
            Self::Cost => metric::COST,
        }
    }

    /// In what it is counted.
    pub fn unit(self) -> &'static str {
        match self {
            Self::TokenUsage => "{token}",
            Self::Cost => "1",
            Self::CallDuration
            | Self::ToolDuration
            | Self::AgentDuration
            | Self::WorkflowDuration
            | Self::WaitDuration => "s",
        }
    }

    /// The bounds of its histogram; nothing for a sum.
    pub fn bounds(self) -> Option<&'static [f64]> {
        match self {
            Self::TokenUsage => Some(TOKENS),
            Self::Cost => None,
            Self::CallDuration
            | Self::ToolDuration
            | Self::AgentDuration
            | Self::WorkflowDuration
            | Self::WaitDuration => Some(SECONDS),
        }
    }
}

/// The labels of a series.
pub type Labels = Vec<(&'static str, String)>;

/// One series.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Series {
    /// How many values there were.
    pub count: u64,
    pub sum: f64,
    /// How many were at most each bound and over the one before, and how many were over the last; empty for a sum.
    pub buckets: Vec<u64>,
}

/// All series of a run.
#[derive(Debug, Clone, Default)]
pub struct Metrics {
    series: BTreeMap<(Instrument, Labels), Series>,
}

impl Metrics {
    /// All of them, those of an instrument together.
    pub fn series(&self) -> impl Iterator<Item = (Instrument, &Labels, &Series)> {
        self.series
            .iter()
            .map(|((instrument, labels), series)| (*instrument, labels, series))
    }

    /// One value more. A series more than there may be is not counted.
    pub(crate) fn record(&mut self, instrument: Instrument, labels: Labels, value: f64) {
        let key = (instrument, labels);
        if self.series.len() >= SERIES_MAX && !self.series.contains_key(&key) {
            return;
        }
        let series = self.series.entry(key).or_default();
        series.count += 1;
        series.sum += value;
        if let Some(bounds) = instrument.bounds() {
            series.buckets.resize(bounds.len() + 1, 0);
            let bucket = bounds.partition_point(|bound| *bound < value);
            series.buckets[bucket] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_at_a_bound_is_below_it() {
        let mut metrics = Metrics::default();
        for tokens in [0.0, 1.0, 2.0, 4.0, 1e12] {
            metrics.record(Instrument::TokenUsage, Vec::new(), tokens);
        }
        let (_, _, series) = metrics.series().next().unwrap();
        assert_eq!(series.buckets[..3], [2, 2, 0]);
        assert_eq!(series.buckets.last(), Some(&1));
        assert_eq!(series.count, 5);
    }

    #[test]
    fn series_have_a_limit_and_known_ones_go_on() {
        let mut metrics = Metrics::default();
        let label = |tool: usize| vec![("gen_ai.tool.name", tool.to_string())];
        for tool in 0..SERIES_MAX + 10 {
            metrics.record(Instrument::ToolDuration, label(tool), 1.0);
        }
        metrics.record(Instrument::ToolDuration, label(0), 1.0);
        assert_eq!(metrics.series().count(), SERIES_MAX);
        let counted: u64 = metrics.series().map(|(_, _, series)| series.count).sum();
        assert_eq!(counted, SERIES_MAX as u64 + 1);
    }
}
