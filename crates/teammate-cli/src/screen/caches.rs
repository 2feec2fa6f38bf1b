//! Prompt caches in figures: what they saved each member, what was written to them and what was lost; and how much of the
//! output was thinking.

use teammate::{Spending, UsageTotal, with_thousands};
use teammate_view::t;

/// A line for each member whose server counts any of it, the lead first.
pub(crate) fn cache_lines(spending: &Spending) -> Vec<String> {
    let mut members: Vec<_> = spending.members().collect();
    members.sort_by_key(|(name, _)| !name.is_lead());
    members
        .into_iter()
        .filter_map(|(name, member)| line(name.as_str(), member.sum()))
        .collect()
}

fn line(name: &str, sum: UsageTotal) -> Option<String> {
    let usage = sum.usage;
    let mut parts = Vec::new();
    if usage.cache_write > 0 || usage.cache_lost > 0 {
        let long = match usage.cache_write_long {
            0 => String::new(),
            long => t!(" ({amount} for an hour)", amount = with_thousands(long)),
        };
        parts.push(t!(
            "cache read {read}, written {written}{long}, lost {lost}",
            read = with_thousands(usage.cache_read),
            written = with_thousands(usage.cache_write),
            long,
            lost = with_thousands(usage.cache_lost)
        ));
    }
    if usage.reasoning > 0 {
        parts.push(t!(
            "thinking {tokens} of the output",
            tokens = with_thousands(usage.reasoning)
        ));
    }
    (!parts.is_empty()).then(|| format!("  {name}: {}", parts.join("; ")))
}

#[cfg(test)]
mod tests {
    use teammate::model::Usage;

    use super::*;

    #[test]
    fn what_caches_saved_and_lost_is_said_where_servers_count_it() {
        let line = |usage| line("alice", UsageTotal { usage, requests: 1 });
        let nothing = Usage {
            cache_read: 9,
            ..Usage::default()
        };
        assert_eq!(line(nothing), None);
        let all = Usage {
            cache_read: 10_000,
            cache_write: 2_000,
            cache_write_long: 500,
            cache_lost: 30,
            reasoning: 7,
            ..Usage::default()
        };
        assert_eq!(
            line(all).unwrap(),
            "  alice: cache read 10,000, written 2,000 (500 for an hour), lost 30; thinking 7 of the output"
        );
    }
}
