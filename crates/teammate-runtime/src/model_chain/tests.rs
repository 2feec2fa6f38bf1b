//! A member whose model fails goes on with the next; and how each of its models is asked. On paused time.

use std::sync::Mutex as StdMutex;

use teammate_core::{
    MemberName,
    block::Block,
    event::EventKind,
    model::{Preamble, Remedy, Reply, StopReason, ThinkingLevels, Wire},
    port::{BoxFuture, ModelSource, PartSink},
};

use super::*;
use crate::{
    EventFeed, Fallback, Host, fixture,
    model_calls::{ModelCall, ModelCaller, Purpose},
};

/// Models by name: each has a mood that a test changes, and keeps what it was asked.
#[derive(Default)]
struct Models(StdMutex<Vec<Arc<Fake>>>);

struct Fake {
    name: String,
    mood: StdMutex<Option<Remedy>>,
    asked: StdMutex<Vec<ModelRequest>>,
    usage: StdMutex<Usage>,
    profile: ModelProfile,
}

impl Models {
    fn with(names: &[&str]) -> Arc<Self> {
        let models = Self::default();
        for name in names {
            models.add(name, ModelProfile::default());
        }
        Arc::new(models)
    }

    fn add(&self, name: &str, profile: ModelProfile) {
        self.0.lock().unwrap().push(Arc::new(Fake {
            name: name.to_owned(),
            mood: StdMutex::new(None),
            asked: StdMutex::default(),
            usage: StdMutex::default(),
            profile,
        }));
    }

    fn get(&self, name: &str) -> Arc<Fake> {
        let known = self.0.lock().unwrap();
        let found = known.iter().find(|model| model.name == name);
        found.unwrap().clone()
    }

    fn fails(&self, name: &str, remedy: Option<Remedy>) {
        *self.get(name).mood.lock().unwrap() = remedy;
    }
}

impl ModelSource for Models {
    fn open(&self, model: &ModelRef) -> Result<Arc<dyn Model>, ModelFailure> {
        Ok(self.get(&model.to_string()))
    }
}

impl Model for Fake {
    fn answer(
        &self,
        request: ModelRequest,
        _: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>> {
        self.asked.lock().unwrap().push(request);
        let mood = self.mood.lock().unwrap().clone();
        let answer = match mood {
            Some(remedy) => Err(ModelFailure {
                what: format!("{} is gone", self.name),
                remedy,
            }),
            None => Ok(Reply {
                blocks: vec![Block::text("done")],
                stop: StopReason::EndTurn,
                usage: *self.usage.lock().unwrap(),
                model: "whatever".to_owned(),
                wire: Wire::Plain,
            }),
        };
        Box::pin(async move { answer })
    }

    fn rate_limit_key(&self) -> &str {
        &self.name
    }

    fn profile(&self) -> ModelProfile {
        self.profile.clone()
    }
}

struct Team {
    host: Host,
    caller: Arc<ModelCaller>,
    chain: Arc<ModelChain>,
    events: EventFeed,
}

impl Team {
    async fn new(models: &Arc<Models>, config: TeamConfig) -> Self {
        let mut ports = fixture::ports();
        ports.models = models.clone();
        let host = Host::open(ports, fixture::setup(config)).await.unwrap();
        Self {
            caller: Arc::new(ModelCaller::new(host.base.clone())),
            chain: Arc::new(ModelChain::of(&host.base, &MemberOptions::default())),
            events: host.events(),
            host,
        }
    }

    async fn ask(&self) -> Result<String, String> {
        self.ask_after(0).await.map(|reply| reply.model)
    }

    async fn ask_after(&self, cached: usize) -> Result<Reply, String> {
        let call = ModelCall {
            model_caller: self.caller.clone(),
            scene: fixture::scene(MemberName::lead()),
            chain: self.chain.clone(),
            request: ModelRequest {
                preamble: Arc::new(Preamble::new(Vec::new(), String::new())),
                identity: "".into(),
                messages: Vec::new(),
                cached,
                max_tokens: 0,
                conversation: "c".into(),
                asker: "lead".into(),
                model: "".into(),
                options: AnswerOptions::default(),
            },
            purpose: Purpose::Subagent,
        };
        call.with_retries().await.map_err(|failure| failure.what)
    }

