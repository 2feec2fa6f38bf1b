//! Rules of a team on servers that an "always" made for all its workers. They stand in its journal, and in no file.

use teammate::{
    TeamClient,
    nats::{StandingRule, TeamCircle},
};

use crate::{commands::CliContext, settings::user_dirs};

impl CliContext {
    /// A line for each; for servers that cannot be asked, one that says so.
    pub(super) async fn standing_rules(&self) -> Vec<String> {
        let client = match client(self).await {
            Ok(Some(client)) => client,
            Ok(None) => return Vec::new(),
            Err(error) => return vec![format!("note: rules of the team are not known: {error:#}")],
        };
        let team = client.team();
        let line = |standing: &StandingRule| {
            let (rule, lasts) = (&standing.rule, standing.breadth.lasts());
            let name = team.name();
            format!("allow  {rule}  (always, on all workers of '{name}' {lasts})")
        };
        team.standing_rules().iter().map(line).collect()
    }

    /// Takes one back, by its text; false if it is none of them.
    ///
    /// Errors: the servers cannot be asked, or it cannot be written.
    pub(super) async fn remove_standing_rule(&self, rule: &str) -> anyhow::Result<bool> {
        match client(self).await? {
            Some(mut client) => Ok(client.drop_rule(rule).await?),
            None => Ok(false),
        }
    }
}

/// The team on servers that is meant, if there is one.
async fn client(place: &CliContext) -> anyhow::Result<Option<TeamClient>> {
    let Some(servers) = place.options.servers()? else {
        return Ok(None);
    };
    let circle = TeamCircle::connect(servers, &user_dirs(), "teammate rules").await?;
    let name = place.options.name_on_servers()?;
    match circle.find(&name).await? {
        Some(team) => Ok(Some(place.clone().attached_to(team.store()).look().await?)),
        None => Ok(None),
    }
}
