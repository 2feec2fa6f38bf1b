//! What a simulated team is given.

use std::{
    path::PathBuf,
    sync::{Arc, LazyLock},
    time::Duration,
};

use teammate_core::{
    permission::Mode,
    port::{Tool, Workspace},
    team::AgentDefinitions,
};
use teammate_runtime::{AskPolicy, Setup, TeamConfig};
use teammate_tools::ToolCatalogue;

type Tools = Vec<Arc<dyn Tool>>;

/// The lead's and the teammates' tools in all teams that are simulated: they take longer to make than a team.
static TOOLS: LazyLock<(Tools, Tools)> = LazyLock::new(|| {
    let tools = ToolCatalogue::new();
    (tools.lead_tools(), tools.teammate_tools())
});

/// All tools and some `more`; the user is asked for permission and has so long to answer, or everything is allowed.
pub(crate) fn setup(more: impl Fn() -> Tools, asks: Option<Duration>) -> Setup {
    let (lead_tools, teammate_tools) = &*TOOLS;
    let with_more = |tools: &Tools| {
        let mut tools = tools.clone();
        tools.extend(more());
        tools
    };
    let nowhere = PathBuf::from("/nowhere");
    Setup {
        secrets: Arc::default(),
        team_name: "default".to_owned(),
        config: TeamConfig {
            mode: asks.map_or(Mode::Bypass, |_| Mode::Ask),
            policy: asks.map_or(AskPolicy::Never, |deadline| AskPolicy::User { deadline }),
            ..TeamConfig::new("mad:one".parse().unwrap())
        },
        briefing: String::new(),
        agents: AgentDefinitions::default(),
        lead_tools: with_more(lead_tools),
        teammate_tools: with_more(teammate_tools),
        shell: None,
        tool_names: teammate_runtime::ToolNames::default(),
        first_event: 0,
        workspace: Workspace {
            root: nowhere.clone(),
            team_dir: nowhere.join(".team"),
            outputs: nowhere.join("outputs"),
            tmp: None,
            unreadable: Vec::new(),
        },
        environment: Vec::new(),
    }
}
