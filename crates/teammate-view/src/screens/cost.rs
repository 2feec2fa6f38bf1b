//! Tokens and money, by member and by task.

use crate::t;
use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::{
    MemberName,
    budget::{Budget, with_thousands},
    estimate,
    price::Prices,
    team::{Spending, UsageTotal},
};

use super::{
    TeamFacts,
    room::{PAGE_MAX, line},
    spark::{SparkLine, SparkScreen},
};
use crate::{
    TeamView,
    clean::clean,
    money::{
        all_tokens, amount, amount_or_unknown, cache_percent, known_amount, money_or_tokens, short,
        tokens,
    },
};

/// The amounts that the team has used, as every screen draws them.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CostScreen {
    /// The first members.
    pub members: Vec<CostLine>,
    /// How many more there are.
    pub more_members: usize,
    pub all: CostLine,
    /// All of it, in money, or in tokens.
    pub spent: String,
    /// The cost of each task, as far as this view has seen it.
    pub tasks: Vec<TaskCost>,
    /// How many earlier ones there are.
    pub more_tasks: usize,
    /// When the tokens were used.
    pub over_time: SparkScreen,
    /// The limit of all members, in money.
    pub limit: Option<String>,
    /// Each limit that there is, the one on money first.
    pub limits: Vec<String>,
    /// The day of the catalogue's prices, where they are used.
    pub prices_of: Option<String>,
    /// As [`cost_notes`] has them.
    pub notes: Vec<String>,
}

/// The spending of a member, or of all.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CostLine {
    pub name: String,
    pub requests: u64,
    pub turns: u64,
    /// Nothing where nobody counted or estimated them.
    pub tokens_in: Option<u64>,
    /// How much of that came from a cache, in percent.
    pub cached: Option<u64>,
    pub tokens_out: Option<u64>,
    /// How many of the tokens are estimated.
    pub tokens_estimated: u64,
    /// When the tokens were used; nothing of all together, and where that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_time: Option<SparkLine>,
    pub money: Option<String>,
    /// The money as a column shows it: an unknown amount is never shown as nothing.
    #[serde(skip)]
    pub money_text: String,
}

/// The cost of a task.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TaskCost {
    pub task: String,
    pub subject: String,
    /// In money, or in tokens.
    pub spent: String,
}

impl CostLine {
    /// The heads of [`Self::cells`].
    pub const HEADS: [&str; 7] = [
        "member",
        "requests",
        "turns",
        "tokens in",
        "from cache",
        "out",
        "money",
    ];

    fn of(name: &str, models: &BTreeMap<String, UsageTotal>, turns: u64, prices: &Prices) -> Self {
        let sum: UsageTotal = models.values().sum();
        Self {
            name: name.to_owned(),
            requests: sum.requests,
            turns,
            tokens_in: sum.known(sum.input()),
            cached: (sum.input() > 0).then(|| cache_percent(sum)),
            tokens_out: sum.known(sum.usage.output),
            tokens_estimated: sum.usage.estimated,
            over_time: None,
            money: known_amount(prices, models),
            money_text: amount_or_unknown(prices, models),
        }
    }

    /// The line in columns.
    pub fn cells(&self, digits: fn(u64) -> String) -> [String; 7] {
        let tokens = |count| tokens(count, self.tokens_estimated > 0, digits);
        let cached = self.cached.map(|percent| format!("{percent} %"));
        [
            self.name.clone(),
            digits(self.requests),
            digits(self.turns),
            tokens(self.tokens_in),
            cached.unwrap_or_default(),
            tokens(self.tokens_out),
            self.money_text.clone(),
        ]
    }
}

/// The lines of all members, the lead first, and that of all together.
pub fn cost_table(spending: &Spending, prices: &Prices) -> (Vec<CostLine>, CostLine) {
    let mut members: Vec<_> = spending.members().collect();
    members.sort_by_key(|(name, _)| !name.is_lead());
    let members = members.into_iter();
    let members = members
        .map(|(name, spent)| CostLine::of(name.as_str(), &spent.models, spent.turns, prices));
    let all = CostLine::of(t("total"), &spending.models(), spending.turns(), prices);
    (members.collect(), all)
}

