//! Tools that look at the web: `fetch` shows a page, `search` asks a search service that the user has configured. Below them
//! `client` makes one request over a connection that was decided about, `page` makes of an answer what a model is shown.
//!
//! Nothing here decides where may be connected: the permission gate does, host by host.

mod body;
mod charset;
mod client;
mod fetch;
mod kept;
mod page;
mod readable;
mod search;
mod web_url;

use teammate_core::{
    event::RefusedBy,
    port::{ConnectArgs, ConnectVerdict, Reach, ToolContext},
    tool::Outcome,
};

pub(crate) use fetch::WebFetch;
pub(crate) use search::WebSearch;
pub use search::{SearchApi, SearchError, SearchKey, SearchSettings};

/// The addresses that a connection may have, as the gate decides. `refused` makes an outcome of the reason if there are none.
async fn reach(
    ask: ConnectArgs,
    context: &ToolContext,
    refused: impl Fn(RefusedBy, &str) -> Outcome,
) -> Result<Reach, Outcome> {
    match context.team.connect(ask).await {
        ConnectVerdict::Allowed(reach) => Ok(reach),
        ConnectVerdict::Refused(why) => Err(refused(RefusedBy::Other, why.trim_end_matches('.'))),
        ConnectVerdict::Unanswered => {
            let unanswered = "nobody has answered the question yet";
            Err(refused(RefusedBy::Deadline, unanswered))
        }
    }
}
