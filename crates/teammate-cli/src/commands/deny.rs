//! `teammate deny`: the user says no, from any terminal.

use clap::Args;
use teammate::request::{Answer, RequestId};

use super::{CliContext, CliResult, approve::print_answered};

/// Say no to a plan or a permission question
#[derive(Args)]
pub(crate) struct Deny {
    /// Which: req_000003 or 3
    id: RequestId,

    /// The reason, for the requester
    #[arg(long, value_name = "TEXT", default_value = "")]
    because: String,

    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Deny {
    pub(crate) async fn run(self, place: &CliContext) -> CliResult {
        let mut client = place.look().await?;
        let answer = Answer::no(self.because);
        let request = client.answer(self.id, answer).await?;
        print_answered(&client, &request, self.json);
        Ok(std::process::ExitCode::SUCCESS)
    }
}
