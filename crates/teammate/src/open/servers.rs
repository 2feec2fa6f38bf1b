//! The servers of tools of a team that is opened.

use std::sync::Arc;

use teammate_core::{permission::Rules, port::Tool};
use teammate_process::{Leftovers, TeamSandbox};
use teammate_protocols::mcp::client::{Accepted, Servers};

use super::environment;
use crate::{
    builder::TeamBuilder,
    file_stores::FileStores,
    mcp::{self, AcceptedServers},
};

/// The servers, and what members get of them.
pub(super) struct OpenedServers {
    pub(super) all: Servers,
    pub(super) tools: Vec<Arc<dyn Tool>>,
    /// Remarks for the user.
    pub(super) notices: Vec<String>,
}

impl TeamBuilder {
    /// All that count here. Those of which nothing was accepted yet are started.
    pub(super) async fn open_servers(
        &self,
        files: &FileStores,
        rules: &Rules,
        held: (TeamSandbox, Leftovers),
    ) -> OpenedServers {
        let root = &files.site.workspace;
        let found = self
            .servers
            .found(root, &self.user, &self.config.pass_environment);
        let mut notices = found.notices;
        if !found.untrusted.is_empty() {
            let names: Vec<&str> = found.untrusted.iter().map(String::as_str).collect();
            let step = teammate_core::next_step::NextStep::TrustProject;
            notices.push(format!(
                "MCP servers of .mcp.json are not used, as you have not trusted it as it is: {}. To use them, {}",
                teammate_core::fence::escaped_line(&names.join(", ")),
                self.config.wording.words(&step)
            ));
        }
        let all = mcp::servers(
            found.settings,
            (root, files.dir.path()),
            environment(&self.config),
            (rules.deny.clone(), self.config.wording),
            &self.user,
            held,
        );
        let accepted: Arc<dyn Accepted> = Arc::new(AcceptedServers::of(root, &self.user));
        let offered = all.offer(&accepted).await;
        notices.extend(offered.notices);
        OpenedServers {
            all,
            tools: offered.tools,
            notices,
        }
    }
}
