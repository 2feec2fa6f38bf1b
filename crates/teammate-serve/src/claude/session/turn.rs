//! What a caller says, from its beginning to its result.

use std::time::Instant;

use serde_json::json;
use teammate::{ExpectedResult, RunReport, UserMessage, hooks::permission_word, tool_names};

use super::Session;
use crate::{
    claude::{
        opening::{ClaudeAnswers, ClaudeOutput},
        result::{Ended, How, Took, message, text_of},
        running::InHand,
    },
    door::job::RunningJob,
};

/// The version of the program whose words are spoken, and ours behind it: callers read the beginning.
const VERSION: &str = concat!("2.1.0 (teammate ", env!("CARGO_PKG_VERSION"), ")");

impl Session {
    /// Gives the team what the caller said.
    pub(super) async fn begin(&mut self, message: UserMessage) {
        self.emit_state("running").await;
        if let Some(why) = &self.refused {
            return self.fail(why.clone()).await;
        }
        let opened = match self.open().await {
            Ok(opened) => opened,
            Err(why) => return self.fail(why).await,
        };
        self.messages.begins();
        self.emit_init().await;
        let Some(open) = &mut self.open else { return };
        open.in_hand = Some(InHand {
            began: Instant::now(),
            is_second_try: false,
        });
        let expected = ExpectedResult::of(self.wishes.schema.clone());
        let message = UserMessage {
            text: expected.prompt_with(&message.text),
            attachments: message.attachments,
        };
        let watch = open.run.team.watch();
        let begun = match opened {
            true => open.run.team.start_with(message).await,
            false => open.run.team.send("lead", message).await.map(drop),
        };
        match begun {
            Ok(()) => open.job = Some(RunningJob::new(open.run.team.clone(), watch)),
            Err(error) => self.fail(error.to_string()).await,
        }
    }

    /// Says what the session is.
    async fn emit_init(&self) {
        let names = tool_names(true);
        let mut tools: Vec<&str> = Vec::new();
        for (alias, tool) in &names.aliases {
            if names.of(tool) == *alias {
                tools.push(alias);
            }
        }
        tools.extend(self.wishes.caller_tools.iter().map(String::as_str));
        let mode = self
            .open
            .as_ref()
            .map_or(self.wishes.begun_in, |open| open.run.team.mode());
        let workspace = self
            .open
            .as_ref()
            .map(|open| open.run.team.workspace().to_owned());
        let init = self.messages.system(
            "init",
            json!({
                "cwd": workspace,
                "tools": tools,
                "mcp_servers": self.servers(),
                "model": self.model_now(),
                "permissionMode": permission_word(mode, self.answers == ClaudeAnswers::Plan),
                "slash_commands": [],
                "apiKeySource": "none",
                "output_style": "default",
                "agents": [],
                "skills": [],
                "plugins": [],
                "claude_code_version": VERSION,
                "team": self.opening.place.team_name(),
            }),
        );
        self.send(&init).await;
    }

    /// The team rests.
    pub(super) async fn ended(&mut self, report: Option<RunReport>) {
        while let Some(event) = self.open.as_mut().and_then(|open| open.run.happened()) {
            self.emit(&event).await;
        }
        let Some(open) = &mut self.open else { return };
        open.job = None;
        let Some(report) = report else {
            return self
                .fail("a bug ended the wait for the team".to_owned())
                .await;
        };
        let expected = ExpectedResult::of(self.wishes.schema.clone());
        let limit = match self.messages.lead.round >= self.wishes.rounds_max {
            true => How::MaxTurns,
            false if self.wishes.has_budget => How::MaxBudget,
            false => How::Failed,
        };
        let (mut how, mut why) = How::of(&report.outcome, limit);
        let flaw = expected.flaw(&report).filter(|_| how == How::Done);
        if let (Some(flaw), Some(in_hand)) = (flaw, &mut open.in_hand) {
            if !std::mem::replace(&mut in_hand.is_second_try, true) {
                let watch = open.run.team.watch();
                if open.run.team.send("lead", flaw.asks).await.is_ok() {
                    open.job = Some(RunningJob::new(open.run.team.clone(), watch));
                    return;
                }
            }
            (how, why) = match expected.is_value() {
                true => (How::Misfit, Some(flaw.why)),
                // A caller takes an empty result as one.
                false => (How::Done, None),
            };
        }
        let ended = Ended {
            how,
            output: expected.output(&report),
            text: report.text.clone(),
            why,
        };
        self.result(ended, Some(&report)).await;
    }

    /// It was not done, for this reason.
    pub(super) async fn fail(&mut self, why: String) {
        let ended = Ended {
            how: How::Failed,
            text: String::new(),
            output: None,
            why: Some(why),
        };
        self.result(ended, None).await;
    }

    async fn result(&mut self, ended: Ended, report: Option<&RunReport>) {
        self.has_failed = ended.how.is_error();
        if ended.how == How::Unfinished
            && let Some(why) = &ended.why
        {
            self.program.note(why);
        }
        let in_hand = self.open.as_mut().and_then(|open| open.in_hand.take());
        let took = Took {
            all: in_hand.map(|one| one.began.elapsed()).unwrap_or_default(),
            lead: &self.messages.lead,
            report,
            prices: self.open.as_ref().map(|open| open.run.team.prices()),
        };
        let result = message(&self.messages, ended, &took);
        match self.opening.output {
            ClaudeOutput::StreamJson { .. } | ClaudeOutput::Json => self.outbox.send(&result).await,
            ClaudeOutput::Text if self.has_failed => self.program.note(&text_of(&result)),
            ClaudeOutput::Text => {
                let text = teammate_view::clean::clean(&text_of(&result)).into_owned();
                self.outbox.text(text).await;
            }
        }
        if self.said.is_empty() {
            self.emit_state("idle").await;
        }
    }
}
