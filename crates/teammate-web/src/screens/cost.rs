//! Tokens and money, by member and by task.

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::{estimate, team::UsageTotal};
use teammate_view::{TeamView, amount, short, tokens};

use super::{
    TeamFacts,
    money::{money, money_or_tokens},
    part::Part,
    room::{PAGE_MAX, line},
};
use crate::html::Html;

/// What stands above the columns.
const HEADS: [&str; 6] = ["member", "requests", "in", "from cache", "out", "money"];

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct CostScreen {
    /// The first members.
    members: Vec<CostLine>,
    /// How many more there are.
    more_members: usize,
    all: CostLine,
    /// All of it, in money, or in tokens.
    spent: String,
    /// What went into each task, as far as this view has seen it.
    tasks: Vec<TaskCost>,
    /// How many earlier ones there are.
    more_tasks: usize,
    /// What all may spend, in money.
    limit: Option<String>,
    /// The day of the catalogue's prices, where they are used.
    prices_of: Option<String>,
}

/// What somebody spent.
#[derive(Debug, Serialize, JsonSchema)]
struct CostLine {
    name: String,
    requests: u64,
    /// Nothing where nobody counted or estimated them.
    tokens_in: Option<u64>,
    /// How much of that came from a cache, in percent.
    cached: Option<u64>,
    tokens_out: Option<u64>,
    /// How many of the tokens are estimated.
    tokens_estimated: u64,
    money: Option<String>,
}

/// What a task cost.
#[derive(Debug, Serialize, JsonSchema)]
struct TaskCost {
    task: String,
    subject: String,
    /// In money, or in tokens.
    spent: String,
}

impl CostLine {
    fn of(name: &str, sum: &UsageTotal, money: Option<String>) -> Self {
        Self {
            name: name.to_owned(),
            requests: sum.requests,
            tokens_in: sum.known(sum.input()),
            cached: (sum.input() > 0).then(|| sum.usage.cache_read * 100 / sum.input()),
            tokens_out: sum.known(sum.usage.output),
            tokens_estimated: sum.usage.estimated,
            money,
        }
    }

    fn row(&self, html: &mut Html) {
        html.line("th", &[("scope", "row")], &self.name);
        let cached = self.cached.map(|percent| format!("{percent} %"));
        let tokens = |count| tokens(count, self.tokens_estimated > 0, short);
        for cell in [
            self.requests.to_string(),
            tokens(self.tokens_in),
            cached.unwrap_or_default(),
            tokens(self.tokens_out),
            self.money.clone().unwrap_or_default(),
        ] {
            html.line("td", &[], &cell);
        }
    }
}

impl CostScreen {
    pub(super) fn of(view: &TeamView, facts: &TeamFacts) -> Self {
        let team = view.team();
        let spending = view.costs().spending(team);
        let member_count = spending.members().count();
        let members = spending.members().take(PAGE_MAX).map(|(name, member)| {
            CostLine::of(
                name.as_str(),
                &member.sum(),
                money(&facts.prices, &member.models),
            )
        });
        let task = |task: String, subject: &str, models| TaskCost {
            task,
            subject: line(subject),
            spent: money_or_tokens(&facts.prices, models),
        };
        let mut tasks: Vec<TaskCost> = Vec::new();
        let more_tasks = view.costs().by_task().count().saturating_sub(PAGE_MAX);
        for (id, models) in view.costs().by_task().skip(more_tasks) {
            let subject = team.board().task(id).map_or("", |task| &task.subject);
            tasks.push(task(id.to_string(), subject, models));
        }
        let rest = view.costs().without_task(team);
        if !tasks.is_empty() && !rest.is_empty() {
            tasks.push(task("none".to_owned(), "", &rest));
        }
        let models = spending.models();
        let limit = facts
            .limits
            .money
            .map(|most| amount(&facts.prices.currency, most.into()));
        Self {
            members: members.collect(),
            more_members: member_count.saturating_sub(PAGE_MAX),
            more_tasks,
            all: CostLine::of("all", &spending.sum(), money(&facts.prices, &models)),
            spent: money_or_tokens(&facts.prices, &models),
            tasks,
            limit,
            prices_of: facts.prices.as_of(models.keys()).map(str::to_owned),
        }
    }

    pub(super) fn parts(&self) -> Vec<Part> {
        let mut parts = vec![
            Part::new("h2", "cost.head", "", |html| self.head(html)),
            Part::new("div", "cost.members", "", |html| {
                let attributes = [
                    ("class", "scroll"),
                    ("tabindex", "0"),
                    ("role", "group"),
                    ("aria-label", "By member"),
                ];
                html.element("div", &attributes, |html| self.table(html));
                more(html, self.more_members, "members");
            }),
        ];
        if !self.tasks.is_empty() {
            parts.push(Part::new("div", "cost.tasks", "", |html| {
                self.by_task(html);
            }));
        }
        if self.all.tokens_estimated > 0 {
            parts.push(Part::new("p", "cost.estimated", "dim", |html| {
                html.text(estimate::LEGEND);
            }));
        }
        if let Some(day) = &self.prices_of {
            parts.push(Part::new("p", "cost.prices", "dim", |html| {
                html.text(&format!(
                    "Prices of the catalogue as of {day}; your own are in the configuration"
                ));
            }));
        }
        parts
    }

    fn head(&self, html: &mut Html) {
        let limit = self
            .limit
            .as_ref()
            .map(|most| format!(" of at most {most}"));
        html.text(&format!(
            "Cost: {}{}",
            self.spent,
            limit.unwrap_or_default()
        ));
    }

    fn table(&self, html: &mut Html) {
        html.element("table", &[], |html| {
            html.element("tr", &[], |html| {
                for head in HEADS {
                    html.line("th", &[("scope", "col")], head);
                }
            });
            for line in self.members.iter().chain([&self.all]) {
                html.element("tr", &[], |html| line.row(html));
            }
        });
    }

    fn by_task(&self, html: &mut Html) {
        html.line("h2", &[], "By task, as far as this page has seen it");
        for task in &self.tasks {
            let text = format!("{} {}  {}", task.task, task.subject, task.spent);
            html.line("div", &[("class", "row")], &text);
        }
        more(html, self.more_tasks, "earlier tasks");
    }
}

fn more(html: &mut Html, count: usize, what: &str) {
    if count > 0 {
        let text = format!("{count} {what} more: /cost lists all");
        html.line("p", &[("class", "dim")], &text);
    }
}