    /// The changes of models since the last look.
    fn changes(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        while let Some(event) = self.events.try_next() {
            if let EventKind::ModelChanged { from, to, why } = &event.what {
                told.push(format!("{from} -> {to}: {why}"));
            }
        }
        told
    }
}

fn config(fallback: &[&str]) -> TeamConfig {
    let models = fallback.iter().map(|name| name.parse().unwrap());
    TeamConfig {
        fallback: Fallback {
            models: models.collect(),
            back: Some(Duration::from_secs(600)),
            ..Fallback::default()
        },
        ..TeamConfig::new("a:own".parse().unwrap())
    }
}

#[tokio::test(start_paused = true)]
async fn after_a_final_failure_the_member_goes_on_with_the_next_model_and_later_back() {
    let models = Models::with(&["a:own", "b:next"]);
    let mut team = Team::new(&models, config(&["b:next"])).await;
    assert_eq!(team.ask().await.unwrap(), "a:own");
    models.fails("a:own", Some(Remedy::Never));
    assert_eq!(team.ask().await.unwrap(), "b:next");
    assert_eq!(team.changes(), ["a:own -> b:next: a:own is gone"]);
    // It stays there, also when the first one answers again, until it is time.
    models.fails("a:own", None);
    assert_eq!(team.ask().await.unwrap(), "b:next");
    tokio::time::sleep(Duration::from_secs(601)).await;
    assert_eq!(team.ask().await.unwrap(), "a:own");
    let back = "b:next -> a:own: it is time to try the member's own model again";
    assert_eq!(team.changes(), [back]);
    team.host.close().await;
}

#[tokio::test(start_paused = true)]
async fn an_outage_is_waited_for_only_as_long_as_asked() {
    let models = Models::with(&["a:own", "b:next"]);
    models.fails("a:own", Some(Remedy::Retry { after: None }));
    let mut team = Team::new(&models, config(&["b:next"])).await;
    let begun = Instant::now();
    assert_eq!(team.ask().await.unwrap(), "b:next");
    let waited = begun.elapsed();
    let asked = Fallback::default().after;
    assert!(waited <= asked && waited > asked / 2, "{waited:?}");
    assert!(team.changes()[0].starts_with("a:own -> b:next: a:own is gone (gave up after"));
    team.host.close().await;
}

#[tokio::test(start_paused = true)]
async fn the_last_model_is_tried_as_long_as_one_without_fallback() {
    let models = Models::with(&["a:own"]);
    models.fails("a:own", Some(Remedy::Retry { after: None }));
    let team = Team::new(&models, config(&[])).await;
    let begun = Instant::now();
    assert!(team.ask().await.unwrap_err().contains("gave up after"));
    assert!(begun.elapsed() > Duration::from_secs(25 * 60));
    team.host.close().await;
}

#[tokio::test(start_paused = true)]
async fn if_all_fail_the_first_is_asked_again_the_next_time() {
    let models = Models::with(&["a:own", "b:next"]);
    models.fails("a:own", Some(Remedy::Never));
    models.fails("b:next", Some(Remedy::Never));
    let team = Team::new(&models, config(&["b:next"])).await;
    assert_eq!(team.ask().await.unwrap_err(), "b:next is gone");
    models.fails("a:own", None);
    assert_eq!(team.ask().await.unwrap(), "a:own");
    team.host.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_conversation_that_is_too_long_is_no_reason_to_leave_a_model() {
    let models = Models::with(&["a:own", "b:next"]);
    models.fails("a:own", Some(Remedy::Shorten));
    let mut team = Team::new(&models, config(&["b:next"])).await;
    assert_eq!(team.ask().await.unwrap_err(), "a:own is gone");
    assert_eq!(team.changes(), [] as [String; 0]);
    assert_eq!(team.chain.current().name.to_string(), "a:own");
    team.host.close().await;
}

#[tokio::test(start_paused = true)]
async fn each_model_is_asked_as_it_takes_it() {
    let models = Arc::new(Models::default());
    let thinking = ModelProfile {
        answer_tokens: Some(50_000),
        thinking: Some(ThinkingLevels {
            levels: vec![Effort::Low, Effort::High],
            default: Effort::Low,
        }),
        context_tokens: Some(1_000_000),
        ..ModelProfile::default()
    };
    models.add("a:own", thinking);
    models.add("b:next", ModelProfile::default());
    let mut settings = config(&["b:next"]);
    settings.effort = Some(Effort::Max);
    let team = Team::new(&models, settings).await;
    // A conversation does not grow to a million tokens unless that is asked for.
    let window = team.chain.context();
    assert_eq!(window.full_at, ContextWindow::FULL_AT_MAX);
    team.ask().await.unwrap();
    models.fails("a:own", Some(Remedy::Never));
    team.ask().await.unwrap();
    assert_eq!(team.chain.context(), ContextWindow::default());
    let asked = |name| {
        let model = models.get(name);
        let asked = model.asked.lock().unwrap();
        let last = asked.last().unwrap();
        (last.model.to_string(), last.options.effort, last.max_tokens)
    };
    assert_eq!(asked("a:own"), ("a:own".to_owned(), Effort::High, 50_000));
    assert_eq!(asked("b:next"), ("b:next".to_owned(), Effort::Off, 16_000));
    team.host.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_member_that_waits_long_asks_for_a_cache_that_lasts_an_hour() {
    let models = Arc::new(Models::default());
    let profile = ModelProfile {
        has_long_cache: true,
        ..ModelProfile::default()
    };
    models.add("a:own", profile);
    let team = Team::new(&models, config(&[])).await;
    let lifetime = || {
        let model = models.get("a:own");
        let asked = model.asked.lock().unwrap();
        asked.last().unwrap().options.cache_lifetime
    };
    team.ask().await.unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
    team.ask().await.unwrap();
    assert_eq!(lifetime(), CacheLifetime::Short);
    assert!(!team.chain.has_slept());
    tokio::time::sleep(Duration::from_secs(20 * 60)).await;
    assert!(team.chain.has_slept());
    team.ask().await.unwrap();
    assert_eq!(lifetime(), CacheLifetime::Long);
    // Now it lasts.
    tokio::time::sleep(Duration::from_secs(20 * 60)).await;
    assert!(!team.chain.has_slept());
    team.host.close().await;
}

#[tokio::test(start_paused = true)]
async fn a_cache_lasts_as_long_as_the_catalogue_says() {
    let models = Arc::new(Models::default());
    let profile = ModelProfile {
        cache_minutes: Some(30),
        ..ModelProfile::default()
    };
    models.add("a:own", profile);
    let team = Team::new(&models, config(&[])).await;
    team.ask().await.unwrap();
    tokio::time::sleep(Duration::from_secs(20 * 60)).await;
    assert!(!team.chain.has_slept());
    tokio::time::sleep(Duration::from_secs(11 * 60)).await;
    assert!(team.chain.has_slept());
    team.host.close().await;
}

#[tokio::test(start_paused = true)]
async fn what_a_cache_has_lost_is_counted() {
    let models = Models::with(&["a:own"]);
    let team = Team::new(&models, config(&[])).await;
    let uses = |cache_read, cache_write| {
        *models.get("a:own").usage.lock().unwrap() = Usage {
            cache_read,
            cache_write,
            ..Usage::default()
        };
    };
    let mut lost = Vec::new();
    for (cached, read, write) in [(0, 0, 1_000), (2, 1_000, 200), (4, 300, 900), (0, 0, 500)] {
        uses(read, write);
        lost.push(team.ask_after(cached).await.unwrap().usage.cache_lost);
    }
    // A conversation that begins anew has lost nothing.
    assert_eq!(lost, [0, 0, 900, 0]);
    team.host.close().await;
}
