//! The servers' tools for members: each tool, or where there are many, two tools to find and call them.

mod call_tool;
mod remote;
mod resources;
mod search;

use std::sync::Arc;

use serde_json::value::{RawValue, to_raw_value};
use teammate_core::port::Tool;

use self::{
    call_tool::CallTool,
    remote::RemoteTool,
    resources::{ListResources, ReadResource},
    search::SearchTools,
};
use crate::mcp::client::{
    listing::{Accepted, Listing},
    server::ToolServer,
    surroundings::Surroundings,
};

/// How much all tools may take in each request before they are only found by searching, in bytes. About 4,000 tokens.
const SHOWN_MAX: usize = 14_400;

/// The tools of these servers.
pub(crate) fn of(
    listings: Vec<(Arc<ToolServer>, Listing)>,
    around: &Arc<Surroundings>,
    accepted: &Arc<dyn Accepted>,
) -> Vec<Arc<dyn Tool>> {
    let with_resources: Vec<Arc<ToolServer>> = listings
        .iter()
        .filter(|(_, listing)| listing.has_resources)
        .map(|(server, _)| server.clone())
        .collect();
    let mut remote = Vec::new();
    for (server, listing) in listings {
        let settings = server.settings();
        let used = listing.tools.into_iter();
        let used = used.filter(|tool| settings.uses(&tool.name));
        for tool in used {
            let known = (server.clone(), around.clone(), accepted.clone());
            remote.push(RemoteTool::new(known, tool));
        }
    }
    remote.sort_by(|a, b| a.spec().name.cmp(&b.spec().name));
    let bytes: usize = remote.iter().map(RemoteTool::shown_bytes).sum();
    let is_searched = bytes > SHOWN_MAX;
    let remote: Vec<Arc<RemoteTool>> = remote
        .into_iter()
        .map(|tool| Arc::new(tool.hidden(is_searched)))
        .collect();
    let mut tools: Vec<Arc<dyn Tool>> = Vec::new();
    if is_searched {
        tools.push(Arc::new(SearchTools::new(
            remote.clone(),
            !with_resources.is_empty(),
        )));
        tools.push(Arc::new(CallTool::new()));
    }
    if !with_resources.is_empty() {
        let servers: Arc<[Arc<ToolServer>]> = with_resources.into();
        tools.push(Arc::new(ListResources::new(
            servers.clone(),
            around,
            is_searched,
        )));
        tools.push(Arc::new(ReadResource::new(servers, around, is_searched)));
    }
    tools.extend(remote.into_iter().map(|tool| tool as Arc<dyn Tool>));
    tools
}

/// A schema of ours.
fn raw(schema: &serde_json::Value) -> Box<RawValue> {
    to_raw_value(schema).expect("a JSON value can be written")
}
