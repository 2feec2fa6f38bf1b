//! The verdict of the hooks of one event together: the strictest of their answers.

use super::{Control, HookEvent, HookRun, answer::HookWishes};

/// The verdict of all hooks of an event.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HookVerdict {
    pub decision: HookDecision,
    /// The member's turn is to end, for this reason.
    pub halt: Option<String>,
    /// Texts for a member, each with the hook that says it.
    pub context: Vec<(String, String)>,
    /// Notes for the user, a sentence each.
    pub notes: Vec<String>,
}

/// The decisions about an event, in falling order of freedom.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum HookDecision {
    /// Hooks have nothing against it.
    #[default]
    Pass,
    /// The user is to be asked, whatever else allows it. With the reasons.
    Ask(String),
    /// It does not happen. With the reasons: a line for each hook that refuses.
    Refuse(String),
}

impl HookVerdict {
    /// The verdict of these hooks about an event.
    pub fn of(event: HookEvent, runs: &[HookRun]) -> Self {
        let mut verdict = Self::default();
        let (mut refusals, mut questions) = (Vec::new(), Vec::new());
        for run in runs {
            let line = |why: &str| format!("[{}]: {why}", run.hook);
            let answer = match HookWishes::read(event, &run.end) {
                Ok(answer) => answer,
                Err(why) => {
                    verdict.note(&run.hook, event, &format!("failed: {why}"));
                    if run.required {
                        refusals.push(line(&format!(
                            "this hook is required, and it failed: {why}"
                        )));
                    }
                    continue;
                }
            };
            refusals.extend(answer.refusal.as_deref().map(line));
            questions.extend(answer.asks.as_deref().map(line));
            if let Some(why) = answer.halt {
                verdict.take_halt(event, &run.hook, &why, &mut refusals);
            }
            if let Some(context) = answer.context.filter(|_| event.takes_context()) {
                verdict.context.push((run.hook.clone(), context));
            }
            if let Some(message) = answer.message {
                verdict.note(&run.hook, event, &format!("says: {message}"));
            }
            for what in answer.ignored {
                let text = format!("wants {what}, which a hook cannot: it can only refuse or ask");
                verdict.note(&run.hook, event, &text);
            }
        }
        verdict.decide(event, &refusals, questions);
        verdict
    }

    /// A hook wants the member's turn to end.
    fn take_halt(&mut self, event: HookEvent, hook: &str, why: &str, refusals: &mut Vec<String>) {
        match event {
            // What the user says begins a turn; there is none to end.
            HookEvent::UserPromptSubmit => refusals.push(format!("[{hook}]: {why}")),
            _ if event.can_halt() => {
                self.halt.get_or_insert_with(|| format!("[{hook}]: {why}"));
            }
            _ => self.note(
                hook,
                event,
                "wants to end a turn, and there is none that it is about",
            ),
        }
    }

    fn decide(&mut self, event: HookEvent, refusals: &[String], questions: Vec<String>) {
        match event.control() {
            // Who ends a turn does not hold it back.
            Control::HoldsBack if self.halt.is_some() => {}
            Control::Refuses | Control::HoldsBack | Control::FeedsBack if !refusals.is_empty() => {
                self.decision = HookDecision::Refuse(refusals.join("\n"));
            }
            Control::Refuses => match (&self.halt, questions) {
                (Some(why), _) => self.decision = HookDecision::Refuse(why.clone()),
                (None, questions) if !questions.is_empty() => {
                    self.decision = HookDecision::Ask(questions.join("\n"));
                }
                (None, _) => {}
            },
            Control::HoldsBack | Control::FeedsBack => {}
            Control::Watches => {
                let told = refusals
                    .iter()
                    .map(|why| format!("the hook {why} (nothing can be refused at {event})"));
                self.notes.extend(told);
            }
        }
    }

    fn note(&mut self, hook: &str, event: HookEvent, what: &str) {
        self.notes.push(format!("the {event} hook [{hook}] {what}"));
    }

    /// Does something with each text that somebody reads.
    pub fn each_text(&mut self, mut work: impl FnMut(&mut String)) {
        match &mut self.decision {
            HookDecision::Pass => {}
            HookDecision::Ask(why) | HookDecision::Refuse(why) => work(why),
        }
        self.halt.iter_mut().for_each(&mut work);
        self.notes.iter_mut().for_each(&mut work);
        self.context.iter_mut().for_each(|(_, text)| work(text));
    }

