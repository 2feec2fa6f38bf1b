//! `/mcp`: the MCP servers of the team, and how each is doing.

use teammate::mcp::{Accepted as _, ServerState};
use teammate_view::t;

use super::{TypedCall, TypedCommand, in_lines};
use crate::screen::clean_line;

pub(super) const MCP: TypedCommand = TypedCommand {
    word: "/mcp",
    usage: "",
    about: "the MCP servers, and how each is doing",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let known = call.place.options.outside_servers().await?;
    let mut lines = known.notices.clone();
    for server in known.servers.all() {
        let settings = server.settings();
        // Only the process that runs the team knows.
        let hosted = call.team.hosted();
        let state = match hosted.and_then(|team| team.server_state(settings.name.as_str())) {
            None | Some(ServerState::Unused) => String::new(),
            Some(ServerState::Ready) => t(", running").to_owned(),
            Some(ServerState::Failed(why)) => t!(", failed: {why}", why = clean_line(&why)),
        };
        let accepted = known.accepted.of(&settings.fingerprint());
        let offers = match &accepted {
            Some(listing) => t!("{count} tools", count = listing.tools.len()),
            None => t("not used yet").to_owned(),
        };
        let name = call.style.bold(settings.name.as_str());
        lines.push(format!("{name}  {offers}{state}"));
        for prompt in accepted.iter().flat_map(|listing| &listing.prompts) {
            let line = format!(
                "  /mcp__{}__{}  {}",
                settings.name, prompt.name, prompt.description
            );
            lines.push(call.style.dim(&clean_line(&line)));
        }
    }
    for name in &known.untrusted {
        lines.push(t!(
            "{name}  not trusted: `teammate trust` shows it",
            name = clean_line(name)
        ));
    }
    if lines.is_empty() {
        lines.push(t("No MCP servers. Add one: teammate mcp add NAME -- COMMAND").to_owned());
    }
    Ok(lines.join("\n"))
}