/// The notes below a table of cost: which costs and tokens are unknown or estimated, and of which day the prices are.
pub fn cost_notes(spending: &Spending, prices: &Prices) -> Vec<String> {
    let models = spending.models();
    let unpriced = models.iter();
    let unpriced = unpriced
        .filter(|(model, sum)| sum.tokens() > 0 && prices.paid(model, &sum.usage).is_none());
    let mut notes: Vec<String> = unpriced
        .map(|(model, sum)| {
            let (tokens, model) = (all_tokens(sum, with_thousands), clean(model));
            t!("The cost of {tokens} of {model} is unknown: the configuration has no [prices.\"{model}\"]", tokens, model)
        })
        .collect();
    let unknown = models.iter().filter(|(_, sum)| sum.is_unknown());
    notes.extend(unknown.map(|(model, sum)| {
        let (requests, model) = (with_thousands(sum.requests), clean(model));
        t!("The tokens of {requests} requests to {model} are unknown: its server or agent did not report them", requests, model)
    }));
    notes.extend(
        spending
            .sum()
            .is_estimated()
            .then(|| estimate::LEGEND.to_owned()),
    );
    let day = prices.as_of(models.keys());
    notes.extend(day.map(|day| {
        t!(
            "Prices that you have not set are the vendors' own as of {day}",
            day
        )
    }));
    notes
}

/// All that is limited, the money first.
fn limits(most: &Budget, prices: &Prices) -> Vec<String> {
    let limits = [
        most.money.map(|most| amount(&prices.currency, most.into())),
        most.tokens
            .map(|most| t!("{count} tokens", count = short(most))),
        most.turns.map(|most| t!("{most} turns", most)),
        most.minutes.map(|most| t!("{most} minutes", most)),
    ];
    limits.into_iter().flatten().collect()
}

impl TaskCost {
    /// The task, or that there was none.
    pub fn subject(&self) -> String {
        match self.task.as_str() {
            "none" => t("no task").to_owned(),
            id => format!("{id} {}", self.subject),
        }
    }
}

impl TeamView {
    /// All that was used, in money, or in tokens.
    pub fn spent(&self, facts: &TeamFacts) -> String {
        money_or_tokens(&facts.prices, &self.costs().spending(self.team()).models())
    }
}

impl CostScreen {
    pub const BY_TASK: &str = "By task, as far as this view has seen it";

    /// Counts what the view has seen, at the prices of `facts`.
    pub fn of(view: &TeamView, facts: &TeamFacts) -> Self {
        let (team, prices) = (view.team(), &facts.prices);
        let spending = view.costs().spending(team);
        let (mut members, all) = cost_table(&spending, prices);
        let more_members = members.len().saturating_sub(PAGE_MAX);
        members.truncate(PAGE_MAX);
        for line in &mut members {
            let name = MemberName::parse(&line.name).ok();
            line.over_time = name.map(|name| SparkLine::of(view, &name));
        }
        let task = |task: String, subject: &str, models| TaskCost {
            task,
            subject: line(subject),
            spent: money_or_tokens(prices, models),
        };
        let more_tasks = view.costs().by_task().count().saturating_sub(PAGE_MAX);
        let by_task = view.costs().by_task().skip(more_tasks);
        let mut tasks: Vec<TaskCost> = by_task
            .map(|(id, models)| {
                let subject = team.board().task(id).map_or("", |task| &task.subject);
                task(id.to_string(), subject, models)
            })
            .collect();
        let rest = view.costs().without_task(team);
        if !tasks.is_empty() && !rest.is_empty() {
            tasks.push(task("none".to_owned(), "", &rest));
        }
        let models = spending.models();
        Self {
            members,
            more_members,
            all,
            spent: money_or_tokens(prices, &models),
            tasks,
            more_tasks,
            over_time: SparkScreen::of(view),
            limit: facts
                .limits
                .money
                .map(|most| amount(&prices.currency, most.into())),
            limits: limits(&facts.limits, prices),
            prices_of: prices.as_of(models.keys()).map(str::to_owned),
            notes: cost_notes(&spending, prices),
        }
    }

    /// The heading: the sum, and its limits.
    pub fn title(&self) -> String {
        match self.limits.is_empty() {
            true => t!("Cost: {spent}", spent = self.spent),
            false => t!(
                "Cost: {spent}, at most {limits}",
                spent = self.spent,
                limits = self.limits.join(", ")
            ),
        }
    }
}
