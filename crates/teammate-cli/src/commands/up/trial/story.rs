//! The story of a trial, as it is shown: which worker runs whom, and that a killed one costs nothing but a few seconds.

use std::{collections::BTreeSet, time::Duration};

use anyhow::bail;
use teammate::{Event, EventKind, Happening, MemberName, TeamClient, TeamHistory, handle::Say};
use tokio::time::{Instant, timeout};

use super::TrialWorker;
use crate::{
    commands::print_line,
    screen::{EventRenderer, Rendered, Style, clean},
};

/// The job of the lead.
const PROMPT: &str = "Let alice and bob count to three, each on their own machine.";

/// The members that count.
const COUNTERS: [&str; 2] = ["alice", "bob"];

/// The words that each of them tells the lead at the end.
const COUNTED: &str = "has counted";

/// How long all of it may take.
const STORY_MAX: Duration = Duration::from_secs(120);

/// The longest wait for news before it is looked whether it is over.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// A trial under way.
pub(super) struct TrialStory {
    client: TeamClient,
    workers: Vec<TrialWorker>,
    style: Style,
    renderer: EventRenderer,
    has_killed: bool,
    /// The members whose end the lead has heard of.
    heard_of: BTreeSet<&'static str>,
}

impl TrialStory {
    pub(super) fn new(client: TeamClient, workers: Vec<TrialWorker>) -> Self {
        let style = Style::for_stdout();
        Self {
            client,
            workers,
            style,
            renderer: EventRenderer::new(style, None).for_log(),
            has_killed: false,
            heard_of: BTreeSet::new(),
        }
    }

    /// Plays it to its end.
    pub(super) async fn play(mut self) -> anyhow::Result<()> {
        print_line(format!("\n{} {PROMPT}\n", self.style.dim("you:")));
        self.client.ask(Say::to("lead", PROMPT)).await?;
        let mut history = self.client.history();
        let watch = history.watch();
        let begun = Instant::now();
        while !self.look().await? {
            if begun.elapsed() > STORY_MAX {
                bail!("the team is not done after {} s", STORY_MAX.as_secs());
            }
            // Heard or not, it is looked again.
            let _ = timeout(LOOK_EVERY, watch.changed()).await;
            self.show(&mut history).await?;
        }
        self.show(&mut history).await
    }

    async fn show(&mut self, history: &mut TeamHistory) -> anyhow::Result<()> {
        for happening in history.read_on().await? {
            if let Happening::Event(event) = happening {
                self.client.catch_up().await?;
                self.show_event(&event);
                self.hear(&event);
                self.kill_when_it_works(&event);
            }
        }
        Ok(())
    }

    fn show_event(&mut self, event: &Event) {
        let on = self.worker_of(&event.member);
        let on = on.map_or(String::new(), |on| self.workers[on].name.clone());
        for shown in self.renderer.render(event) {
            let text = match shown {
                Rendered::Line(text) => text,
                Rendered::Lead(text) => self.renderer.by_lead(&text),
                Rendered::LeadEnd => continue,
            };
            for line in text.trim_end().lines() {
                print_line(format!(
                    "{} {line}",
                    self.style.dim(&clean(&format!("{on:>4}|")))
                ));
            }
        }
    }

    fn hear(&mut self, event: &Event) {
        if let EventKind::ModelAnswered { text, .. } = &event.what
            && event.member.is_lead()
        {
            let said = |name: &&str| text.contains(&format!("{name} {COUNTED}"));
            self.heard_of.extend(COUNTERS.into_iter().filter(said));
        }
    }

    /// The worker that runs a member, by what the workers say.
    fn worker_of(&mut self, member: &MemberName) -> Option<usize> {
        let name = member.as_str();
        self.workers
            .iter_mut()
            .position(|worker| worker.holds().contains(name))
    }

    /// Kills the worker of the first teammate that runs something: not the lead's, if they are on different ones.
    fn kill_when_it_works(&mut self, event: &Event) {
        let EventKind::ToolStarted { .. } = event.what else {
            return;
        };
        if self.has_killed || event.member.is_lead() {
            return;
        }
        let (of, of_lead) = (
            self.worker_of(&event.member),
            self.worker_of(&MemberName::lead()),
        );
        let holding = self
            .workers
            .iter_mut()
            .map(|worker| !worker.holds().is_empty());
        let are_several = holding.filter(|holds| *holds).count() > 1;
        let Some(of) = of.filter(|of| !are_several || Some(*of) != of_lead) else {
            return;
        };
        let victim = &mut self.workers[of];
        victim.kill();
        self.has_killed = true;
        print_line(self.style.bold(&format!(
            "\n--- worker '{}' is killed while {} works; the other one takes over ---\n",
            victim.name, event.member
        )));
    }

    /// Catches up; whether the lead has heard of both.
    async fn look(&mut self) -> anyhow::Result<bool> {
        self.client.catch_up().await?;
        let is_busy = self
            .client
            .team()
            .members()
            .any(|member| member.phase.is_busy());
        Ok(self.heard_of.len() == COUNTERS.len() && !is_busy)
    }
}
