//! The message that ends what a caller asked for.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Map, Value, json};
use teammate::{Money, Prices, RunOutcome, RunReport, model::Usage};

use crate::claude::{
    messages::{LeadsPart, Messages, usage},
    opening::ClaudeOutput,
    session_id::ClaudeSession,
};

/// A millionth of a millionth of the money.
const PICOS: f64 = 1e12;

/// How something that a caller asked for ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) how: How,
    /// The lead's final text.
    pub(crate) text: String,
    /// The value that fits the schema, if there was one.
    pub(crate) output: Option<Value>,
    /// More about it.
    pub(crate) why: Option<String>,
}

/// How, in the caller's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Done,
    /// It is done, and members left something undone.
    Unfinished,
    Failed,
    Interrupted,
    MaxTurns,
    MaxBudget,
    /// The result does not fit its schema.
    Misfit,
}

impl How {
    /// By a team's report; `limit` is what a limit is that was reached.
    pub(crate) fn of(outcome: &RunOutcome, limit: Self) -> (Self, Option<String>) {
        match outcome {
            RunOutcome::Done => (Self::Done, None),
            RunOutcome::Unfinished(what) | RunOutcome::GoalMissed(what) => {
                (Self::Unfinished, Some(what.clone()))
            }
            RunOutcome::Limit(what) => (limit, Some(what.clone())),
            RunOutcome::Failed(why) | RunOutcome::Storage(why) => (Self::Failed, Some(why.clone())),
            RunOutcome::TimedOut(_) => (Self::Failed, Some("it took too long".to_owned())),
            RunOutcome::Interrupted => (Self::Interrupted, Some("it was interrupted".to_owned())),
        }
    }

    pub(crate) fn is_error(self) -> bool {
        match self {
            Self::Done | Self::Unfinished | Self::Interrupted => false,
            Self::Failed | Self::MaxTurns | Self::MaxBudget | Self::Misfit => true,
        }
    }

    fn subtype(self) -> &'static str {
        match self {
            Self::Done | Self::Unfinished => "success",
            Self::Failed | Self::Interrupted => "error_during_execution",
            Self::MaxTurns => "error_max_turns",
            Self::MaxBudget => "error_max_budget_usd",
            Self::Misfit => "error_max_structured_output_retries",
        }
    }

    /// Our own word.
    fn ending(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Unfinished => "unfinished",
            Self::Failed | Self::Misfit => "failed",
            Self::Interrupted => "interrupted",
            Self::MaxTurns | Self::MaxBudget => "limit",
        }
    }
}

/// What something took.
pub(crate) struct Took<'a> {
    pub(crate) all: Duration,
    pub(crate) lead: &'a LeadsPart,
    /// The team's account, if there is a team.
    pub(crate) report: Option<&'a RunReport>,
    pub(crate) prices: Option<&'a Prices>,
}

/// The message.
pub(crate) fn message(messages: &Messages, ended: Ended, took: &Took<'_>) -> Value {
    let Ended {
        how,
        text,
        output,
        why,
    } = ended;
    let (cost, models) = spent(took);
    let used = took
        .report
        .map_or(Usage::default(), |report| report.stats.total().usage);
    let mut fields = json!({
        "subtype": how.subtype(),
        "is_error": how.is_error(),
        "duration_ms": millis(took.all),
        "duration_api_ms": took.lead.model_ms,
        "num_turns": took.lead.answers,
        "stop_reason": took.lead.stop,
        "total_cost_usd": cost,
        "usage": usage(used),
        "modelUsage": models,
        "permission_denials": took.lead.denied,
        "teammate": { "ending": how.ending(), "why": why },
    });
    match how {
        How::Done | How::Unfinished => fields["result"] = text.into(),
        How::Failed | How::Interrupted | How::MaxTurns | How::MaxBudget | How::Misfit => {
            let why = why.unwrap_or_else(|| how.subtype().to_owned());
            fields["errors"] = json!([why]);
        }
    }
    if let Some(output) = output {
        fields["structured_output"] = output;
    }
    messages.message("result", fields)
}

/// What a caller reads of a session that cannot be opened for the reason that its flags say something which is not done here.
pub fn refused_opening(why: &str) -> Value {
    let messages = Messages::new(ClaudeSession::fresh(), "".as_ref(), false);
    let lead = LeadsPart::default();
    let took = Took {
        all: Duration::ZERO,
        lead: &lead,
        report: None,
        prices: None,
    };
    let ended = Ended {
        how: How::Failed,
        text: String::new(),
        output: None,
        why: Some(why.to_owned()),
    };
    message(&messages, ended, &took)
}

/// What a caller that wants text reads.
pub(crate) fn text_of(result: &Value) -> String {
    let errors = result["errors"].as_array().into_iter().flatten();
    let errors = errors.filter_map(Value::as_str);
    match (&result["structured_output"], result["result"].as_str()) {
        (Value::Null, Some(text)) => text.to_owned(),
        (Value::Null, None) => errors.collect::<Vec<_>>().join("\n"),
        (value, _) => value.to_string(),
    }
}

impl ClaudeOutput {
    /// Whether the caller reads every message.
    pub fn has_messages(self) -> bool {
        match self {
            Self::Text | Self::Json => false,
            Self::StreamJson { .. } => true,
        }
    }
}

/// What all of it cost since the session was opened, and the tokens by model. What has no price costs nothing there: a caller has no
/// word for what is not known.
fn spent(took: &Took<'_>) -> (f64, Value) {
    let (Some(report), Some(prices)) = (took.report, took.prices) else {
        return (0.0, json!({}));
    };
    let amount = |money: Option<Money>| money.map_or(0.0, |money| money.picos() as f64 / PICOS);
    let models = report.spent.models();
    let mut each = Map::new();
    for (model, sum) in &models {
        let one = BTreeMap::from([(model.clone(), *sum)]);
        let used = sum.usage;
        let tokens = json!({
            "inputTokens": used.input,
            "outputTokens": used.output,
            "cacheReadInputTokens": used.cache_read,
            "cacheCreationInputTokens": used.cache_write,
            "webSearchRequests": 0,
            "costUSD": amount(prices.cost_of(&one).known()),
            "contextWindow": 0,
            "maxOutputTokens": 0,
        });
        each.insert(model.clone(), tokens);
    }
    (amount(prices.cost_of(&models).known()), each.into())
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
