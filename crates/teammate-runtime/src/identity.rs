//! The texts about a member itself. The preamble, equal byte for byte for all members with the same
//! tools, comes first; the identity follows.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use teammate_core::{
    MemberName,
    agent::{Agent, Looking, Reserved, ToolClasses},
    fence::escaped_line,
    lock::Hold,
    model::{AnswerOptions, ModelRequest, Preamble},
    port::Tool,
    team::{Member, MemberOptions, TeamState},
    tool::{EffectClass, Outcome, ToolCall, ToolName, ToolNames, ToolSpec},
};

use crate::{setup::Setup, workdir::Workdir};

const SHARED_PROMPT: &str = include_str!("../prompts/shared.md");
const LEAD: &str = include_str!("../prompts/lead.md");
const TEAMMATE: &str = include_str!("../prompts/teammate.md");
const SUBAGENT: &str = include_str!("../prompts/subagent.md");
const AGENT: &str = include_str!("../prompts/agent.md");
const WORKTREE: &str = include_str!("../prompts/worktree.md");

/// The tools and text that all members of a kind have in common.
pub(crate) struct Toolset {
    tools: BTreeMap<ToolName, Arc<dyn Tool>>,
    pub(crate) classes: Arc<ToolClasses>,
    pub(crate) preamble: Arc<Preamble>,
}

impl Toolset {
    /// These tools; `others` are those of the team that this kind does not have, and why.
    fn new(
        tools: &[&Arc<dyn Tool>],
        others: Vec<(ToolName, Reserved)>,
        (system, common): (String, &[ToolName]),
        names: &ToolNames,
    ) -> Self {
        let offered = || tools.iter().filter(|tool| tool.is_offered());
        let specs = offered().map(|tool| tool.spec().shown(names)).collect();
        let begins = offered().map(|tool| &tool.spec().name).take(common.len());
        let common_tools = if begins.eq(common) { common.len() } else { 0 };
        let preamble = Preamble::new(specs, system).with_common_tools(common_tools);
        let classes = tools
            .iter()
            .map(|tool| (tool.spec().name.clone(), tool.spec().class));
        let looking = tools.iter().map(|tool| {
            let (name, tool) = (tool.spec().name.clone(), (*tool).clone());
            (name, Looking::new(move |input| tool.only_looks(input)))
        });
        let classes = ToolClasses::new(classes, names.clone()).with_looking(looking);
        Self {
            classes: Arc::new(classes.with_reserved(others)),
            tools: tools
                .iter()
                .map(|tool| (tool.spec().name.clone(), (*tool).clone()))
                .collect(),
            preamble: Arc::new(preamble),
        }
    }

    /// The tool that a call means, and the call as rules and screens know it: by the tool's own name, or in the place of what
    /// stands for the tool. An error is what the model reads.
    pub(crate) fn resolve(&self, call: ToolCall) -> Result<(Arc<dyn Tool>, ToolCall), Outcome> {
        let (tool, call) = self.known(call)?;
        match tool.stands_for(&call.input)? {
            None => Ok((tool, call)),
            Some((name, input)) => {
                let id = call.id;
                let (tool, call) = self.known(ToolCall { id, name, input })?;
                // What stands for others does not stand for one that does.
                match tool.stands_for(&call.input)? {
                    None => Ok((tool, call)),
                    Some(_) => Err(Outcome::error(self.classes.refusal(&call.name))),
                }
            }
        }
    }

    fn known(&self, call: ToolCall) -> Result<(Arc<dyn Tool>, ToolCall), Outcome> {
        let tool = self.tool(&call.name);
        let tool = tool.ok_or_else(|| Outcome::error(self.classes.refusal(&call.name)))?;
        let name = tool.spec().name.clone().into_owned();
        Ok((tool, ToolCall { name, ..call }))
    }

