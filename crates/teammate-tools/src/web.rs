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

pub(crate) use fetch::WebFetch;
pub(crate) use search::WebSearch;
pub use search::{SearchApi, SearchError, SearchKey, SearchSettings};
