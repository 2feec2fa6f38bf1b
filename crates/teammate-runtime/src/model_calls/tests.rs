//! Twenty members that share a server, on paused time: what an outage, a rate limit and a poisoned request cost them.

mod server;

use std::time::Duration;

use teammate_core::{
    MemberName,
    model::{AnswerOptions, ModelRef, Preamble},
    port::ModelSource,
    team::MemberOptions,
    tool::{EffectClass, ToolSpec},
};
use tokio::time::Instant;

use self::server::{SaysWhen, Server, Trouble};
use super::*;
use crate::{Host, RetryLimits, TeamConfig, fixture};

/// Opens every model at one server.
struct OneServer(Arc<Server>);

impl ModelSource for OneServer {
    fn open(&self, _: &ModelRef) -> Result<Arc<dyn Model>, ModelFailure> {
        Ok(self.0.clone())
    }
}

/// A team whose members ask one server.
struct Team {
    _host: Host,
    server: Arc<Server>,
    caller: Arc<ModelCaller>,
    chain: Arc<ModelChain>,
    preamble: Arc<Preamble>,
}

impl Team {
    async fn new(trouble: Trouble, latency: Duration) -> Self {
        Self::with(RetryLimits::default(), trouble, latency).await
    }

    async fn with(retry: RetryLimits, trouble: Trouble, latency: Duration) -> Self {
        let config = TeamConfig {
            retry,
            ..TeamConfig::new("server:one".parse().unwrap())
        };
        Self::of(config, Server::new(trouble, latency)).await
    }

    async fn of(config: TeamConfig, server: Server) -> Self {
        let server = Arc::new(server);
        let mut ports = fixture::ports();
        ports.models = Arc::new(OneServer(server.clone()));
        let host = Host::open(ports, fixture::setup(config)).await.unwrap();
        Self {
            caller: Arc::new(ModelCaller::new(host.base.clone())),
            chain: Arc::new(ModelChain::of(&host.base, &MemberOptions::default())),
            server,
            preamble: Arc::new(Preamble::new(Vec::new(), String::new())),
            _host: host,
        }
    }

    /// The same with a server that shows nothing of an answer before all of it.
    async fn silent(trouble: Trouble, latency: Duration) -> Self {
        let mut server = Server::new(trouble, latency);
        server.is_silent = true;
        let config = TeamConfig::new("server:one".parse().unwrap());
        Self::of(config, server).await
    }

    fn call(&self, name: &str) -> ModelCall {
        ModelCall {
            model_caller: self.caller.clone(),
            scene: fixture::scene(MemberName::parse(name).unwrap()),
            chain: self.chain.clone(),
            request: ModelRequest {
                preamble: self.preamble.clone(),
                identity: "".into(),
                messages: Vec::new(),
                cached: 0,
                max_tokens: 100,
                conversation: name.into(),
                asker: name.into(),
                model: "test:model".into(),
                options: AnswerOptions::default(),
            },
            purpose: Purpose::Subagent,
        }
    }

