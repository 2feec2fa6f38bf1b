//! The spending of a team: per member, per model. Nothing here knows a price.
//!
//! Most of it is in transcripts, too. So each member has a mark, `counted`: the length of its transcript up to
//! which answers are in these sums. What comes after the mark can be added from the transcript at any time, and
//! what is handed over twice is counted once.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    MemberName,
    model::{Usage, UsageTotal},
    transcript::Entry,
};

/// Time in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ActiveTime {
    /// In which this member was in a turn.
    pub member: u64,
    /// With at least one member in a turn: not the sum of the members' times.
    pub team: u64,
}

/// The spending of one member, in all incarnations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemberSpending {
    /// By model, as `PROVIDER:NAME`.
    pub models: BTreeMap<String, UsageTotal>,
    /// Turns that ended. One that a limit stopped has not.
    pub turns: u64,
    /// Milliseconds in turns.
    pub worked: u64,
    /// The length of its transcript up to which answers are counted.
    pub counted: u64,
    last_turn: Option<u64>,
}

impl MemberSpending {
    /// All models together.
    pub fn sum(&self) -> UsageTotal {
        self.models.values().sum()
    }
}

/// Requests, tokens, turns and time of a team's members, by model: in all its runs, or in one session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spending {
    members: BTreeMap<MemberName, MemberSpending>,
    /// Milliseconds with at least one member in a turn.
    pub worked: u64,
}

/// An answer that a transcript holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageItem {
    /// The entry that holds it.
    pub at: u64,
    pub model: String,
    pub usage: Usage,
}

/// The answers in these entries of a transcript, which come with their numbers, from number `from` on.
pub fn uncounted_answers<'a>(
    entries: impl IntoIterator<Item = (u64, &'a Entry)>,
    from: u64,
) -> Vec<UsageItem> {
    entries
        .into_iter()
        .filter(|(at, _)| *at >= from)
        .filter_map(|(at, entry)| {
            let (model, usage) = entry.usage()?;
            Some(UsageItem {
                at,
                model: model.to_owned(),
                usage,
            })
        })
        .collect()
}

/// Answers, by model.
pub fn by_model<'a>(items: impl IntoIterator<Item = &'a UsageItem>) -> Vec<(String, UsageTotal)> {
    let mut sums: BTreeMap<&str, UsageTotal> = BTreeMap::new();
    for item in items {
        *sums.entry(&item.model).or_default() += UsageTotal::one(item.usage);
    }
    let owned = |(model, sum): (&str, UsageTotal)| (model.to_owned(), sum);
    sums.into_iter().map(owned).collect()
}

impl Spending {
    /// A member's part; nothing if it never spent anything.
    pub fn member(&self, name: &MemberName) -> MemberSpending {
        self.members.get(name).cloned().unwrap_or_default()
    }

    /// Everybody's part, by name.
    pub fn members(&self) -> impl Iterator<Item = (&MemberName, &MemberSpending)> {
        self.members.iter()
    }

    /// The length of a member's transcript up to which its answers are in these sums.
    pub fn counted(&self, name: &MemberName) -> u64 {
        self.members.get(name).map_or(0, |member| member.counted)
    }

    /// All together, by model.
    pub fn models(&self) -> BTreeMap<String, UsageTotal> {
        let mut models: BTreeMap<String, UsageTotal> = BTreeMap::new();
        for (model, sum) in self.members.values().flat_map(|member| &member.models) {
            *models.entry(model.clone()).or_default() += *sum;
        }
        models
    }

    /// All together.
    pub fn sum(&self) -> UsageTotal {
        self.members.values().flat_map(|m| m.models.values()).sum()
    }

    /// All turns that ended.
    pub fn turns(&self) -> u64 {
        self.members.values().map(|member| member.turns).sum()
    }

    /// The models that members used.
    pub fn model_names(&self) -> BTreeSet<&str> {
        let models = self
            .members
            .values()
            .flat_map(|member| member.models.keys());
        models.map(String::as_str).collect()
    }

    /// Adds requests of a member; the mark stays where it is.
    pub fn add(&mut self, name: &MemberName, model: &str, sum: UsageTotal) {
        let member = self.members.entry(name.clone()).or_default();
        *member.models.entry(model.to_owned()).or_default() += sum;
    }

    /// Adds those answers of a member's transcript that are not in the sums yet.
    pub fn add_pending<'a>(
        &mut self,
        name: &MemberName,
        items: impl IntoIterator<Item = &'a UsageItem>,
    ) {
        let counted = self.counted(name);
        for item in items.into_iter().filter(|item| item.at >= counted) {
            self.add(name, &item.model, UsageTotal::one(item.usage));
        }
    }

    /// Adds time.
    pub fn add_active_time(&mut self, name: &MemberName, worked: ActiveTime) {
        self.worked += worked.team;
        self.members.entry(name.clone()).or_default().worked += worked.member;
    }

    /// The answers of a member's transcript up to there are in these sums.
    pub(crate) fn mark_counted(&mut self, name: &MemberName, upto: u64) {
        if let Some(known) = self.members.get_mut(name) {
            known.counted = upto;
        }
    }

    /// Whether no turn of the member that ended with this entry, or a later one, is counted.
    pub(crate) fn is_new_turn(&self, name: &MemberName, turn: u64) -> bool {
        let last = self.members.get(name).and_then(|known| known.last_turn);
        last.is_none_or(|last| last < turn)
    }

    /// A turn of the member ended with this entry. It counts once.
    pub(crate) fn count_turn(&mut self, name: &MemberName, turn: u64) {
        if self.is_new_turn(name, turn) {
            let known = self.members.entry(name.clone()).or_default();
            known.last_turn = Some(turn);
            known.turns += 1;
        }
    }
}
