//! The permission gate: asks the person about what the rules leave open. No answer is a no.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use teammate_core::{
    MemberName,
    event::What,
    permission::{Mode, Rules, Verdict, always},
    port::{Action, RuleBook, Target},
    tool::EffectClass,
};
use tokio::sync::oneshot;

use crate::feed::Feed;

/// Who answers questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// A person who sees the event feed, within this time.
    Person {
        /// After it the answer is no.
        deadline: Duration,
    },
    /// Nobody: what would be asked is refused at once.
    Nobody,
}

/// A person's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// This once.
    Yes,
    /// This and the very same again, until the team is closed.
    Always,
    /// No.
    No,
}

/// A question that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Its number.
    pub id: u64,
    /// Who asks.
    pub member: MemberName,
    /// Which tool it wants.
    pub tool: String,
    /// Exactly what will happen.
    pub shows: String,
}

/// The gate of one team.
pub(crate) struct Gate {
    policy: Policy,
    rules: RwLock<Rules>,
    book: Option<Arc<dyn RuleBook>>,
    open: Mutex<BTreeMap<u64, (Question, oneshot::Sender<Answer>)>>,
    next: AtomicU64,
    feed: Arc<Feed>,
}

/// A call that wants to pass.
pub(crate) struct Passing<'a> {
    pub(crate) member: &'a MemberName,
    pub(crate) mode: Mode,
    pub(crate) tool: &'a str,
    pub(crate) class: EffectClass,
    pub(crate) action: &'a Action,
}

impl Gate {
    pub(crate) fn new(
        policy: Policy,
        rules: Rules,
        book: Option<Arc<dyn RuleBook>>,
        feed: Arc<Feed>,
    ) -> Self {
        Self {
            policy,
            rules: RwLock::new(rules),
            book,
            open: Mutex::default(),
            next: AtomicU64::new(1),
            feed,
        }
    }

    /// `Ok` if the call may run; otherwise a sentence for the model. `waiting` is told when a person is asked.
    pub(crate) async fn pass(
        &self,
        passing: &Passing<'_>,
        waiting: impl FnOnce(),
    ) -> Result<(), String> {
        let verdict = self
            .rules
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .decide(
                passing.mode,
                passing.tool,
                passing.class,
                &passing.action.target,
            );
        match (verdict, self.policy) {
            (Verdict::Allow, _) => Ok(()),
            (Verdict::Deny(rule), _) => Err(format!(
                "Not run: {} forbids it. Find another way or say what you need.",
                rule.named()
            )),
            (Verdict::Ask, Policy::Nobody) => {
                let hint = headless_hint(passing);
                let (tool, shows) = (passing.tool.to_owned(), passing.action.shows.clone());
                let text = format!(
                    "Not run: {tool} needs permission and nobody can be asked here. {hint}"
                );
                self.feed.tell(
                    passing.member,
                    What::PermissionRefused { tool, shows, hint },
                );
                Err(text)
            }
            (Verdict::Ask, Policy::Person { deadline }) => {
                waiting();
                self.ask(passing, deadline).await
            }
        }
    }

    async fn ask(&self, passing: &Passing<'_>, deadline: Duration) -> Result<(), String> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let question = Question {
            id,
            member: passing.member.clone(),
            tool: passing.tool.to_owned(),
            shows: passing.action.shows.clone(),
        };
        let (sender, answer) = oneshot::channel();
        self.lock().insert(id, (question.clone(), sender));
        let _withdraw = Withdraw { gate: self, id };
        self.feed.tell(
            passing.member,
            What::PermissionAsked {
                question: id,
                tool: question.tool,
                shows: question.shows,
            },
        );
        let answer = tokio::time::timeout(deadline, answer).await;
        let (allowed, by, verdict) = match answer {
            Ok(Ok(Answer::Yes)) => (true, "user", Ok(())),
            Ok(Ok(Answer::Always)) => {
                self.remember(passing);
                (true, "user", Ok(()))
            }
            Ok(Ok(Answer::No)) => (
                false,
                "user",
                Err("Not run: the user said no. Do not try it again in another form; ask or go on without it.".to_owned()),
            ),
            Ok(Err(_)) | Err(_) => (
                false,
                "deadline",
                Err("Not run: nobody answered the permission question in time, and that is a no.".to_owned()),
            ),
        };
        self.feed.tell(
            passing.member,
            What::PermissionAnswered {
                question: id,
                allowed,
                by: by.to_owned(),
            },
        );
        verdict
    }

    /// Allows the very same from now on, and the next time if that can be kept.
    fn remember(&self, passing: &Passing<'_>) {
        let Some(rule) = always(passing.tool, passing.action) else {
            return;
        };
        if let Some(Err(error)) = self.book.as_ref().map(|book| book.add(&rule)) {
            let text = format!("This \"always\" holds until the team is closed: {error}");
            self.feed.tell(passing.member, What::Notice { text });
        }
        self.rules
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .allow
            .push(rule);
    }

    /// The rules in force.
    pub(crate) fn rules(&self) -> Rules {
        self.rules
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Answers a question; false if it is not open (any more).
    pub(crate) fn answer(&self, id: u64, answer: Answer) -> bool {
        let waiting = self.lock().remove(&id);
        waiting.is_some_and(|(_, sender)| sender.send(answer).is_ok())
    }

    /// What waits for an answer, oldest first.
    pub(crate) fn questions(&self) -> Vec<Question> {
        self.lock()
            .values()
            .map(|(question, _)| question.clone())
            .collect()
    }

    fn lock(
        &self,
    ) -> std::sync::MutexGuard<'_, BTreeMap<u64, (Question, oneshot::Sender<Answer>)>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes a question back when the call that asks is cancelled.
struct Withdraw<'a> {
    gate: &'a Gate,
    id: u64,
}

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        self.gate.lock().remove(&self.id);
    }
}

