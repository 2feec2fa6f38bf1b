//! Hooks that say whatever comes to their mind, mostly nothing, and take their time.

use std::time::Duration;

use teammate_core::{
    hook::{HookCall, HookEnd, HookEvent, HookRun},
    port::{BoxFuture, Hooks},
};

use crate::simulation::chance::Chance;

/// The hooks. They are for every event.
pub(crate) struct MadHooks(pub(crate) Chance);

const ASKS: &str = r#"{"hookSpecificOutput":{"permissionDecision":"ask"}}"#;
const HALTS: &str = r#"{"continue":false}"#;
const ADDS: &str = r#"{"hookSpecificOutput":{"additionalContext":"more"}}"#;

impl MadHooks {
    fn end(&self) -> HookEnd {
        let exited = |code, stdout: &str, stderr: &str| HookEnd::Exited {
            code: Some(code),
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
        };
        match self.0.below(24) {
            0 | 1 => exited(2, "", "no"),
            2 => exited(0, ASKS, ""),
            3 => exited(0, HALTS, ""),
            4 => exited(0, ADDS, ""),
            5 => exited(1, "", "oops"),
            6 => HookEnd::Failed("it took longer than 30 s".to_owned()),
            _ => exited(0, "", ""),
        }
    }
}

impl Hooks for MadHooks {
    fn listens(&self, _: HookEvent) -> bool {
        true
    }

    fn run<'a>(&'a self, call: &'a HookCall) -> BoxFuture<'a, Vec<HookRun>> {
        Box::pin(async {
            // What hooks read must always be whole.
            assert!(call.to_json("/t".as_ref()).is_object());
            tokio::time::sleep(Duration::from_millis(self.0.below(20))).await;
            vec![HookRun {
                hook: "mad".to_owned(),
                required: self.0.below(3) == 0,
                end: self.end(),
            }]
        })
    }
}