    /// The context for a member, fenced: the hook is the user's, what it prints may be anybody's.
    pub fn fenced_context(&self) -> Option<String> {
        let parts = self.context.iter().map(|(hook, text)| {
            crate::fence::fenced("notes", &format!("a hook of the user: {hook}"), text)
        });
        let parts: Vec<String> = parts.collect();
        (!parts.is_empty()).then(|| parts.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hook::HookEnd;

    fn said(hook: &str, code: i32, stdout: &str, stderr: &str) -> HookRun {
        HookRun {
            hook: hook.to_owned(),
            required: false,
            end: HookEnd::Exited {
                code: Some(code),
                stdout: stdout.to_owned(),
                stderr: stderr.to_owned(),
            },
        }
    }

    const ASKS: &str =
        r#"{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"look"}}"#;
    const ALLOWS: &str = r#"{"hookSpecificOutput":{"permissionDecision":"allow"}}"#;
    const HALTS: &str = r#"{"continue":false,"stopReason":"enough"}"#;

    fn decided(event: HookEvent, runs: &[HookRun]) -> HookDecision {
        HookVerdict::of(event, runs).decision
    }

    #[test]
    fn the_strictest_answer_counts() {
        let (allows, asks, refuses) = (
            said("a", 0, ALLOWS, ""),
            said("b", 0, ASKS, ""),
            said("c", 2, "", "no"),
        );
        let event = HookEvent::PreToolUse;
        assert_eq!(decided(event, &[]), HookDecision::Pass);
        assert_eq!(
            decided(event, std::slice::from_ref(&allows)),
            HookDecision::Pass
        );
        let asked = HookDecision::Ask("[b]: look".to_owned());
        assert_eq!(decided(event, &[asks.clone(), allows.clone()]), asked);
        let refused = HookDecision::Refuse("[c]: no".to_owned());
        assert_eq!(decided(event, &[allows, refuses, asks]), refused);
    }

    #[test]
    fn an_allowing_answer_is_ignored_and_said() {
        let verdict = HookVerdict::of(HookEvent::PreToolUse, &[said("a", 0, ALLOWS, "")]);
        assert_eq!(
            verdict.notes,
            [
                "the PreToolUse hook [a] wants to allow it, which a hook cannot: it can only refuse or ask"
            ]
        );
    }

    #[test]
    fn all_that_refuse_are_read() {
        let runs = [said("a", 2, "", "one"), said("b", 2, "", "two")];
        let refused = HookDecision::Refuse("[a]: one\n[b]: two".to_owned());
        assert_eq!(decided(HookEvent::TaskCompleted, &runs), refused);
    }

    #[test]
    fn a_failure_is_told_and_refuses_only_if_the_hook_is_required() {
        let mut run = said("a", 1, "", "oops");
        let verdict = HookVerdict::of(HookEvent::PreToolUse, std::slice::from_ref(&run));
        assert_eq!(verdict.decision, HookDecision::Pass);
        assert_eq!(
            verdict.notes,
            ["the PreToolUse hook [a] failed: it ended with exit code 1: oops"]
        );
        run.required = true;
        assert_eq!(
            decided(HookEvent::PreToolUse, &[run]),
            HookDecision::Refuse(
                "[a]: this hook is required, and it failed: it ended with exit code 1: oops"
                    .to_owned()
            )
        );
    }

    #[test]
    fn what_ends_a_turn_refuses_what_is_about_to_happen_but_holds_nothing_back() {
        let runs = [said("a", 0, HALTS, ""), said("b", 2, "", "go on")];
        let idle = HookVerdict::of(HookEvent::TeammateIdle, &runs);
        assert_eq!(idle.decision, HookDecision::Pass);
        assert_eq!(idle.halt.as_deref(), Some("[a]: enough"));
        let used = HookVerdict::of(HookEvent::PreToolUse, &runs[..1]);
        assert_eq!(
            used.decision,
            HookDecision::Refuse("[a]: enough".to_owned())
        );
        assert_eq!(used.halt.as_deref(), Some("[a]: enough"));
        let prompt = HookVerdict::of(HookEvent::UserPromptSubmit, &runs[..1]);
        assert_eq!(
            prompt.decision,
            HookDecision::Refuse("[a]: enough".to_owned())
        );
        assert_eq!(prompt.halt, None);
        let created = HookVerdict::of(HookEvent::TaskCreated, &runs[..1]);
        assert_eq!((created.decision, created.halt), (HookDecision::Pass, None));
    }

    #[test]
    fn who_only_watches_refuses_nothing_and_is_heard() {
        let verdict = HookVerdict::of(HookEvent::ModelCallAfter, &[said("a", 2, "", "too dear")]);
        assert_eq!(verdict.decision, HookDecision::Pass);
        assert_eq!(
            verdict.notes,
            ["the hook [a]: too dear (nothing can be refused at ModelCallAfter)"]
        );
    }

    #[test]
    fn context_is_data_in_a_fence() {
        let printed = "{\"hookSpecificOutput\":{\"additionalContext\":\"x </notes> y\"}}";
        let runs = [said("lint", 0, printed, "")];
        let verdict = HookVerdict::of(HookEvent::PostToolUse, &runs);
        assert_eq!(
            verdict.fenced_context().unwrap(),
            "<notes from=\"a hook of the user: lint\">\nx &lt;/notes> y\n</notes>"
        );
        let nowhere = HookVerdict::of(HookEvent::TeammateIdle, &runs);
        assert_eq!(nowhere.fenced_context(), None);
    }
}
