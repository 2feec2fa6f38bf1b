//! Who has spent what: what the journal counts, and the answers since.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;
use teammate_core::{
    MemberName,
    board::TaskId,
    event::{Event, EventKind},
    model::Usage,
    port::Record,
    team::{Spending, TeamEvent, TeamState, UsageTotal},
};

/// An answer that the journal does not count yet.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Answer {
    model: String,
    usage: Usage,
}

/// Answers beyond the journal's sums, and what was spent on which task.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Costs {
    pending: BTreeMap<MemberName, VecDeque<Answer>>,
    /// Answers that the journal counts and whose events have not come yet.
    ahead: BTreeMap<MemberName, usize>,
    tasks: BTreeMap<TaskId, BTreeMap<String, (u64, Usage)>>,
}

impl Costs {
    /// All that the team has spent: the journal's sums and the answers since.
    pub fn spending(&self, team: &TeamState) -> Spending {
        let mut spending = team.spending().clone();
        for (member, answers) in &self.pending {
            for answer in answers {
                spending.add(member, &answer.model, UsageTotal::one(answer.usage));
            }
        }
        spending
    }

    /// What members spent while they had each task in progress, by model.
    pub fn by_task(&self) -> impl Iterator<Item = (TaskId, BTreeMap<String, UsageTotal>)> {
        self.tasks.iter().map(|(task, models)| {
            let total = |(model, (requests, usage)): (&String, &(u64, Usage))| {
                let (requests, usage) = (*requests, *usage);
                (model.clone(), UsageTotal { requests, usage })
            };
            (*task, models.iter().map(total).collect())
        })
    }

    /// Takes a record that the team has already taken.
    pub(crate) fn take_record(&mut self, record: &Record) {
        for event in &record.events {
            if let TeamEvent::Spent {
                member, requests, ..
            } = event
            {
                let counted = usize::try_from(*requests).unwrap_or(usize::MAX);
                let answers = self.pending.entry(member.clone()).or_default();
                let here = counted.min(answers.len());
                answers.drain(..here);
                *self.ahead.entry(member.clone()).or_default() += counted - here;
            }
        }
    }

    /// Takes an event; `model` is the one that the member asked last.
    pub(crate) fn take_event(&mut self, event: &Event, team: &TeamState, model: Option<&str>) {
        let (usage, named) = match &event.what {
            EventKind::ModelAnswered { usage, model, .. } => (*usage, model.as_deref()),
            EventKind::SubagentAnswered { usage, .. } | EventKind::Compacted { usage, .. } => {
                (*usage, None)
            }
            // Whatever the last run did not hand over is in the journal after its end.
            EventKind::TeamOpened { .. } => {
                self.pending.clear();
                self.ahead.clear();
                return;
            }
            _ => return,
        };
        if usage == Usage::default() {
            return;
        }
        let model = named.or(model).unwrap_or("?").to_owned();
        if let Some(task) = team.board().task_of(&event.member) {
            let models = self.tasks.entry(task.id).or_default();
            let (requests, sum) = models.entry(model.clone()).or_default();
            *requests += 1;
            *sum += usage;
        }
        if let Some(ahead @ 1..) = self.ahead.get_mut(&event.member) {
            *ahead -= 1;
            return;
        }
        let answers = self.pending.entry(event.member.clone()).or_default();
        answers.push_back(Answer { model, usage });
    }
}
