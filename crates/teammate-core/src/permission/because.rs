//! Why a call is a question, in words.

use super::{Rules, is_protected};
use crate::{mode::Mode, permission::Target, tool::EffectClass};

impl Rules {
    /// Why the user is asked about a call that [`decide`](Self::decide) leaves open: the first reason that counts there.
    pub fn because(&self, mode: Mode, tool: &str, class: EffectClass, target: &Target) -> String {
        if let Some(gap) = target.unheld() {
            return format!("the sandbox does not hold it: {gap}");
        }
        if let Some(rule) = self.asking(tool, target) {
            return format!("{} has you asked each time", rule.describe());
        }
        if mode < Mode::Bypass && is_protected(class, target) {
            return match target {
                Target::Command(command) => format!(
                    "git would run programs that the repository brings: {}",
                    command.untrusted.join(", ")
                ),
                Target::Path(_) | Target::Host(_) | Target::Team => {
                    "it changes a protected place, which no rule and no mode but bypass allows"
                        .to_owned()
                }
            };
        }
        format!("no rule allows it, and the mode is {mode}")
    }
}
