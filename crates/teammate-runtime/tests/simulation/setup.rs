//! What a simulated team is given.

use std::{path::PathBuf, sync::Arc, time::Duration};

use teammate_core::{
    agent::Limits,
    budget::Budgets,
    permission::{Mode, Rules},
    port::{Tool, Workspace},
    price::Prices,
    team::Agents,
};
use teammate_runtime::{PlanPolicy, Policy, RetryLimits, Setup};
use teammate_tools::Catalogue;

/// All tools and some `more`; the person is asked for permission and has so long to answer, or everything is allowed.
pub(crate) fn setup(more: impl Fn() -> Vec<Arc<dyn Tool>>, asks: Option<Duration>) -> Setup {
    let tools = Catalogue::new();
    let with_more = |mut tools: Vec<Arc<dyn Tool>>| {
        tools.extend(more());
        tools
    };
    let nowhere = PathBuf::from("/nowhere");
    Setup {
        secrets: Arc::default(),
        team_name: "default".to_owned(),
        model: "mad:one".parse().unwrap(),
        mode: asks.map_or(Mode::Bypass, |_| Mode::Ask),
        rules: Rules::default(),
        policy: asks.map_or(Policy::Nobody, |deadline| Policy::Person { deadline }),
        briefing: String::new(),
        agents: Agents::default(),
        plans: PlanPolicy::Lead,
        shutdown_within: Duration::from_secs(30),
        lead_tools: with_more(tools.lead_tools()),
        teammate_tools: with_more(tools.teammate_tools()),
        shell: None,
        tool_names: teammate_runtime::ToolNames::default(),
        workspace: Workspace {
            root: nowhere.clone(),
            team_dir: nowhere.join(".team"),
            outputs: nowhere.join("outputs"),
            closed: Vec::new(),
        },
        environment: Vec::new(),
        limits: Limits::default(),
        budgets: Budgets::default(),
        prices: Prices::default(),
        max_tokens: 1_000,
        retry: RetryLimits::default(),
        idle_max: None,
        conversation: teammate_core::team::ConversationChoice::Last,
    }
}
