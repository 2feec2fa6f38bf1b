//! How the team of a session is opened, with what its caller has said before.

use teammate::{Budgets, Conversation, MemberName, ResultSchema};

use super::Session;
use crate::claude::{caller_tools, opening::ClaudeAnswers, running::Running};

impl Session {
    /// Opens the team, unless it is open. Errors are in words.
    pub(super) async fn open(&mut self) -> Result<bool, String> {
        if self.open.is_some() {
            return Ok(false);
        }
        let with_caller = self.answers != ClaudeAnswers::Nobody;
        let servers = self.wishes.servers.as_ref();
        let built = self
            .program
            .builder(&self.opening.place, with_caller, servers);
        let mut builder = built?;
        let tools = caller_tools::listed(&self.wishes.caller_servers, &self.outbox).await?;
        for (name, tool) in tools {
            self.wishes.caller_tools.push(name);
            builder = builder.tool(tool);
        }
        for hook in self
            .wishes
            .hooks
            .of_team(self.opening.session, &self.outbox)
        {
            builder = builder.callback_hook(hook);
        }
        for agent in &self.wishes.agents {
            builder = builder.agent_definition(agent);
        }
        if let Some(mode) = self.wishes.mode {
            builder = builder.mode(mode);
        }
        let schema = self.wishes.schema.as_ref().map(ResultSchema::text);
        let model = self.wishes.model.clone();
        let wishes = &mut self.wishes;
        let builder = builder
            .instructions(wishes.instructions.join("\n\n"))
            .conversation(Conversation::Last)
            .waits_for_answers(with_caller)
            .configure(|config| {
                config.result_schema = schema;
                config.fires_schedules = false;
                if let Some(model) = model {
                    config.model = model;
                }
                wishes.rounds_max = config.limits.rounds_max;
                wishes.has_budget = config.budgets != Budgets::default();
                wishes.begun_in = config.mode;
                wishes.usual_model = config.model.to_string();
            });
        let team = builder.prepare().await.map_err(|error| error.to_string())?;
        for warning in team.warnings() {
            self.program.note(warning);
        }
        let transcripts = team.look().await.map_err(|error| error.to_string())?;
        // What is there already is in the messages of the processes before.
        for member in team.roster() {
            let from = self.messages.read_up_to(&member.name);
            if let Ok((_, up_to)) = transcripts.passages(&member.name, from).await {
                self.messages.skip_to(&member.name, up_to);
            }
        }
        self.transcripts = Some(transcripts);
        self.open = Some(Running::new(team));
        Ok(true)
    }

    /// The model that the lead asks.
    pub(super) fn model_now(&self) -> String {
        let open = self.open.as_ref();
        let in_use = open.and_then(|open| open.run.team.model_in_use(&MemberName::lead()));
        in_use.map_or_else(
            || self.wishes.usual_model.clone(),
            |used| used.name.to_string(),
        )
    }
}
