//! Quantiles of what was measured.

use std::time::Duration;

/// Measured values, sorted.
pub(super) struct Sample(Vec<f64>);

impl Sample {
    pub(super) fn new(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    /// Of times, in milliseconds.
    pub(super) fn ms(times: impl IntoIterator<Item = Duration>) -> Self {
        Self::new(times.into_iter().map(ms))
    }

    /// The value that a part `share` of all is not above; 0 if there is none.
    pub(super) fn quantile(&self, share: f64) -> f64 {
        let last = self.0.len().saturating_sub(1);
        let at = (last as f64 * share).round() as usize;
        self.0.get(at).copied().unwrap_or(0.0)
    }

    pub(super) fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// `p10 1.0, p95 3.0, max 4.0, n 50`.
    pub(super) fn spread(&self) -> String {
        format!(
            "p10 {:.2}, p95 {:.2}, max {:.2}, n {}",
            self.quantile(0.1),
            self.quantile(0.95),
            self.quantile(1.0),
            self.0.len()
        )
    }
}

/// In milliseconds.
pub(super) fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
