//! What members are told about themselves. What all of a kind share stays byte for byte the same and comes first; who one
//! is comes after it.

use std::{collections::BTreeMap, sync::Arc};

use teammate_core::{
    agent::Classes,
    model::Preamble,
    port::Tool,
    team::{Member, Team},
};

use crate::home::Home;

const SHARED: &str = include_str!("../prompts/shared.md");
const LEAD: &str = include_str!("../prompts/lead.md");
const TEAMMATE: &str = include_str!("../prompts/teammate.md");
const WORKTREE: &str = include_str!("../prompts/worktree.md");

/// What all members of a kind have in common.
pub(crate) struct Kit {
    pub(crate) tools: BTreeMap<&'static str, Arc<dyn Tool>>,
    pub(crate) classes: Arc<Classes>,
    pub(crate) preamble: Arc<Preamble>,
}

impl Kit {
    pub(crate) fn new(tools: &[Arc<dyn Tool>]) -> Self {
        let specs = tools.iter().map(|tool| tool.spec().clone()).collect();
        let classes = tools
            .iter()
            .map(|tool| (tool.spec().name, tool.spec().class))
            .collect();
        Self {
            tools: tools
                .iter()
                .map(|tool| (tool.spec().name, tool.clone()))
                .collect(),
            classes: Arc::new(classes),
            preamble: Arc::new(Preamble::new(specs, SHARED.trim_end().to_owned())),
        }
    }
}

/// Who this member is.
pub(crate) fn identity(home: &Home, team: &Team, member: &Member) -> Arc<str> {
    let template = if member.name.is_lead() {
        LEAD
    } else {
        TEAMMATE
    };
    let mut text = template.trim_end().to_owned();
    if let Some(worktree) = &home.worktree {
        let own = WORKTREE.trim_end().replace("{branch}", &worktree.branch);
        text = format!("{text}\n{own}");
    }
    text.replace("{name}", member.name.as_str())
        .replace("{team}", team.name())
        .replace("{workspace}", &home.workspace.root.display().to_string())
        .replace("{role}", &member.role)
        .into()
}
