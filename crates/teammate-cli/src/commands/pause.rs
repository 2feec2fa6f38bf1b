//! `pause`: the whole team asks no model until `continue`.

use clap::Args;
use serde_json::json;
use teammate::handle;
use teammate_view::pause_receipt;

use super::verb::{TeamVerb, VerbCall, VerbOutput};

/// Pause the whole team, which stays open: nobody asks a model until `teammate continue`
///
/// What was asked for before is answered, and its tools run to their end; mail and tasks wait. A pause outlives the program that
/// runs the team. To close the team, use `teammate stop`.
#[derive(Args)]
pub(crate) struct Pause {}

impl TeamVerb for Pause {
    const WORD: &str = "/pause";
    const USAGE: &str = "";
    const ABOUT: &str = "nobody asks a model until /continue; mail waits";

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
        let before = call.state.pause();
        call.team.ask(handle::Pause::default()).await?;
        let json = json!({ "paused": true, "changed": before.is_none() });
        VerbOutput::of(json, vec![pause_receipt(before)])
    }
}