/// What would allow it.
fn headless_hint(passing: &Passing<'_>) -> String {
    let tool = passing.tool;
    let (mode, pattern) = match &passing.action.target {
        Target::Command(command) => ("bypass", command.text.clone()),
        Target::Path(path) => ("accept-edits", path.resolved.display().to_string()),
        Target::Team => ("bypass", "*".to_owned()),
    };
    format!(
        "The user can start with --permission-mode {mode}, or with --allow '{tool}({pattern})'."
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use teammate_core::{
        Timestamp,
        permission::{Script, ShellCommand},
        port::Clock,
    };

    struct Still;
    impl Clock for Still {
        fn now(&self) -> Timestamp {
            Timestamp(0)
        }
    }

    fn gate(policy: Policy) -> Arc<Gate> {
        let feed = Arc::new(Feed::new(Arc::new(Still)));
        Arc::new(Gate::new(policy, Rules::default(), None, feed))
    }

    async fn try_command(gate: &Gate, command: &str) -> Result<(), String> {
        let action = Action {
            target: Target::Command(ShellCommand {
                text: command.into(),
                script: Script::NotUnderstood { why: "a test" },
            }),
            shows: command.into(),
            summary: command.into(),
        };
        let passing = Passing {
            member: &MemberName::teammate("alice").unwrap(),
            mode: Mode::Ask,
            tool: "bash",
            class: EffectClass::Executes,
            action: &action,
        };
        gate.pass(&passing, || {}).await
    }

    const MINUTE: Policy = Policy::Person {
        deadline: Duration::from_secs(60),
    };

    #[tokio::test]
    async fn headless_is_refused_with_the_flag_that_allows_it() {
        let refused = try_command(&gate(Policy::Nobody), "make x")
            .await
            .unwrap_err();
        assert!(refused.contains("--allow 'bash(make x)'"), "{refused}");
    }

    #[tokio::test(start_paused = true)]
    async fn no_answer_is_a_no() {
        let gate = gate(MINUTE);
        assert!(
            try_command(&gate, "make")
                .await
                .unwrap_err()
                .contains("in time")
        );
        assert!(gate.questions().is_empty());
    }

    #[tokio::test]
    async fn always_covers_the_very_same_and_nothing_else() {
        let gate = gate(MINUTE);
        let asker = gate.clone();
        let asked = tokio::spawn(async move { try_command(&asker, "make a").await });
        let question = loop {
            match gate.questions().first() {
                Some(question) => break question.clone(),
                None => tokio::task::yield_now().await,
            }
        };
        assert_eq!(
            (question.member.as_str(), question.shows.as_str()),
            ("alice", "make a")
        );
        assert!(gate.answer(question.id, Answer::Always));
        assert!(!gate.answer(question.id, Answer::Yes), "single use");
        asked.await.unwrap().unwrap();
        try_command(&gate, "make a").await.unwrap();
        let other = gate.clone();
        let asked = tokio::spawn(async move { try_command(&other, "make b").await });
        while gate.questions().is_empty() {
            tokio::task::yield_now().await;
        }
        asked.abort();
        assert!(asked.await.is_err());
        assert!(
            gate.questions().is_empty(),
            "a cancelled call takes its question back"
        );
    }
}