    /// A request with all that the agent has heard; the chain fits it to each model.
    pub(crate) fn request(
        &self,
        identity: &Arc<str>,
        agent: &Agent,
        (conversation, asker): (&str, &str),
    ) -> ModelRequest {
        ModelRequest {
            preamble: self.preamble.clone(),
            identity: identity.clone(),
            messages: agent.conversation().messages().to_vec(),
            cached: agent.cached(),
            max_tokens: 0,
            conversation: conversation.into(),
            asker: asker.into(),
            model: "".into(),
            options: AnswerOptions::default(),
        }
    }

    /// A tool by any of its names.
    pub(crate) fn tool(&self, called: &str) -> Option<Arc<dyn Tool>> {
        self.tools.get(self.classes.name(called)).cloned()
    }
}

/// The kits of a team: the lead's, the teammates', and one for each set of tools that some are held to.
pub(crate) struct Toolsets {
    lead: Arc<Toolset>,
    teammate: Arc<Toolset>,
    tools: Vec<Arc<dyn Tool>>,
    lead_only: Vec<ToolName>,
    names: ToolNames,
    system: String,
    subagent: String,
    held: Mutex<BTreeMap<RestrictedKey, Arc<Toolset>>>,
}

/// The key of a restricted toolset: the role, and its tools.
type RestrictedKey = (RestrictedRole, BTreeSet<ToolName>);

/// A role that is held to a set of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RestrictedRole {
    Teammate,
    Subagent,
}

impl Toolsets {
    /// The kits that a team of these settings has.
    pub(crate) fn of_team(setup: &Setup) -> Self {
        Self::new(
            &setup.lead_tools,
            &setup.teammate_tools,
            &setup.briefing,
            &setup.tool_names,
        )
    }

    pub(crate) fn new(
        lead: &[Arc<dyn Tool>],
        teammate: &[Arc<dyn Tool>],
        briefing: &str,
        names: &ToolNames,
    ) -> Self {
        let with_briefing = |prompt: &str| {
            let prompt = names.render(prompt.trim_end());
            let system = format!("{prompt}\n\n{briefing}");
            system.trim_end().to_owned()
        };
        let system = with_briefing(SHARED_PROMPT);
        let common = common_tools(lead, teammate);
        let toolset = |tools: &[Arc<dyn Tool>], others: &[Arc<dyn Tool>], why| {
            let others = names_not_in(others, tools).map(|name| (name, why));
            let tools: Vec<&Arc<dyn Tool>> = tools.iter().collect();
            Arc::new(Toolset::new(
                &tools,
                others.collect(),
                (system.clone(), &common),
                names,
            ))
        };
        Self {
            lead: toolset(lead, teammate, Reserved::ForTeammates),
            teammate: toolset(teammate, lead, Reserved::ForLead),
            tools: teammate.to_vec(),
            lead_only: names_not_in(lead, teammate).collect(),
            names: names.clone(),
            system,
            subagent: with_briefing(SUBAGENT),
            held: Mutex::default(),
        }
    }

    /// The kit of a member. Those that are held to the same tools share one, and so a prompt cache.
    pub(crate) fn of(&self, name: &MemberName, terms: &MemberOptions) -> Arc<Toolset> {
        match &terms.tools {
            _ if name.is_lead() => self.lead.clone(),
            None => self.teammate.clone(),
            // Plus the team's tools: a member must be able to talk to others.
            Some(allowed) => self.restricted(RestrictedRole::Teammate, |spec| {
                spec.class == EffectClass::Team || allowed.iter().any(|name| *name == spec.name)
            }),
        }
    }

    /// The toolset of a subagent: no team tools, and no subagents.
    pub(crate) fn of_subagent(&self, terms: &MemberOptions) -> Arc<Toolset> {
        self.restricted(RestrictedRole::Subagent, |spec| {
            let is_worldly = match spec.class {
                EffectClass::Reads
                | EffectClass::Writes
                | EffectClass::Executes
                | EffectClass::Calls => true,
                EffectClass::Delegates | EffectClass::Team => false,
            };
            let allowed = terms.tools.as_ref();
            is_worldly
                && allowed.is_none_or(|allowed| allowed.iter().any(|name| *name == spec.name))
        })
    }

