//! The external agents of a team that is opened.

use std::sync::Arc;

use teammate_core::{permission::Rules, port::AgentSource};
use teammate_process::TeamSandbox;
use teammate_tools::ToolCatalogue;

use super::environment;
use crate::{
    agents::TeamAgents, builder::TeamBuilder, file_stores::FileStores, project::ProjectTexts,
};

impl TeamBuilder {
    /// Those that the user has configured; each becomes a kind of teammate. None starts before a member needs it.
    pub(super) fn open_agents(
        &self,
        files: &FileStores,
        rules: &Rules,
        (sandbox, tools): (&TeamSandbox, &ToolCatalogue),
        texts: &mut ProjectTexts,
    ) -> Option<Arc<dyn AgentSource>> {
        self.agents.define(&mut texts.agents);
        Some(Arc::new(TeamAgents {
            agents: self.agents.clone(),
            user: self.user.clone(),
            home: self.sandbox.home.clone(),
            sandbox: sandbox.clone(),
            tools: tools.clone(),
            environment: environment(&self.config),
            deny: rules.deny.clone(),
            team_dir: files.dir.path().to_owned(),
            key: files.site.key.clone(),
        }))
    }
}
