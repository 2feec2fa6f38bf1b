//! What a run has shown.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write as _,
    time::Duration,
};

/// How many wrong ids are named.
const SHOWN: usize = 20;

/// The sum of all rounds of a design.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    pub(crate) crashes: u64,
    pub(crate) time: Duration,
    pub(crate) acknowledged: u64,
    pub(crate) heard: u64,
    pub(crate) lost: Vec<String>,
    pub(crate) doubled: Vec<String>,
    pub(crate) out_of_order: Vec<String>,
}

impl Verdict {
    pub(crate) fn is_clean(&self) -> bool {
        self.lost.is_empty() && self.doubled.is_empty() && self.out_of_order.is_empty()
    }

    /// Adds a round: what was acknowledged to each sender (all numbers below the given one), and the ids that were
    /// heard, in order.
    pub(crate) fn add(&mut self, acknowledged: &BTreeMap<String, u64>, heard: &[String]) {
        let mut times: HashMap<&str, u32> = HashMap::new();
        let mut last: HashMap<&str, u64> = HashMap::new();
        for id in heard {
            let seen = times.entry(id).or_default();
            *seen += 1;
            if *seen == 2 {
                self.doubled.push(id.clone());
            }
            if let Some((sender, number)) = parts(id)
                && last
                    .insert(sender, number)
                    .is_some_and(|before| before > number)
            {
                self.out_of_order.push(id.clone());
            }
        }
        for (sender, count) in acknowledged {
            self.acknowledged += count;
            let ids = (0..*count).map(|number| format!("{sender}-{number}"));
            self.lost
                .extend(ids.filter(|id| !times.contains_key(id.as_str())));
        }
        self.heard += heard.len() as u64;
    }

    /// Adds the rounds of another.
    pub(crate) fn join(&mut self, other: Self) {
        self.crashes += other.crashes;
        self.time += other.time;
        self.acknowledged += other.acknowledged;
        self.heard += other.heard;
        self.lost.extend(other.lost);
        self.doubled.extend(other.doubled);
        self.out_of_order.extend(other.out_of_order);
    }

    /// The first of what is wrong.
    pub(crate) fn details(&self) -> String {
        let mut text = String::new();
        for (what, ids) in [
            ("lost", &self.lost),
            ("doubled", &self.doubled),
            ("out of order", &self.out_of_order),
        ] {
            if !ids.is_empty() {
                let shown = &ids[..ids.len().min(SHOWN)];
                let _ = writeln!(
                    text,
                    "{what}: {} of them, such as {}",
                    ids.len(),
                    shown.join(" ")
                );
            }
        }
        text
    }
}

fn parts(id: &str) -> Option<(&str, u64)> {
    let (sender, number) = id.rsplit_once('-')?;
    Some((sender, number.parse().ok()?))
}

/// The verdicts side by side.
pub(crate) fn table(rows: &[(&str, &Verdict)]) -> String {
    let mut text = format!(
        "\n{:<20} {:>7} {:>6} {:>12} {:>9} {:>7} {:>8} {:>12}\n",
        "design", "crashes", "time", "acknowledged", "found", "lost", "doubled", "out of order"
    );
    for (name, verdict) in rows {
        let _ = writeln!(
            text,
            "{name:<20} {:>7} {:>5}s {:>12} {:>9} {:>7} {:>8} {:>12}",
            verdict.crashes,
            verdict.time.as_secs(),
            verdict.acknowledged,
            verdict.heard,
            verdict.lost.len(),
            verdict.doubled.len(),
            verdict.out_of_order.len(),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_is_seen() {
        let judge = |count, heard: &[&str]| {
            let heard: Vec<String> = heard.iter().map(|id| (*id).to_owned()).collect();
            let mut verdict = Verdict::default();
            verdict.add(&BTreeMap::from([("s1".to_owned(), count)]), &heard);
            (verdict.lost, verdict.doubled, verdict.out_of_order)
        };
        let none: Vec<String> = Vec::new();
        let one = |id: &str| vec![id.to_owned()];
        // What was not acknowledged may be heard.
        assert_eq!(
            judge(1, &["s1-0", "s2-7", "s1-1"]),
            (none.clone(), none.clone(), none.clone())
        );
        assert_eq!(
            judge(2, &["s1-0"]),
            (one("s1-1"), none.clone(), none.clone())
        );
        assert_eq!(
            judge(1, &["s1-0", "s1-0"]),
            (none.clone(), one("s1-0"), none.clone())
        );
        assert_eq!(
            judge(2, &["s1-1", "s1-0"]),
            (none.clone(), none, one("s1-0"))
        );
    }
}
