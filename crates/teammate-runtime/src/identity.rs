//! What members are told about themselves. What all of a kind share stays byte for byte the same and comes first; who one
//! is comes after it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, PoisonError},
};

use teammate_core::{
    MemberName,
    agent::Classes,
    model::Preamble,
    port::Tool,
    team::{Member, Team, Terms},
    tool::EffectClass,
};

use crate::{home::Home, setup::Setup};

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
    fn new<'a>(tools: impl IntoIterator<Item = &'a Arc<dyn Tool>>, system: String) -> Self {
        let tools: Vec<&Arc<dyn Tool>> = tools.into_iter().collect();
        let specs = tools.iter().map(|tool| tool.spec().clone()).collect();
        let classes = tools
            .iter()
            .map(|tool| (tool.spec().name, tool.spec().class))
            .collect();
        Self {
            tools: tools
                .into_iter()
                .map(|tool| (tool.spec().name, tool.clone()))
                .collect(),
            classes: Arc::new(classes),
            preamble: Arc::new(Preamble::new(specs, system)),
        }
    }
}

/// The kits of a team: the lead's, the teammates', and one for each set of tools that some teammates are held to.
pub(crate) struct Kits {
    lead: Arc<Kit>,
    teammate: Arc<Kit>,
    tools: Vec<Arc<dyn Tool>>,
    system: String,
    held: Mutex<BTreeMap<BTreeSet<&'static str>, Arc<Kit>>>,
}

impl Kits {
    pub(crate) fn new(lead: &[Arc<dyn Tool>], teammate: &[Arc<dyn Tool>], briefing: &str) -> Self {
        let system = format!("{}\n\n{briefing}", SHARED.trim_end());
        let system = system.trim_end().to_owned();
        Self {
            lead: Arc::new(Kit::new(lead, system.clone())),
            teammate: Arc::new(Kit::new(teammate, system.clone())),
            tools: teammate.to_vec(),
            system,
            held: Mutex::default(),
        }
    }

    /// The kit of a member. Those that are held to the same tools share one, and so a prompt cache.
    pub(crate) fn of(&self, name: &MemberName, terms: &Terms) -> Arc<Kit> {
        match &terms.tools {
            _ if name.is_lead() => self.lead.clone(),
            None => self.teammate.clone(),
            Some(allowed) => self.held_to(allowed),
        }
    }

    /// Only these tools, and those of the team: whoever cannot speak to others is no member.
    fn held_to(&self, allowed: &[String]) -> Arc<Kit> {
        let is_held = |tool: &&Arc<dyn Tool>| {
            let spec = tool.spec();
            spec.class == EffectClass::Team || allowed.iter().any(|name| name == spec.name)
        };
        let names = self.tools.iter().filter(is_held);
        let names = names.map(|tool| tool.spec().name).collect();
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.entry(names)
            .or_insert_with(|| {
                let tools = self.tools.iter().filter(is_held);
                Arc::new(Kit::new(tools, self.system.clone()))
            })
            .clone()
    }
}

/// Who this member is.
pub(crate) fn identity(setup: &Setup, home: &Home, team: &Team, member: &Member) -> Arc<str> {
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
    let mut text = text
        .replace("{name}", member.name.as_str())
        .replace("{team}", team.name())
        .replace("{workspace}", &home.workspace.root.display().to_string())
        .replace("{role}", &member.role);
    if !member.terms.instructions.is_empty() {
        text.push_str("\n\n");
        text.push_str(member.terms.instructions.trim());
    }
    if member.name.is_lead() {
        let agents = setup.agents.list();
        if !agents.is_empty() {
            text.push_str("\n\nKinds of teammates that you can spawn with `agent`:\n");
            text.push_str(agents.trim_end());
        }
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use teammate_tools::Catalogue;

    #[test]
    fn those_held_to_the_same_tools_share_a_preamble_and_keep_those_of_the_team() {
        let tools = Catalogue::new();
        let kits = Kits::new(&tools.lead_tools(), &tools.teammate_tools(), "Notes.");
        let rita = MemberName::teammate("rita").unwrap();
        let held = |tools: &[&str]| {
            let tools = tools.iter().map(|tool| (*tool).to_owned()).collect();
            let terms = Terms {
                tools: Some(tools),
                ..Terms::default()
            };
            (kits.of(&rita, &terms), kits.of(&MemberName::lead(), &terms))
        };
        let (one, lead) = held(&["grep", "read_file", "nonsense"]);
        let (two, _) = held(&["read_file", "grep", "grep"]);
        assert!(Arc::ptr_eq(&one.preamble, &two.preamble));
        let shown: Vec<&str> = one.preamble.tools.iter().map(|spec| spec.name).collect();
        let of_team = tools.teammate_tools().into_iter();
        let of_team = of_team.filter(|tool| tool.spec().class == EffectClass::Team);
        let team: Vec<&str> = of_team.map(|tool| tool.spec().name).collect();
        assert!(team.contains(&"send_message") && team.contains(&"todo_write"));
        assert_eq!(shown[..2], ["read_file", "grep"]);
        assert_eq!(shown[2..], team);
        let callable: Vec<&str> = one.classes.keys().copied().collect();
        assert_eq!(callable.len(), shown.len());
        assert!(one.preamble.system.ends_with("\n\nNotes."));
        assert_eq!(held(&[]).0.preamble.tools.len(), team.len());

        // Nobody holds the lead, and who is held to nothing has all.
        assert!(lead.tools.contains_key("bash") && lead.tools.contains_key("spawn_teammate"));
        let free = kits.of(&rita, &Terms::default());
        assert!(free.tools.contains_key("bash") && !free.tools.contains_key("spawn_teammate"));
        assert_eq!(free.preamble.system, one.preamble.system);
    }
}