    /// The tools that a restricted member does not have, and why.
    fn others(
        &self,
        who: RestrictedRole,
        is_allowed: impl Fn(&ToolSpec) -> bool,
    ) -> Vec<(ToolName, Reserved)> {
        let why = |class| match class {
            EffectClass::Team | EffectClass::Delegates if who == RestrictedRole::Subagent => {
                Reserved::ForMembers
            }
            EffectClass::Reads
            | EffectClass::Writes
            | EffectClass::Executes
            | EffectClass::Calls
            | EffectClass::Team
            | EffectClass::Delegates => Reserved::ForOtherKinds,
        };
        let of_lead = match who {
            RestrictedRole::Teammate => Reserved::ForLead,
            RestrictedRole::Subagent => Reserved::ForMembers,
        };
        let of_lead = self.lead_only.iter().map(|name| (name.clone(), of_lead));
        let specs = self.tools.iter().map(|tool| tool.spec());
        let others = specs.filter(|spec| !is_allowed(spec));
        others
            .map(|spec| (spec.name.clone(), why(spec.class)))
            .chain(of_lead)
            .collect()
    }

    fn restricted(
        &self,
        who: RestrictedRole,
        is_allowed: impl Fn(&ToolSpec) -> bool,
    ) -> Arc<Toolset> {
        let tools: Vec<&Arc<dyn Tool>> = self
            .tools
            .iter()
            .filter(|tool| is_allowed(tool.spec()))
            .collect();
        let names = tools.iter().map(|tool| tool.spec().name.clone()).collect();
        let mut held = self.held.hold();
        held.entry((who, names))
            .or_insert_with(|| {
                let system = match who {
                    RestrictedRole::Teammate => &self.system,
                    RestrictedRole::Subagent => &self.subagent,
                };
                let others = self.others(who, &is_allowed);
                let system = (system.clone(), &[][..]);
                Arc::new(Toolset::new(&tools, others, system, &self.names))
            })
            .clone()
    }
}

/// The offered tools that both begin with.
fn common_tools(these: &[Arc<dyn Tool>], those: &[Arc<dyn Tool>]) -> Vec<ToolName> {
    let [these, those] = [these, those].map(|tools| {
        let offered = tools.iter().filter(|tool| tool.is_offered());
        offered.map(|tool| &tool.spec().name)
    });
    let pairs = these.zip(those).take_while(|(this, that)| this == that);
    pairs.map(|(this, _)| this.clone()).collect()
}

/// The tools of `these` that are not among `those`.
fn names_not_in(
    these: &[Arc<dyn Tool>],
    those: &[Arc<dyn Tool>],
) -> impl Iterator<Item = ToolName> {
    let those: BTreeSet<_> = those.iter().map(|tool| tool.spec().name.clone()).collect();
    let these = these.iter().map(|tool| tool.spec().name.clone());
    these.filter(move |name| !those.contains(name))
}

/// The text that says who this member is.
pub(crate) fn identity(
    setup: &Setup,
    home: &Workdir,
    team: &TeamState,
    member: &Member,
) -> Arc<str> {
    let template = if member.name.is_lead() {
        LEAD
    } else {
        TEAMMATE
    };
    let mut text = rendered(template, setup, (home, team, member));
    if member.name.is_lead() {
        let agents = setup.agents.list();
        if !agents.is_empty() {
            text.push_str("\n\nAgent definitions for spawning teammates (argument `agent`):\n");
            text.push_str(agents.trim_end());
        }
    }
    text.into()
}

