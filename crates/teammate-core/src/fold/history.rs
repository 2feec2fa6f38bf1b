//! The history of one task in a journal.

use crate::{
    id::TaskId,
    port::{Journal, JournalError},
    team::{Record, TeamEvent, TeamState},
};

/// The records about a task, without holding the others. Those that do not count are left out.
pub async fn records_about(
    task: TaskId,
    journal: &dyn Journal,
) -> Result<Vec<Record>, JournalError> {
    let is_about =
        |event: &TeamEvent| matches!(event, TeamEvent::Task { task: of, .. } if *of == task);
    let (mut records, mut team) = (Vec::new(), TeamState::default());
    let mut keep = |record: Record| {
        let counts = team.replay(&record).is_ok();
        if counts && record.events.iter().any(is_about) {
            records.push(record);
        }
    };
    journal.visit(0, &mut keep).await?;
    Ok(records)
}