    /// Each of twenty members asks so often, one time after the other. Returns how long it took until all were through.
    async fn all_ask(&self, times: usize) -> Duration {
        let begun = Instant::now();
        let mut members = tokio::task::JoinSet::new();
        for number in 0..20 {
            let calls: Vec<_> = (0..times)
                .map(|_| self.call(&format!("m{number}")))
                .collect();
            members.spawn(async move {
                for call in calls {
                    call.with_retries().await.unwrap();
                    // A tool runs.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            });
        }
        members.join_all().await;
        begun.elapsed()
    }
}

fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

/// The tools that all begin with, and one more.
fn preamble(own_tool: &'static str) -> Arc<Preamble> {
    let tool = |name: &'static str| ToolSpec {
        name: name.into(),
        description: String::new().into(),
        schema: serde_json::from_str("{}").unwrap(),
        class: EffectClass::Reads,
    };
    let tools = vec![tool("read_file"), tool(own_tool)];
    Arc::new(Preamble::new(tools, String::new()).with_common_tools(1))
}

#[tokio::test(start_paused = true)]
async fn a_burst_does_not_wait_where_the_lead_has_written_the_common_cache() {
    let mut team = Team::silent(Trouble::AtOnce(100), ms(500)).await;
    team.preamble = preamble("spawn_teammate");
    team.call("lead").with_retries().await.unwrap();
    team.preamble = preamble("submit_plan");
    let took = team.all_ask(1).await;
    // This server shows nothing of the first answer before all of it.
    assert!(took < ms(600), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_blip_of_a_third_of_a_second_costs_a_team_of_twenty_seconds() {
    let undisturbed = Team::new(Trouble::Away(ms(0), ms(0)), ms(500)).await;
    let undisturbed = undisturbed.all_ask(10).await;
    for _ in 0..20 {
        let team = Team::new(Trouble::Away(ms(1_000), ms(1_300)), ms(500)).await;
        let lost = team.all_ask(10).await - undisturbed;
        assert!(lost < Duration::from_secs(4), "{lost:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_was_away_is_asked_again_soon_after_it_is_back() {
    let undisturbed = Team::new(Trouble::Away(ms(0), ms(0)), ms(500)).await;
    let undisturbed = undisturbed.all_ask(10).await;
    for _ in 0..20 {
        let team = Team::new(Trouble::Away(ms(1_000), ms(13_000)), ms(500)).await;
        let lost = team.all_ask(10).await - undisturbed - ms(12_000);
        let tally = team.server.tally();
        assert!(lost < Duration::from_secs(12), "{lost:?}");
        assert!(tally.refused < 20 + 20 + 8, "{tally:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_team_of_twenty_settles_near_a_limit_on_requests_at_once() {
    let team = Team::new(Trouble::AtOnce(5), ms(500)).await;
    let took = team.all_ask(10).await;
    let tally = team.server.tally();
    // 200 answers of half a second, five at a time.
    let ideal = ms(200 / 5 * 520);
    assert!(took < ideal * 11 / 10, "{took:?}");
    assert!(tally.refused * 10 <= tally.asked, "{tally:?}");
}

#[tokio::test(start_paused = true)]
async fn a_team_of_twenty_settles_near_a_limit_on_requests_in_a_second() {
    let most = 8.0;
    for latency in [20, 100, 500, 3_000] {
        for says in [SaysWhen::No, SaysWhen::Exactly, SaysWhen::Seconds] {
            let trouble = || Trouble::InASecond { most, says };
            for team in [
                Team::new(trouble(), ms(latency)).await,
                Team::silent(trouble(), ms(latency)).await,
            ] {
                let took = team.all_ask(20).await;
                let tally = team.server.tally();
                let ideal = Duration::from_secs_f64(400.0 / most).max(20 * ms(latency + 70));
                let case = format!("{latency} ms, {says:?}: {took:?} for {ideal:?}; {tally:?}");
                // Waits are random: it was 1.38 once, where members that all begin anew at once would take twice as long.
                assert!(took.as_secs_f64() < ideal.as_secs_f64() * 1.6, "{case}");
                assert!(tally.refused * 10 <= tally.asked, "{case}");
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_request_that_breaks_the_server_costs_nobody_else_anything() {
    let team = Team::new(Trouble::Always("m3"), ms(500)).await;
    let poisoned = tokio::spawn(team.call("m3").with_retries());
    let begun = Instant::now();
    let mut others = tokio::task::JoinSet::new();
    for number in 4..8 {
        let calls: Vec<_> = (0..20).map(|_| team.call(&format!("m{number}"))).collect();
        others.spawn(async move {
            for call in calls {
                call.with_retries().await.unwrap();
                tokio::time::sleep(Duration::from_secs(3)).await;
            }
        });
    }
    others.join_all().await;
    let ideal = ms(20 * 3_520);
    let lost = begun.elapsed() - ideal;
    assert!(lost < Duration::from_secs(4), "{lost:?}");
    let end = poisoned.await.unwrap().unwrap_err();
    assert!(end.what.contains("answered 500 (gave up after"), "{end}");
    // The last wait before the bound of 30 minutes is random.
    let whole_minutes = ["in 29 min;", "in 30 min;"];
    assert!(
        whole_minutes.iter().any(|time| end.what.contains(time)),
        "{end}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_answers_is_given_up_after_two_minutes() {
    let hour = Duration::from_secs(3_600);
    let retry = RetryLimits {
        unanswered: Duration::from_secs(120),
        ..RetryLimits::default()
    };
    let team = Team::with(retry, Trouble::Away(ms(0), hour), ms(500)).await;
    let begun = Instant::now();
    let mut members = tokio::task::JoinSet::new();
    for number in 0..20 {
        members.spawn(team.call(&format!("m{number}")).with_retries());
    }
    for end in members.join_all().await {
        let what = end.unwrap_err().what;
        let ending = "without one answer from this server; the conversation is kept). \
                      You can try again later, or give the server more time.";
        assert!(what.starts_with("cannot be reached (gave up"), "{what}");
        assert!(what.ends_with(ending), "{what}");
    }
    let took = begun.elapsed();
    assert!((110..=120).contains(&took.as_secs()), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_has_answered_is_waited_for() {
    let retry = RetryLimits {
        unanswered: Duration::from_secs(1),
        ..RetryLimits::default()
    };
    let minutes = ms(10 * 60 * 1_000);
    let team = Team::with(retry, Trouble::Away(ms(2_000), minutes), ms(500)).await;
    team.all_ask(10).await;
}