/// The text that says who a member is, for the external agent that answers it: it knows nothing of teams.
pub(crate) fn of_agent(
    setup: &Setup,
    home: &Workdir,
    team: &TeamState,
    member: &Member,
) -> Arc<str> {
    let mut text = rendered(AGENT, setup, (home, team, member));
    if !setup.briefing.is_empty() {
        text.push_str("\n\n");
        text.push_str(setup.briefing.trim());
    }
    text.into()
}

fn rendered(
    template: &str,
    setup: &Setup,
    (home, team, member): (&Workdir, &TeamState, &Member),
) -> String {
    let mut text = template.trim_end().to_owned();
    if let Some(worktree) = &home.worktree {
        let own = WORKTREE.trim_end().replace("{branch}", &worktree.branch);
        text = format!("{text}\n{own}");
    }
    let mut text = setup
        .tool_names
        .render(&text)
        .replace("{name}", member.name.as_str())
        .replace("{team}", team.group_of(member))
        .replace("{workspace}", &home.workspace.root.display().to_string())
        .replace("{role}", &escaped_line(&member.role));
    if !member.options.instructions.is_empty() {
        text.push_str("\n\n");
        text.push_str(member.options.instructions.trim());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use teammate_tools::ToolCatalogue;

    /// Each request pays for these: a new sentence must be worth it, or replace another.
    #[test]
    fn prompts_keep_to_their_budget() {
        let prompts = [SHARED_PROMPT, LEAD, TEAMMATE, SUBAGENT, WORKTREE];
        let bytes: usize = prompts.iter().map(|prompt| prompt.len()).sum();
        assert!(bytes <= 2_000, "{bytes} bytes");
    }

    #[test]
    fn those_held_to_the_same_tools_share_a_preamble_and_keep_those_of_the_team() {
        let tools = ToolCatalogue::new();
        let toolsets = Toolsets::new(
            &tools.lead_tools(),
            &tools.teammate_tools(),
            "Notes.",
            &ToolNames::default(),
        );
        let rita = MemberName::teammate("rita").unwrap();
        let held = |tools: &[&str]| {
            let tools = tools.iter().map(|tool| (*tool).to_owned()).collect();
            let terms = MemberOptions {
                tools: Some(tools),
                ..MemberOptions::default()
            };
            (
                toolsets.of(&rita, &terms),
                toolsets.of(&MemberName::lead(), &terms),
            )
        };
        let (one, lead) = held(&["grep", "read_file", "nonsense"]);
        let (two, _) = held(&["read_file", "grep", "grep"]);
        assert!(Arc::ptr_eq(&one.preamble, &two.preamble));
        let shown: Vec<&str> = one.preamble.tools.iter().map(|spec| &*spec.name).collect();
        let of_team = tools.teammate_tools().into_iter();
        let of_team = of_team.filter(|tool| tool.spec().class == EffectClass::Team);
        let (offered, other): (Vec<_>, Vec<_>) = of_team.partition(|tool| tool.is_offered());
        let team: Vec<ToolName> = offered
            .iter()
            .map(|tool| tool.spec().name.clone())
            .collect();
        assert!(team.contains(&"send_message".into()) && team.contains(&"todo_write".into()));
        assert_eq!(shown[..2], ["read_file", "grep"]);
        assert_eq!(shown[2..], team);
        // The others are not shown, but can be called.
        assert_eq!(one.classes.names().len(), shown.len() + other.len());
        assert!(one.tool("claim_task").is_some() && !team.contains(&"claim_task".into()));
        assert!(one.preamble.system.ends_with("\n\nNotes."));
        assert_eq!(held(&[]).0.preamble.tools.len(), team.len());

        // Nobody holds the lead, and who is held to nothing has all.
        assert!(lead.tool("bash").is_some() && lead.tool("spawn_teammate").is_some());
        let free = toolsets.of(&rita, &MemberOptions::default());
        assert!(free.tool("bash").is_some() && free.tool("spawn_teammate").is_none());
        assert_eq!(free.preamble.system, one.preamble.system);
    }
}
