//! The tools a member may call: what each can do, by which other names it is known, and who has those that it may not call.

use std::{collections::BTreeMap, fmt, sync::Arc};

use crate::{
    fence::quoted,
    tool::{EffectClass, ToolCall, ToolInput, ToolName, ToolNames},
};

/// How many tools a refusal names: servers bring thousands.
const NAMED_MAX: usize = 100;

/// The tools that a member may call, with their effects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolClasses {
    by_name: BTreeMap<ToolName, EffectClass>,
    looking: BTreeMap<ToolName, Looking>,
    reserved: BTreeMap<ToolName, Reserved>,
    names: ToolNames,
}

/// Which calls of a tool only look, or wait, although others change something.
#[derive(Clone)]
pub struct Looking(Arc<dyn Fn(&ToolInput) -> bool + Send + Sync>);

impl Looking {
    /// The calls with these arguments. The answer depends on nothing else.
    pub fn new(only_looks: impl Fn(&ToolInput) -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(only_looks))
    }
}

impl fmt::Debug for Looking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Looking")
    }
}

impl PartialEq for Looking {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Looking {}

/// Why a member does not have a tool that its team has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reserved {
    /// Only the lead has it.
    ForLead,
    /// Only teammates have it, and the caller is the lead.
    ForTeammates,
    /// Members have it, and the caller is a subagent.
    ForMembers,
    /// The caller's kind of teammate or subagent is held to other tools.
    ForOtherKinds,
}

impl ToolClasses {
    /// These tools, by all their names.
    pub fn new<N: Into<ToolName>>(
        tools: impl IntoIterator<Item = (N, EffectClass)>,
        names: ToolNames,
    ) -> Self {
        let by_name = tools.into_iter().map(|(name, class)| (name.into(), class));
        Self {
            by_name: by_name.collect(),
            looking: BTreeMap::new(),
            reserved: BTreeMap::new(),
            names,
        }
    }

    /// Adds tools that other members have, so that the refusal of a call can name them.
    #[must_use]
    pub fn with_reserved<N: Into<ToolName>>(
        self,
        reserved: impl IntoIterator<Item = (N, Reserved)>,
    ) -> Self {
        let reserved = reserved.into_iter().map(|(name, why)| (name.into(), why));
        Self {
            reserved: reserved.collect(),
            ..self
        }
    }

    /// Of these tools some calls only look.
    #[must_use]
    pub fn with_looking(self, looking: impl IntoIterator<Item = (ToolName, Looking)>) -> Self {
        Self {
            looking: looking.into_iter().collect(),
            ..self
        }
    }

    /// Whether a call only looks, so that it can run beside others that do.
    pub(super) fn only_looks(&self, call: &ToolCall) -> bool {
        let looking = self.looking.get(self.name(&call.name));
        self.get(&call.name) == Some(EffectClass::Reads)
            || looking.is_some_and(|looking| looking.0(&call.input))
    }

