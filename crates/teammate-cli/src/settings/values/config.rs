//! The team that the settings describe.

use std::time::Duration;

use anyhow::Context as _;
use teammate::{AskPolicy, TeamConfig};

use super::{
    super::{
        plan_approver::PlanApproverFlag,
        providers::default_model,
        words::{AuditSetting, CacheWord, InstructionsOf, ToolNames, compact_at, minutes},
    },
    Values,
};

/// How many minutes the user has to answer a permission question unless configured otherwise.
const ANSWER_MINUTES: f64 = 10.0;

impl Values {
    /// The team that these settings describe. `with_person`: somebody sees the screen and can answer.
    pub(in crate::settings) fn config(self, with_person: bool) -> anyhow::Result<TeamConfig> {
        let mut config = TeamConfig::new(default_model(self.model.clone())?);
        config.rules = self.rules();
        config.wording = crate::next_steps::wording();
        config.budgets = self.budgets();
        config.pass_environment = self.pass_environment;
        config.shows_aliases = self.tool_names == Some(ToolNames::Claude);
        config.project_instructions =
            !self.no_project_instructions && self.project_instructions.unwrap_or(true);
        let more = self.more_instructions.into_iter();
        config.more_instructions = more.map(InstructionsOf::setting).collect();
        config.remembers = self.remembers || self.memory.enabled;
        config.fires_schedules = self.fires_schedules || self.schedules.enabled;
        config.worktrees = self.worktrees.into();
        config.effort = self.effort;
        config.shows_thinking = self.show_thinking;
        config.fallback.models = self.fallback;
        config.fallback.back = minutes("fallback_back_minutes", self.fallback_back_minutes)?;
        set(
            &mut config.fallback.after,
            minutes("fallback_minutes", self.fallback_minutes)?,
        );
        set(&mut config.cache, self.cache.map(CacheWord::setting));
        config.context_tokens = self.context_tokens;
        config.compact_at = compact_at(self.compact_at)?;
        config.max_tokens = self.max_tokens;
        config.idle_max = minutes("idle_minutes", self.idle_minutes)?;
        let deadline = self.answer_minutes.unwrap_or(ANSWER_MINUTES);
        if let (true, Some(deadline)) = (with_person, minutes("answer_minutes", Some(deadline))?) {
            config.policy = AskPolicy::User { deadline };
        }
        let retry = minutes("retry_minutes", self.retry_minutes)?;
        let unanswered = minutes("retry_minutes", self.unanswered_minutes)?;
        let shutdown = self.shutdown_seconds.map(Duration::try_from_secs_f64);
        set(&mut config.mode, self.permission_mode);
        set(&mut config.audit, self.audit.map(AuditSetting::audit_use));
        set(&mut config.limits.rounds_max, self.max_rounds);
        set(&mut config.limits.repeats_max, self.max_repeats);
        set(&mut config.limits.hops_max, self.max_hops);
        set(&mut config.limits.spawns_max, self.max_spawns);
        set(&mut config.read_max, self.read_max_bytes);
        set(&mut config.retry.total, retry);
        set(&mut config.retry.unanswered, unanswered.or(retry));
        set(
            &mut config.background_wait,
            minutes("background_wait_minutes", self.background_wait_minutes)?,
        );
        set(
            &mut config.plans,
            self.plan_approver.map(|PlanApproverFlag(policy)| policy),
        );
        set(
            &mut config.shutdown_within,
            shutdown.transpose().context("shutdown_seconds")?,
        );
        Ok(config)
    }
}

/// Puts the value there, if there is one.
fn set<T>(field: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *field = value;
    }
}
