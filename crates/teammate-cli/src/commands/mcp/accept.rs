//! `teammate mcp accept`: says yes to what a server offers now, after showing what differs.

use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use teammate::{audit::AuditTrail, mcp::Accepted as _};

use super::{get::print_tool, known, server};
use crate::{
    commands::{CliContext, CliResult, ask_user, note, print_line},
    settings::user_dirs,
};

/// Accept what an MCP server offers now: shows the tools that are new or have changed, and asks
#[derive(Args)]
pub(super) struct Accept {
    /// What it is called
    name: String,

    /// Accept without asking
    #[arg(long)]
    yes: bool,
}

impl Accept {
    pub(super) async fn run(self, place: &CliContext) -> CliResult {
        let known = known(place).await?;
        let server = server(&known, &self.name)?;
        let listed = server.list().await;
        known.servers.close().await;
        let (listing, notices) = match listed {
            Ok(listed) => listed,
            Err(failure) => bail!("the MCP server {} does not work: {failure}", self.name),
        };
        for notice in &notices {
            note(notice);
        }
        let settings = server.settings();
        let before = known
            .accepted
            .of(&settings.fingerprint())
            .unwrap_or_default();
        if before == listing {
            print_line("It offers what you accepted.");
            return Ok(ExitCode::SUCCESS);
        }
        let changed = before.changed_in(&listing);
        let gone = before.tools.iter();
        let gone = gone.filter(|tool| listing.tools.iter().all(|now| now.name != tool.name));
        for tool in &changed {
            let is_new = before.tools.iter().all(|known| known.name != tool.name);
            print_line(if is_new { "new:" } else { "changed:" });
            print_tool(tool);
        }
        for tool in gone {
            print_line(format!("gone: {}", tool.called));
        }
        let question = format!(
            "Accept {} tools of {}? [y/N] ",
            listing.tools.len(),
            self.name
        );
        let script = format!("teammate mcp accept {} --yes", self.name);
        if !self.yes && !ask_user(&question, &script)? {
            print_line("Not accepted; they are not called.");
            return Ok(ExitCode::SUCCESS);
        }
        known
            .accepted
            .accept(settings, &listing)
            .context("cannot keep it")?;
        let what = format!(
            "{} tools of the MCP server {}",
            listing.tools.len(),
            self.name
        );
        let trail = AuditTrail::of(place.team(), &user_dirs());
        if let Err(error) = trail.and_then(|trail| trail.trusted(&what)) {
            note(&format!("This is not in the audit log: {error}"));
        }
        print_line(
            "Accepted. A team that runs takes it with its next call; new tools come when it is opened again.",
        );
        Ok(ExitCode::SUCCESS)
    }
}
