//! Settings over settings: what flags leave open the file says, and what a way of running says over both.

use teammate::{Mode, ModelRef};

use super::Values;

/// How many minutes a server that has never answered is tried where nobody sits at a prompt, unless configured otherwise.
const HEADLESS_UNANSWERED: f64 = 2.0;

impl Values {
    /// These, and what they leave open as `file` has it. Rules add up.
    pub(in super::super) fn over(self, file: Self) -> Self {
        Self {
            model: self.model.or(file.model),
            // What the file says for all counts less than what it says of a model.
            effort: self.effort,
            usual_effort: file.effort,
            models: file.models,
            screen: file.screen,
            show_thinking: self.show_thinking || file.show_thinking,
            fallback: match self.fallback.is_empty() {
                true => file.fallback,
                false => self.fallback,
            },
            fallback_minutes: file.fallback_minutes,
            fallback_back_minutes: file.fallback_back_minutes,
            cache: file.cache,
            permission_mode: self.permission_mode.or(file.permission_mode),
            allow: [self.allow, file.allow].concat(),
            deny: [self.deny, file.deny].concat(),
            lead_may_allow: [self.lead_may_allow, file.lead_may_allow].concat(),
            max_rounds: self.max_rounds.or(file.max_rounds),
            max_repeats: self.max_repeats.or(file.max_repeats),
            max_hops: self.max_hops.or(file.max_hops),
            max_spawns: self.max_spawns.or(file.max_spawns),
            max_tokens: self.max_tokens.or(file.max_tokens),
            context_tokens: self.context_tokens.or(file.context_tokens),
            retry_minutes: self.retry_minutes.or(file.retry_minutes),
            unanswered_minutes: None,
            tool_names: self.tool_names.or(file.tool_names),
            idle_minutes: self.idle_minutes.or(file.idle_minutes),
            background_wait_minutes: self
                .background_wait_minutes
                .or(file.background_wait_minutes),
            budget: self.budget.over(&file.budget),
            plan_approver: self.plan_approver.or(file.plan_approver),
            shutdown_seconds: self.shutdown_seconds.or(file.shutdown_seconds),
            answer_minutes: self.answer_minutes.or(file.answer_minutes),
            no_project_instructions: self.no_project_instructions,
            // What no flag can say.
            compact_at: file.compact_at,
            project_instructions: file.project_instructions,
            more_instructions: file.more_instructions,
            pass_environment: file.pass_environment,
            sandbox_flag: self.sandbox_flag,
            add_dir: self.add_dir,
            network: self.network.or_else(|| file.sandbox.network.clone()),
            hooks: self.hooks,
            #[cfg(feature = "mcp")]
            mcp_config: self.mcp_config,
            #[cfg(feature = "mcp")]
            strict_mcp_config: self.strict_mcp_config,
            #[cfg(feature = "mcp")]
            mcp: file.mcp,
            #[cfg(feature = "acp")]
            agent: file.agent.into_iter().chain(self.agent).collect(),
            sandbox: file.sandbox,
            audit: file.audit,
            keep: file.keep,
            containment: file.containment,
            providers: file.providers,
            currency: file.currency,
            prices: file.prices,
            read_max_bytes: file.read_max_bytes,
            ui: file.ui,
            keys: file.keys,
            theme: file.theme,
            notify: file.notify,
            remembers: self.remembers,
            memory: file.memory,
            fires_schedules: self.fires_schedules,
            schedules: file.schedules,
            #[cfg(feature = "otel")]
            otel_flag: self.otel_flag,
            #[cfg(feature = "otel")]
            otel: file.otel,
            #[cfg(feature = "nats")]
            nats: file.nats,
            web: file.web,
            web_search: file.web_search,
            mcp_server: file.mcp_server,
            worktrees: file.worktrees,
        }
    }

    /// Values for a program that waits: it learns soon that an address is wrong or a server is not there.
    pub(in super::super) fn headless(self) -> Self {
        Self {
            unanswered_minutes: self.retry_minutes.or(Some(HEADLESS_UNANSWERED)),
            ..self
        }
    }

    /// These values with another model, and everything allowed that is not denied.
    pub(in super::super) fn for_demo(self, model: &ModelRef) -> Self {
        Self {
            model: Some(model.to_string()),
            permission_mode: Some(Mode::Bypass),
            allow: Vec::new(),
            lead_may_allow: Vec::new(),
            no_project_instructions: true,
            ..self
        }
    }

    /// With an external agent for the demo; a build that speaks with none has none.
    pub(in super::super) fn with_guest(self) -> Self {
        #[cfg(feature = "acp")]
        let agent = self.agent.into_iter().chain(super::super::bridge::guest());
        Self {
            #[cfg(feature = "acp")]
            agent: agent.collect(),
            ..self
        }
    }
}
