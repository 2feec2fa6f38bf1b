//! The tools a member may call: what each can do, and by which other names it is known.

use std::collections::BTreeMap;

use crate::tool::EffectClass;

/// What a member may call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Classes {
    by_name: BTreeMap<&'static str, EffectClass>,
    aliases: BTreeMap<&'static str, &'static str>,
}

impl Classes {
    /// These tools; an alias of a tool that is not among them means nothing.
    pub fn new(
        tools: impl IntoIterator<Item = (&'static str, EffectClass)>,
        aliases: impl IntoIterator<Item = (&'static str, &'static str)>,
    ) -> Self {
        let by_name: BTreeMap<_, _> = tools.into_iter().collect();
        let is_known = |(_, name): &(&str, &'static str)| by_name.contains_key(name);
        Self {
            aliases: aliases.into_iter().filter(is_known).collect(),
            by_name,
        }
    }

    /// The tool's own name, whichever of its names this is.
    pub fn name<'a>(&self, called: &'a str) -> &'a str
    where
        'static: 'a,
    {
        self.aliases.get(called).copied().unwrap_or(called)
    }

    /// What the tool can do; nothing, if there is none.
    pub fn get(&self, called: &str) -> Option<EffectClass> {
        self.by_name.get(self.name(called)).copied()
    }

    /// The tools' own names.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &'static str> {
        self.by_name.keys().copied()
    }
}
