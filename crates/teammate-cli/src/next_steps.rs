//! The commands and settings of this program by which the user does what a [`NextStep`] names.

use teammate::{BudgetScope, NextStep, Wording};

/// How this program words next steps.
pub(crate) fn wording() -> Wording {
    Wording::new(words)
}

/// In the middle of a sentence, after "can".
fn words(step: &NextStep) -> String {
    match step {
        NextStep::RaiseBudget(BudgetScope::Team, unit) => {
            format!("raise it: `teammate resume --budget-{unit} N`")
        }
        NextStep::RaiseBudget(BudgetScope::Member(_), unit) => {
            format!("set a higher `{unit}` in [budget.member] and run `teammate resume`")
        }
        NextStep::RaiseSharedBudget(BudgetScope::Team, unit) => {
            format!("raise it for all workers: `teammate up --budget-{unit} N`")
        }
        NextStep::RaiseSharedBudget(BudgetScope::Member(_), unit) => {
            format!("set a higher `{unit}` in [budget.member] and run `teammate up`")
        }
        NextStep::PriceModel(model) => {
            format!("add [prices.\"{model}\"] to the configuration and run `teammate resume`")
        }
        NextStep::ContinueJob(id) => format!(
            "continue everything with `teammate resume`, only that job with `teammate run --conversation {id} \"...\"`, or drop it \
             with `teammate conversations drop {id}`"
        ),
        NextStep::AnswerRequests => {
            "answer in a terminal with `teammate approve ID` or `teammate deny ID`".to_owned()
        }
        NextStep::AnswerPlans => {
            "start with --plan-approver lead, or answer from another terminal with --answers wait"
                .to_owned()
        }
        NextStep::AllowMode(mode) => format!("start with --permission-mode {mode}"),
        NextStep::AllowByRule(rule) => format!("start with --allow '{rule}'"),
        NextStep::AllowByModeOrRule(mode, rule) => {
            format!("start with --permission-mode {mode}, or with --allow '{rule}'")
        }
        NextStep::AcceptWeakerSandbox => {
            "start with --sandbox off, or say in the configuration that less is enough: [sandbox] required = \"landlock\" or \"none\""
                .to_owned()
        }
        NextStep::TrustProject => "look at it and trust it with `teammate trust`".to_owned(),
        NextStep::AdoptTeam => "adopt it with `teammate trust --team`".to_owned(),
        NextStep::AddTasks => "put tasks on the board with `teammate tasks add`".to_owned(),
        NextStep::WaitLongerForModel => {
            "run it again later, or wait longer for the server with --retry-minutes N".to_owned()
        }
        NextStep::TryServer(name) => format!("see why with `teammate mcp test {name}`"),
        NextStep::AcceptServer(name) => {
            format!("look at it and accept it with `teammate mcp accept {name}`")
        }
        NextStep::LogInAtServer(name) => format!("log in with `teammate mcp login {name}`"),
        NextStep::RemoveRule => "remove it with `teammate rules remove`".to_owned(),
    }
}
