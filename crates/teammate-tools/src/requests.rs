//! Tools about requests: shutdown, plans, permission. Each asks the desk and puts its answer into a short sentence; none can make
//! an answer that is not the caller's to give.

mod answer_permission;
mod request_plan;
mod request_shutdown;
mod respond_shutdown;
mod review_plan;
mod submit_plan;

pub use answer_permission::AnswerPermission;
pub use request_plan::RequestPlan;
pub use request_shutdown::RequestShutdown;
pub use respond_shutdown::RespondShutdown;
pub use review_plan::ReviewPlan;
pub use submit_plan::SubmitPlan;

use teammate_core::{request::RequestId, tool::Outcome};

/// The request that a call is about.
fn parsed(id: &str) -> Result<RequestId, Outcome> {
    id.parse()
        .map_err(|error| Outcome::error(format!("Error: {error}. Nothing was answered.")))
}
