//! `continue`: the paused team goes on.

use clap::Args;
use serde_json::json;
use teammate::handle;
use teammate_view::continue_receipt;

use super::verb::{TeamVerb, VerbCall, VerbOutput};

/// Have a paused team go on: the other half of `teammate pause`
///
/// A team that is closed goes on with `teammate resume`.
#[derive(Args)]
pub(crate) struct Continue {}

impl TeamVerb for Continue {
    const WORD: &str = "/continue";
    const USAGE: &str = "";
    const ABOUT: &str = "the paused team goes on";

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
        let before = call.state.pause();
        call.team.ask(handle::Continue::default()).await?;
        let json = json!({ "paused": false, "changed": before.is_some() });
        let mut lines = vec![continue_receipt(before)];
        lines.extend(call.if_saved().await);
        VerbOutput::of(json, lines)
    }
}
