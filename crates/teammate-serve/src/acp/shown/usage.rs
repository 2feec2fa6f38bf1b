//! How full the lead's context is, and what all answers have cost.

use serde_json::{Value, json};
use teammate::{ContextUse, Event, EventKind, Money};

/// A millionth of a millionth of the money.
const PICOS: f64 = 1e12;

/// The known usage.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// Of the lead.
    context: Option<ContextUse>,
    /// Of all members, by money.
    cost: Option<(Money, String)>,
    /// Whether some of the cost is estimated.
    is_cost_estimated: bool,
}

impl Used {
    /// An answer is there: the update, where the size of the lead's context is known.
    pub(super) fn take(&mut self, event: &Event) -> Option<Value> {
        let EventKind::ModelAnswered { context, money, .. } = &event.what else {
            return None;
        };
        if event.member.is_lead() {
            self.context = *context;
        }
        if let Some(paid) = money {
            let (sum, currency) = self
                .cost
                .get_or_insert_with(|| (Money::default(), paid.currency.clone()));
            // Prices have one currency.
            if *currency == paid.currency {
                *sum += paid.amount;
                self.is_cost_estimated |= paid.estimated;
            }
        }
        let context = self.context?;
        let size = context.limit?;
        let mut shown = json!({
            "sessionUpdate": "usage_update",
            "used": context.used,
            "size": size,
        });
        if let Some((sum, currency)) = &self.cost {
            let amount = sum.picos() as f64 / PICOS;
            shown["cost"] = json!({ "amount": amount, "currency": currency });
        }
        if context.estimated || self.is_cost_estimated {
            // The protocol has no word for it.
            shown["_meta"] = json!({ "estimated": {
                "used": context.estimated,
                "cost": self.is_cost_estimated,
            } });
        }
        Some(shown)
    }
}
