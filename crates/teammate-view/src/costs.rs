//! The costs of members: what the journal counts, and the answers since.

mod ahead;
mod over_time;

use std::collections::BTreeMap;

use serde::Serialize;

use self::ahead::Ahead;
pub use self::over_time::TokensOverTime;
use teammate_core::{
    MemberName,
    board::TaskId,
    event::{Event, EventKind},
    port::Record,
    team::{MemberSpending, Spending, TeamEvent, TeamState, UsageTotal},
};

/// Answers of a member since the team was opened, and how much of them the journal counts. Both come in their own time.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
struct MemberAnswers {
    heard: BTreeMap<String, UsageTotal>,
    counted: UsageTotal,
}

impl MemberAnswers {
    /// Forgets what both sides have.
    fn settle(&mut self) {
        let heard: UsageTotal = self.heard.values().sum();
        if self.counted.requests >= heard.requests {
            self.counted = self.counted.without(heard);
            self.heard.clear();
        }
    }

    /// The usage that the journal does not count yet, by model.
    fn pending(&self) -> impl Iterator<Item = (&str, UsageTotal)> {
        let mut counted = self.counted;
        let rests = self.heard.iter().map(move |(model, total)| {
            let rest = total.without(counted);
            counted = counted.without(*total);
            (model.as_str(), rest)
        });
        rests.filter(|(_, rest)| rest.requests > 0)
    }
}

/// Answers beyond the journal's sums, and what was spent on which task.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Costs {
    answers: BTreeMap<MemberName, MemberAnswers>,
    tasks: BTreeMap<TaskId, BTreeMap<String, UsageTotal>>,
    ahead: Ahead,
    over_time: TokensOverTime,
}

impl Costs {
    /// All that the team has spent: the journal's sums and the answers since.
    pub fn spending(&self, team: &TeamState) -> Spending {
        let mut spending = team.spending().clone();
        for (member, answers) in &self.answers {
            for (model, rest) in answers.pending() {
                spending.add(member, model, rest);
            }
        }
        spending
    }

    /// A member's part of it.
    pub fn of_member(&self, team: &TeamState, member: &MemberName) -> MemberSpending {
        let mut spent = team.spending().member(member);
        for (model, rest) in self
            .answers
            .get(member)
            .iter()
            .flat_map(|all| all.pending())
        {
            *spent.models.entry(model.to_owned()).or_default() += rest;
        }
        spent
    }

    /// The usage of members while they had each task in progress, by model.
    pub fn by_task(&self) -> impl Iterator<Item = (TaskId, &BTreeMap<String, UsageTotal>)> {
        self.tasks.iter().map(|(task, models)| (*task, models))
    }

    /// The usage of members while they had this task in progress, by model; nothing where this view has seen none.
    pub fn of_task(&self, task: TaskId) -> Option<&BTreeMap<String, UsageTotal>> {
        self.tasks.get(&task)
    }

    /// The usage of the team while members had no task, or none that this view has seen, by model. With those of all tasks it
    /// is all.
    pub fn without_task(&self, team: &TeamState) -> BTreeMap<String, UsageTotal> {
        let mut rest = self.spending(team).models();
        for (model, total) in self.tasks.values().flatten() {
            if let Some(sum) = rest.get_mut(model) {
                *sum = sum.without(*total);
            }
        }
        rest.retain(|_, sum| sum.requests > 0);
        rest
    }

    /// When the tokens were used.
    pub fn over_time(&self) -> &TokensOverTime {
        &self.over_time
    }

    /// Takes a record that the team has already taken.
    pub(crate) fn take_record(&mut self, record: &Record, team: &TeamState) {
        let spent = |event: &TeamEvent| {
            let TeamEvent::Spent {
                member,
                requests,
                usage,
                ..
            } = event
            else {
                return None;
            };
            let (requests, usage) = (*requests, *usage);
            Some((member.clone(), UsageTotal { requests, usage }))
        };
        let spent: Vec<_> = record.events.iter().filter_map(spent).collect();
        for (member, total) in &spent {
            self.count(member, *total);
        }
        self.ahead.take(record, spent, team);
    }

    fn count(&mut self, member: &MemberName, total: UsageTotal) {
        let answers = self.answers.entry(member.clone()).or_default();
        answers.counted += total;
        answers.settle();
    }

    /// Takes an event; `model` is the one that the member asked last.
    pub(crate) fn take_event(&mut self, event: &Event, model: Option<&str>) {
        self.ahead.follow(event);
        if let EventKind::TeamOpened { worker: None, .. } = &event.what {
            // Whatever the last run did not hand over is in the journal after its end. What is ahead is of this one. Where another
            // worker runs the lead, answers are counted for each member by the worker that runs it.
            self.answers.clear();
            for (member, total) in self.ahead.spent().cloned().collect::<Vec<_>>() {
                self.count(&member, total);
            }
        }
        let Some(usage) = event.what.spent() else {
            return;
        };
        let named = match &event.what {
            EventKind::ModelAnswered { model, .. } => model.as_deref(),
            _ => None,
        };
        let model = named.or(model).unwrap_or("?").to_owned();
        let one = UsageTotal::one(usage);
        self.over_time.add(&event.member, event.at, one.tokens());
        if let Some(task) = self.ahead.task_of(&event.member) {
            let models = self.tasks.entry(task).or_default();
            *models.entry(model.clone()).or_default() += one;
        }
        let answers = self.answers.entry(event.member.clone()).or_default();
        *answers.heard.entry(model).or_default() += one;
        answers.settle();
    }
}
