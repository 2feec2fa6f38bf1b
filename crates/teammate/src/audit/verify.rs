//! Whether an audit log is whole.

use std::io;

use teammate_core::Timestamp;
use teammate_store::{files::Head, wire::chain::LineDigest};

use super::{AuditRecord, file::AuditFile};

/// The findings about an audit log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditCheck {
    /// How many entries bear the seal.
    pub entries: u64,
    /// The time of the first.
    pub since: Option<Timestamp>,
    /// Places where the log is not as it was written; empty if there are none.
    pub problems: Vec<String>,
}

pub(super) fn verify(file: &AuditFile) -> io::Result<AuditCheck> {
    let mut check = AuditCheck::default();
    let mut last: Option<Head> = None;
    let mut at_remembered = None;
    let remembered = file.remembered()?;
    for (line, number) in file.lines()?.zip(1_u64..) {
        let line = line?;
        let record = serde_json::from_str::<AuditRecord>(&line);
        let (Some(linked), Ok(record)) = (file.log.opened(line.as_bytes()), record) else {
            let what = "is not as it was written, or was cut off when the machine stopped";
            check.problems.push(format!("line {number} {what}"));
            continue;
        };
        let expected = last.map_or(0, |last| last.number + 1);
        let before = last.map_or(LineDigest::NONE, |last| last.digest);
        if record.n != expected || linked.prev != before {
            let n = record.n;
            check.problems.push(match n.checked_sub(expected) {
                Some(missing @ 1..) => {
                    format!("line {number}: {missing} entries before entry {n} are missing")
                }
                Some(0) => format!("line {number}: another line stood before entry {n}"),
                None => format!("line {number}: entry {n} is there again, or was moved"),
            });
        }
        check.entries += 1;
        check.since = check.since.or(Some(record.entry.at));
        let head = Head {
            number: record.n,
            digest: linked.digest,
        };
        if remembered.is_some_and(|remembered| remembered.number == head.number) {
            at_remembered = Some(head);
        }
        last = Some(head);
    }
    check
        .problems
        .extend(end_problem(last, remembered, at_remembered));
    Ok(check)
}

/// The fault of the log's end: the last entry was remembered when it was written.
fn end_problem(
    last: Option<Head>,
    remembered: Option<Head>,
    found: Option<Head>,
) -> Option<String> {
    let Some(remembered) = remembered else {
        return last.map(|_| {
            "it is not known how far the log went: entries at the end may be missing".to_owned()
        });
    };
    if found == Some(remembered) {
        return None;
    }
    let there = last.map_or(0, |last| last.number + 1);
    Some(match (remembered.number + 1).checked_sub(there) {
        Some(missing @ 1..) => format!("{missing} entries at the end are missing"),
        Some(0) | None => format!(
            "entry {} is not the one that was written",
            remembered.number
        ),
    })
}
