//! Steps that are left to the user about something that stopped or was left out. Only the program that the user sits at knows
//! the commands for it, so it words each [`NextStep`]; without such words a plain sentence stands there.

use std::fmt;

use crate::{
    budget::{BudgetScope, BudgetUnit},
    id::ConversationId,
    mode::Mode,
};

/// An action that is left to the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextStep {
    /// Give a budget more of this, and open the team again.
    RaiseBudget(BudgetScope, BudgetUnit),
    /// Raise a budget for all workers that run the team, which goes on then.
    RaiseSharedBudget(BudgetScope, BudgetUnit),
    /// Configure what this model costs, and open the team again.
    PriceModel(String),
    /// Continue an earlier job, or drop it.
    ContinueJob(ConversationId),
    /// Answer what members ask.
    AnswerRequests,
    /// Let the lead approve plans, or answer while the team runs.
    AnswerPlans,
    /// Open the team in this mode.
    AllowMode(Mode),
    /// Allow a refused call by this rule.
    AllowByRule(String),
    /// Allow a refused call by this rule or, as everything like it, by this mode.
    AllowByModeOrRule(Mode, String),
    /// Let commands run with a weaker sandbox.
    AcceptWeakerSandbox,
    /// Look at what the project brings, and trust it.
    TrustProject,
    /// Adopt a team that nothing proves to be the user's.
    AdoptTeam,
    /// Put tasks on the team's own board.
    AddTasks,
    RemoveRule,
    /// Give a model server more time to answer.
    WaitLongerForModel,
    /// Find out why this server of tools fails.
    TryServer(String),
    /// Look at what this server of tools offers now, and accept it.
    AcceptServer(String),
    LogInAtServer(String),
}

impl fmt::Display for NextStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RaiseBudget(..) => f.write_str("raise it and open the team again"),
            Self::RaiseSharedBudget(..) => f.write_str("raise it for all workers"),
            Self::PriceModel(model) => {
                write!(f, "set a price for '{model}' and open the team again")
            }
            Self::ContinueJob(id) => write!(f, "open the team with conversation {id}, or drop it"),
            Self::AnswerRequests => f.write_str("answer it"),
            Self::AnswerPlans => f.write_str("let the lead approve plans, or answer them"),
            Self::AllowMode(mode) => write!(f, "open the team in the mode '{mode}'"),
            Self::AllowByRule(rule) => write!(f, "allow it by the rule '{rule}'"),
            Self::AllowByModeOrRule(mode, rule) => {
                write!(f, "allow it by the mode '{mode}' or the rule '{rule}'")
            }
            Self::AcceptWeakerSandbox => f.write_str("accept a weaker sandbox"),
            Self::TrustProject => f.write_str("look at it and trust it"),
            Self::AdoptTeam => f.write_str("adopt the team"),
            Self::AddTasks => f.write_str("add tasks to the team's own board"),
            Self::RemoveRule => f.write_str("remove the rule"),
            Self::TryServer(_) => f.write_str("try it"),
            Self::AcceptServer(_) => f.write_str("look at it and accept it"),
            Self::LogInAtServer(_) => f.write_str("log in there"),
            Self::WaitLongerForModel => {
                f.write_str("try again later, or give the server more time")
            }
        }
    }
}

/// How a program words next steps, in the middle of a sentence: "the user can ...". Default: [`NextStep`]'s own words.
#[derive(Clone, Copy)]
pub struct Wording(fn(&NextStep) -> String);

impl Wording {
    /// The words that this function finds.
    pub fn new(words: fn(&NextStep) -> String) -> Self {
        Self(words)
    }

    /// A step in words, without an end mark.
    pub fn words(self, step: &NextStep) -> String {
        (self.0)(step)
    }
}

impl Default for Wording {
    fn default() -> Self {
        Self(NextStep::to_string)
    }
}

impl PartialEq for Wording {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Eq for Wording {}

impl fmt::Debug for Wording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Wording")
    }
}
