//! Tools about requests: shutdown, plans, permission. None can make an answer that is not the caller's to give.

mod answer_permission;
mod request_plan;
mod request_shutdown;
mod respond_shutdown;
mod review_plan;
mod submit_plan;

use std::sync::Arc;

use teammate_core::port::Tool;

pub(crate) use answer_permission::AnswerPermission;

use crate::typed_tool::typed;

/// Those of the lead, but for [`AnswerPermission`]: the user decides whether it has that.
pub(crate) fn lead() -> Vec<Arc<dyn Tool>> {
    vec![
        typed(request_shutdown::RequestShutdown),
        typed(request_plan::RequestPlan),
        typed(review_plan::ReviewPlan),
    ]
}

/// Those of teammates.
pub(crate) fn teammate() -> Vec<Arc<dyn Tool>> {
    vec![
        typed(submit_plan::SubmitPlan),
        typed(respond_shutdown::RespondShutdown),
    ]
}
