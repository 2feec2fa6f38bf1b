//! Which named commands the last records list, so that what is asked twice is decided once.

use std::collections::{HashSet, VecDeque};

use crate::team::{CommandId, Record};

/// So many names are remembered.
const NAMES_MAX: usize = 16_384;

/// The names in the last records.
#[derive(Debug, Default)]
pub(super) struct CommandNames {
    known: HashSet<CommandId>,
    /// With the record that lists each, in order.
    order: VecDeque<(u64, CommandId)>,
    /// All that records from this one on list are known.
    from: u64,
}

impl CommandNames {
    pub(super) fn take(&mut self, record: &Record) {
        for decided in &record.commands {
            if self.known.insert(decided.id) {
                self.order.push_back((record.number, decided.id));
            }
        }
    }

    pub(super) fn has(&self, id: CommandId) -> bool {
        self.known.contains(&id)
    }

    /// Whether all are known that were listed since the journal had this length.
    pub(super) fn knows_since(&self, length: u64) -> bool {
        self.from <= length
    }

    /// While commands are decided nothing is forgotten.
    pub(super) fn forget_old(&mut self) {
        while self.order.len() > NAMES_MAX
            && let Some((number, id)) = self.order.pop_front()
        {
            self.known.remove(&id);
            self.from = number + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::{Timestamp, team::DecidedCommand};

    fn id(number: u64) -> CommandId {
        CommandId {
            writer: Uuid::from_u128(1),
            number,
        }
    }

    #[test]
    fn what_is_forgotten_is_said() {
        let mut names = CommandNames::default();
        let most = NAMES_MAX as u64;
        for number in 0..most + 3 {
            let mut record = Record::of(number, Timestamp(0), Vec::new());
            let (id, first, count) = (id(number), 0, 0);
            record.commands.push(DecidedCommand { id, first, count });
            names.take(&record);
        }
        assert!(names.has(id(0)) && names.knows_since(0));
        names.forget_old();
        assert!(!names.has(id(2)) && names.has(id(3)));
        assert!(!names.knows_since(2) && names.knows_since(3));
    }
}
