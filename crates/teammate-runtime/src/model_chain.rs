//! The models that a member works with: its own, and those it goes on with when that fails. Which of them it asks now, and how
//! each is asked.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{
    agent::ContextWindow,
    lock::Hold,
    model::{
        AnswerOptions, CacheLifetime, Effort, ModelFailure, ModelProfile, ModelRef, ModelRequest,
        Usage,
    },
    port::Model,
    team::MemberOptions,
};
use tokio::time::Instant;

use crate::{
    base::Base,
    config::{CacheSetting, TeamConfig},
};

/// A member's models in the order in which they are asked: its own, then its fallbacks.
pub(crate) struct ModelChain {
    base: Arc<Base>,
    /// Its own first. Never empty.
    models: Vec<ModelRef>,
    /// The effort that was asked for.
    effort: Option<Effort>,
    state: Mutex<ChainState>,
}

#[derive(Default)]
struct ChainState {
    /// Which model is asked now.
    at: usize,
    /// Since when it is not the first.
    since: Option<Instant>,
    /// When the last request began.
    asked_at: Option<Instant>,
    /// How many tokens of the last request its server had in a cache when it was answered.
    cached: u64,
    /// Whether the member has waited longer than a short cache lives.
    waits_long: bool,
}

/// A model as a member asks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelInUse {
    pub name: ModelRef,
    /// How much it thinks.
    pub effort: Effort,
    /// Whether it takes any effort at all.
    pub can_think: bool,
    /// The catalogue's family; `None`: the catalogue does not know it.
    pub family: Option<String>,
}

/// One model of a chain.
#[derive(Clone)]
pub(crate) struct Candidate {
    at: usize,
    pub(crate) name: ModelRef,
    /// The adapter, or why there is none.
    pub(crate) model: Result<Arc<dyn Model>, ModelFailure>,
}

/// How long a server keeps a short prompt cache after its last use, where that is not known.
const SHORT_CACHE: Duration = Duration::from_secs(5 * 60);
/// How long it keeps a long one.
const LONG_CACHE: Duration = Duration::from_secs(60 * 60);

impl ModelChain {
    /// The models of a member with these options.
    pub(crate) fn of(base: &Arc<Base>, options: &MemberOptions) -> Self {
        let config = &base.setup.config;
        let own = options
            .model
            .clone()
            .unwrap_or_else(|| config.model.clone());
        Self::new(base, &own, options)
    }

    /// A chain with this model as the first: for subagents, which work with their member's.
    pub(crate) fn new(base: &Arc<Base>, own: &ModelRef, options: &MemberOptions) -> Self {
        let config = &base.setup.config;
        let fallback = match options.fallback.is_empty() {
            true => &config.fallback.models,
            false => &options.fallback,
        };
        let others = fallback.iter().filter(|model| *model != own).cloned();
        Self {
            models: [own.clone()].into_iter().chain(others).collect(),
            effort: options.effort.or(config.effort),
            base: base.clone(),
            state: Mutex::default(),
        }
    }

    /// Whether these are still the models of a member with these options.
    pub(crate) fn is_of(&self, options: &MemberOptions) -> bool {
        let now = Self::of(&self.base, options);
        self.models == now.models && self.effort == now.effort
    }

    /// The member's own model.
    pub(crate) fn own(&self) -> &ModelRef {
        &self.models[0]
    }

    /// The model that is asked now.
    pub(crate) fn current(&self) -> Candidate {
        self.candidate(self.state.hold().at)
    }

    /// How long a server may be away before the next model is asked; `None` where there is no next one.
    pub(crate) fn time_to_next(&self) -> Option<Duration> {
        let has_next = self.state.hold().at + 1 < self.models.len();
        has_next.then_some(self.base.setup.config.fallback.after)
    }

    /// Leaves a model that failed for good. Returns the next one; `None` if that was the last: then the first is asked again the
    /// next time.
    pub(crate) fn fall_back(&self, from: &Candidate) -> Option<Candidate> {
        let mut state = self.state.hold();
        let next = from.at + 1;
        if next >= self.models.len() {
            (state.at, state.since) = (0, None);
            return None;
        }
        (state.at, state.since) = (next, Some(Instant::now()));
        drop(state);
        Some(self.candidate(next))
    }

    /// Goes back to the first model, if it is time to try it again. Returns the one that is left.
    pub(crate) fn go_back(&self) -> Option<Candidate> {
        let back = self.base.setup.config.fallback.back?;
        let mut state = self.state.hold();
        let is_due = state.since.is_some_and(|since| since.elapsed() >= back);
        let at = state.at;
        if !is_due || at == 0 {
            return None;
        }
        (state.at, state.since) = (0, None);
        drop(state);
        Some(self.candidate(at))
    }

    /// How much of a conversation the model takes now.
    pub(crate) fn context(&self) -> ContextWindow {
        window(&self.base.setup.config, &self.current().profile())
    }

