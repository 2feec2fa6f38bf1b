//! `teammate deny`: the user denies a request, from any terminal.

use clap::Args;
use teammate::request::{Answer, RequestId};

use super::{
    CliContext, CliResult, SharedOptions, Verb,
    approve::{answer_seen, print_answered},
    saw::Saw,
};

/// Deny a permission question, or reject a plan
#[derive(Args)]
pub(crate) struct Deny {
    /// The request: req_000003 or 3
    id: RequestId,

    /// The reason, for the member that asked
    #[arg(long, value_name = "TEXT", default_value = "")]
    because: String,

    #[command(flatten)]
    saw: Saw,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Verb for Deny {
    const SHARED: SharedOptions = SharedOptions::OfTeam;

    async fn run(self, place: &CliContext) -> CliResult {
        let mut client = place.look().await?;
        let answer = Answer::no(self.because);
        let asked = client.request(self.id)?;
        let request = answer_seen(&mut client, &asked, &self.saw, answer).await?;
        print_answered(&client, &request, self.json);
        Ok(std::process::ExitCode::SUCCESS)
    }
}