    /// The tool's own name, whichever of its names this is.
    pub fn name<'a>(&self, called: &'a str) -> &'a str
    where
        'static: 'a,
    {
        self.names.own(called)
    }

    /// The effects of a tool; nothing, if there is none of this name.
    pub fn get(&self, called: &str) -> Option<EffectClass> {
        self.by_name.get(self.name(called)).copied()
    }

    /// The tool that a name which is no tool's means all the same: one in other case, or with what models and their templates
    /// put around it (`functions.bash:0`, `bash<|channel|>commentary`). Nothing, unless exactly one tool fits.
    pub fn meant(&self, called: &str) -> Option<&str> {
        if self.get(called).is_some() || self.reserved.contains_key(self.name(called)) {
            return None;
        }
        let bare = called.split("<|").find(|part| !part.trim().is_empty())?;
        // Behind a mark at its beginning.
        let bare = bare.rsplit_once("|>").map_or(bare, |(_, rest)| rest);
        let is_part = |known: &str| {
            let mut parts = bare.split(['.', ':', '/']).map(str::trim);
            parts.any(|part| part.eq_ignore_ascii_case(known))
        };
        let mut fitting = self
            .names()
            .filter(|own| is_part(own) || self.names.others(own).any(is_part));
        let tool = fitting.next()?;
        fitting.next().is_none().then_some(tool)
    }

    /// The tools' own names.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.by_name.keys().map(|name| &**name)
    }

    /// The outcome for a model that called a tool it does not have: who may call it, or which tools there are.
    pub fn refusal(&self, called: &str) -> String {
        let send = self.names.of("send_message");
        let tool = quoted(called);
        match self.reserved.get(self.name(called)) {
            Some(Reserved::ForLead) => format!(
                "Only the lead may call '{tool}'; ask it with {send}(to: \"lead\", ...). Nothing was done."
            ),
            Some(Reserved::ForTeammates) => {
                format!("Only teammates may call '{tool}', and you are the lead. Nothing was done.")
            }
            Some(Reserved::ForMembers) => format!(
                "Only members of the team may call '{tool}', and you are a subagent. Your tools: {}.",
                self.shown()
            ),
            Some(Reserved::ForOtherKinds) => format!(
                "You do not have the tool '{tool}'. Your tools: {}.",
                self.shown()
            ),
            None => format!("Unknown tool '{tool}'. Your tools: {}.", self.shown()),
        }
    }

    /// The tools by the names that the model was shown.
    fn shown(&self) -> String {
        let shown = self.names().take(NAMED_MAX).map(|name| self.names.of(name));
        let shown = shown.collect::<Vec<_>>().join(", ");
        match self.names().count().saturating_sub(NAMED_MAX) {
            0 => shown,
            more => format!("{shown} and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_rests_of_a_template_is_the_tool_that_fits_alone() {
        let names = ToolNames {
            aliases: vec![("Shell", "bash"), ("Read", "read_file")],
            ..ToolNames::default()
        };
        let tools = ["bash", "read_file", "mcp__s__look"].map(|tool| (tool, EffectClass::Reads));
        let classes =
            ToolClasses::new(tools, names).with_reserved([("create_task", Reserved::ForLead)]);
        for (called, meant) in [
            ("functions.bash", Some("bash")),
            ("functions.bash:0", Some("bash")),
            ("default_api.read_file", Some("read_file")),
            ("bash<|channel|>commentary", Some("bash")),
            ("<|tool|>bash", Some("bash")),
            ("BASH", Some("bash")),
            (" shell ", Some("bash")),
            ("MCP__s__look", Some("mcp__s__look")),
            // Two fit, none fits, it is another member's, or it needs no guess.
            ("bash.read", None),
            ("fly", None),
            ("bashful", None),
            ("create_task", None),
            ("bash", None),
            ("", None),
        ] {
            assert_eq!(classes.meant(called), meant, "{called}");
        }
    }

    #[test]
    fn a_call_of_another_member_s_tool_names_who_may_call_it() {
        let names = ToolNames {
            aliases: vec![
                ("Bash", "bash"),
                ("SendMessage", "send_message"),
                ("TaskCreate", "create_task"),
            ],
            arguments: Vec::new(),
            are_shown: true,
        };
        let tools = [
            ("bash", EffectClass::Executes),
            ("send_message", EffectClass::Team),
            ("claim_task", EffectClass::Team),
        ];
        let reserved = [
            ("create_task", Reserved::ForLead),
            ("submit_plan", Reserved::ForTeammates),
            ("list_tasks", Reserved::ForMembers),
            ("glob", Reserved::ForOtherKinds),
        ];
        let classes = ToolClasses::new(tools, names).with_reserved(reserved);
        for (called, told) in [
            (
                "TaskCreate",
                "Only the lead may call 'TaskCreate'; ask it with SendMessage(to: \"lead\", ...). Nothing was done.",
            ),
            (
                "create_task",
                "Only the lead may call 'create_task'; ask it with SendMessage(to: \"lead\", ...). Nothing was done.",
            ),
            (
                "submit_plan",
                "Only teammates may call 'submit_plan', and you are the lead. Nothing was done.",
            ),
            (
                "list_tasks",
                "Only members of the team may call 'list_tasks', and you are a subagent. Your tools: Bash, claim_task, SendMessage.",
            ),
            (
                "glob",
                "You do not have the tool 'glob'. Your tools: Bash, claim_task, SendMessage.",
            ),
            (
                "Fly",
                "Unknown tool 'Fly'. Your tools: Bash, claim_task, SendMessage.",
            ),
        ] {
            assert_eq!(classes.refusal(called), told);
        }
    }
}