    /// How many tokens this model takes, if it is the one that is asked now, and somebody has said so.
    pub(crate) fn known_context(&self, model: &str) -> Option<u64> {
        let current = Some(self.current()).filter(|current| current.name.to_string() == model)?;
        known_context(&self.base.setup.config, &current.profile())
    }

    /// The model that is asked now, for people.
    pub(crate) fn in_use(&self) -> ModelInUse {
        let current = self.current();
        let profile = current.profile();
        ModelInUse {
            effort: profile.effort(self.effort),
            can_think: profile.thinking.is_some(),
            family: profile.family,
            name: current.name,
        }
    }

    /// How much the model thinks now.
    pub(crate) fn effort_now(&self) -> Effort {
        self.current().profile().effort(self.effort)
    }

    /// Whether the server has forgotten what the last request wrote to its cache. A member that has not asked yet has nothing
    /// there.
    pub(crate) fn has_slept(&self) -> bool {
        let profile = self.current().profile();
        let state = self.state.hold();
        let lifetime = match (profile.has_long_cache, self.lifetime(&state)) {
            (true, CacheLifetime::Long) => LONG_CACHE,
            (true | false, CacheLifetime::Short | CacheLifetime::Long) => profile
                .cache_minutes
                .map_or(SHORT_CACHE, |minutes| Duration::from_secs(minutes * 60)),
        };
        state.asked_at.is_some_and(|at| at.elapsed() > lifetime)
    }

    /// Notes that a request begins now.
    pub(crate) fn begin_request(&self) {
        let mut state = self.state.hold();
        let now = Instant::now();
        if let Some(before) = state.asked_at.replace(now) {
            let waited = now - before;
            // Beyond an hour no cache would have helped.
            state.waits_long |= waited > SHORT_CACHE && waited < LONG_CACHE;
        }
    }

    /// Counts in the usage of an answer what the request before had in a cache and this one paid for again. `continues`: it began
    /// with all of that.
    pub(crate) fn count_lost(&self, usage: &mut Usage, continues: bool) {
        let mut state = self.state.hold();
        if continues {
            usage.cache_lost = state.cached.saturating_sub(usage.cache_read);
        }
        state.cached = usage.cache_read + usage.cache_write;
    }

    /// A request as this model is asked.
    pub(crate) fn fitted(&self, request: ModelRequest, candidate: &Candidate) -> ModelRequest {
        let config = &self.base.setup.config;
        let profile = candidate.profile();
        let effort = profile.effort(self.effort);
        let lifetime = match profile.has_long_cache {
            true => self.lifetime(&self.state.hold()),
            false => CacheLifetime::Short,
        };
        ModelRequest {
            model: candidate.name.to_string().into(),
            max_tokens: profile.answer_limit(config.max_tokens, effort),
            options: AnswerOptions {
                effort,
                shows_thinking: config.shows_thinking,
                cache_lifetime: lifetime,
                ..request.options
            },
            ..request
        }
    }

    fn lifetime(&self, state: &ChainState) -> CacheLifetime {
        match self.base.setup.config.cache {
            CacheSetting::Short => CacheLifetime::Short,
            CacheSetting::Long => CacheLifetime::Long,
            CacheSetting::Auto if state.waits_long => CacheLifetime::Long,
            CacheSetting::Auto => CacheLifetime::Short,
        }
    }

    fn candidate(&self, at: usize) -> Candidate {
        let name = self.models[at].clone();
        Candidate {
            at,
            model: self.base.ports.models.open(&name),
            name,
        }
    }
}

impl Candidate {
    fn profile(&self) -> ModelProfile {
        self.model
            .as_ref()
            .map_or_else(|_| ModelProfile::default(), |model| model.profile())
    }
}

/// The context that the user set: for this model, or for all.
fn set_context(config: &TeamConfig, profile: &ModelProfile) -> Option<u64> {
    let own = profile.context_tokens.filter(|_| profile.is_context_set);
    own.or(config.context_tokens)
}

/// How many tokens a model takes, as the user, its server or the catalogue says.
fn known_context(config: &TeamConfig, profile: &ModelProfile) -> Option<u64> {
    set_context(config, profile).or(profile.context_tokens)
}

/// The context of a model: what the user set for it, for all models, or else what is known of it.
fn window(config: &TeamConfig, profile: &ModelProfile) -> ContextWindow {
    if let Some(tokens) = set_context(config, profile) {
        return ContextWindow::new(tokens, config.compact_at);
    }
    let tokens = profile.context_tokens.unwrap_or(ContextWindow::TOKENS);
    let window = ContextWindow::new(tokens, config.compact_at);
    // Each round pays for the whole conversation again, so it does not grow without a wish just because the model could take it.
    let most = profile
        .price_holds_to
        .map_or(ContextWindow::FULL_AT_MAX, |price| price / 10 * 9);
    ContextWindow {
        full_at: window.full_at.min(most).min(ContextWindow::FULL_AT_MAX),
        ..window
    }
}

#[cfg(test)]
mod tests;
