//! The rules of requests as transcripts, and random traces against them.

use super::*;
use crate::{
    board::{Actor, NewTask, TaskAction, TaskCommand},
    name::WorkerName,
    permission::{Mode, OfferedRules},
    team::{Command, MemberOptions, PlaceEvent, Spawn, TeamEvent, TeamState, Term},
    tool::ToolNames,
    transcript::EndReason,
};

mod ends;
mod lifts;
mod permission;
mod plans;
mod shutdown;
mod traces;
mod waits;

/// A team and the time.
struct Scene {
    team: TeamState,
    /// All that ever happened.
    journal: Vec<(TeamEvent, Timestamp)>,
    now: u64,
    calls: u32,
}

fn name(text: &str) -> MemberName {
    MemberName::parse(text).unwrap()
}

fn digest(of: &str) -> Digest {
    let mut bytes = [0; 32];
    for (at, byte) in of.bytes().enumerate() {
        bytes[at % 32] = bytes[at % 32] ^ byte ^ u8::try_from(at % 251).unwrap();
    }
    Digest::of_bytes(bytes)
}

impl Scene {
    /// A lead, alice and bob, both at work.
    fn new() -> Self {
        let mut scene = Self {
            team: TeamState::default(),
            journal: Vec::new(),
            now: 1_000,
            calls: 0,
        };
        let create = Command::Create {
            id: uuid::Uuid::from_u128(4),
            name: "default".into(),
        };
        scene.run(&create).unwrap();
        scene.spawn("alice", false, false).unwrap();
        scene.spawn("bob", false, false).unwrap();
        scene
    }

    fn run(&mut self, command: &Command) -> Result<usize, String> {
        let decided = self.team.decide(command).map_err(|no| no.to_string())?;
        for event in &decided.events {
            self.team.apply(event, Timestamp(self.now));
        }
        let at = Timestamp(self.now);
        let events = decided.events.iter().cloned();
        self.journal.extend(events.map(|event| (event, at)));
        Ok(decided.events.len())
    }

    /// The host ends; the team is folded anew from what is written.
    fn crash(&mut self) {
        let mut team = TeamState::default();
        for (event, at) in &self.journal {
            let text = serde_json::to_string(event).unwrap();
            team.apply(&serde_json::from_str(&text).unwrap(), *at);
        }
        assert_eq!(team, self.team);
    }

    fn ask(&mut self, command: RequestCommand) -> Result<usize, String> {
        self.run(&Command::Request(command))
    }

    fn call(&mut self) -> Cause {
        self.calls += 1;
        format!("call-{}", self.calls).into()
    }

    fn spawn(&mut self, who: &str, plan: bool, fresh: bool) -> Result<usize, String> {
        let spawn = Spawn {
            by: MemberName::lead(),
            call: self.call(),
            member: name(who),
            role: String::new(),
            prompt: "work".into(),
            options: MemberOptions {
                require_plan: plan,
                ..MemberOptions::default()
            },
            ceiling: Mode::Bypass,
            fresh,
        };
        self.run(&Command::Spawn(spawn))
    }

    fn life(&self, who: &str) -> Incarnation {
        self.team.member(&name(who)).unwrap().incarnation
    }

    fn party(&self, who: &str) -> Principal {
        match who {
            "user" => Principal::User,
            "rule" => Principal::System,
            who => Principal::member(&name(who), self.life(who)),
        }
    }

    fn rest(&mut self, who: &str) {
        let rest = Command::EndTurn {
            member: name(who),
            incarnation: self.life(who),
            why: EndReason::Done,
            turn: None,
            result: String::new(),
        };
        self.run(&rest).unwrap();
    }

    fn stop(&mut self, who: &str) -> Result<usize, String> {
        let (member, incarnation) = (name(who), self.life(who));
        self.run(&Command::Stop {
            member,
            incarnation,
        })
    }

    /// Opens a request; its id.
    fn open(&mut self, from: &str, kind: RequestPayload) -> Result<RequestId, String> {
        let (call, from) = (self.call(), self.party(from));
        self.ask(RequestCommand::Open {
            kind,
            from,
            call: call.clone(),
            deadline: Some(Timestamp(self.now + 30_000)),
            at: Timestamp(self.now),
        })?;
        Ok(self.team.requests().made_by(&call).unwrap().id)
    }

    fn shutdown(&mut self, from: &str, who: &str) -> Result<RequestId, String> {
        let ask = ShutdownRequest {
            member: name(who),
            incarnation: self.life(who),
            reason: String::new(),
            now: false,
        };
        self.open(from, RequestPayload::Shutdown(ask))
    }

    fn plan(&mut self, from: &str, text: &str, approver: Approver) -> Result<RequestId, String> {
        let plan = PlanRequest {
            text: text.into(),
            digest: digest(text),
            approver,
        };
        self.open(from, RequestPayload::Plan(plan))
    }

    fn permission(&mut self, from: &str, shows: &str, lead_may: bool) -> Result<RequestId, String> {
        let ask = PermissionRequest {
            tool: "bash".into(),
            shows: shows.into(),
            digest: digest(shows),
            rules: Box::new(OfferedRules {
                exact: Some(format!("bash(={shows})")),
                ..OfferedRules::default()
            }),
            lead_may,
            because: String::new(),
            touches: None,
        };
        self.open(from, RequestPayload::Permission(ask))
    }

    fn answer(&mut self, id: RequestId, by: &str, answer: Answer) -> Result<usize, String> {
        let by = self.party(by);
        self.answer_as(id, None, by, answer)
    }

    fn answer_as(
        &mut self,
        request: RequestId,
        expects: Option<RequestKind>,
        by: Principal,
        answer: Answer,
    ) -> Result<usize, String> {
        let at = Timestamp(self.now);
        self.ask(RequestCommand::Answer {
            request,
            expects,
            saw: None,
            by,
            answer,
            at,
        })
    }

    fn use_grant(&mut self, request: RequestId, who: &str, shows: &str) -> Result<usize, String> {
        let (member, incarnation) = (name(who), self.life(who));
        self.ask(RequestCommand::UseGrant {
            request,
            member,
            incarnation,
            digest: digest(shows),
        })
    }

    fn state(&self, id: RequestId) -> &'static str {
        self.team
            .requests()
            .get(id)
            .map_or("gone", |known| known.state.as_str())
    }

    /// A member hears the answer to its plan.
    fn hear(&mut self, who: &str) -> Result<usize, String> {
        let (member, incarnation) = (name(who), self.life(who));
        let gate = &self.team.member(&member).unwrap().gate;
        let request = gate.unheard().ok_or("there is nothing to hear")?;
        self.ask(RequestCommand::Heard {
            request,
            member,
            incarnation,
        })
    }

    /// A plan that is approved by the lead and heard.
    fn granted(&mut self, who: &str) -> RequestId {
        let plan = self.plan(who, "the plan", Approver::Lead).unwrap();
        self.answer(plan, "lead", Answer::yes()).unwrap();
        self.hear(who).unwrap();
        assert!(!self.is_gated(who), "{who} has no grant");
        plan
    }

    fn require_plan(&mut self, by: &str, who: &str) -> Result<usize, String> {
        let (member, by, call) = (name(who), self.party(by), self.call());
        self.ask(RequestCommand::RequirePlan { member, by, call })
    }

    fn lift_plan(&mut self, by: &str, who: &str) -> Result<usize, String> {
        let (member, by) = (name(who), self.party(by));
        self.ask(RequestCommand::LiftPlan { member, by })
    }

    /// A task that the lead puts on the board.
    fn task(&mut self) -> crate::board::TaskId {
        let call = self.call();
        let new = NewTask {
            call: call.clone(),
            subject: "x".into(),
            ..NewTask::default()
        };
        self.asks_board(Actor::User, TaskAction::Create(Box::new(new)))
            .unwrap();
        self.team.board().created_by(&call).unwrap()
    }

    fn asks_board(&mut self, by: Actor, ask: TaskAction) -> Result<usize, String> {
        self.run(&Command::Task(TaskCommand::Act {
            by,
            action: ask,
            verified: None,
        }))
    }

    fn by(&self, who: &str) -> Actor {
        Actor::Member(name(who), self.life(who))
    }

    fn turn_ends(&mut self, who: &str, why: EndReason) {
        self.now += 1;
        let rest = Command::EndTurn {
            member: name(who),
            incarnation: self.life(who),
            why,
            turn: Some(self.now),
            result: String::new(),
        };
        self.run(&rest).unwrap();
    }

    fn is_gated(&self, who: &str) -> bool {
        self.team.member(&name(who)).unwrap().gate.is_closed()
    }

    fn tell(&mut self, request: RequestId) {
        self.ask(RequestCommand::MarkNotified { request }).unwrap();
    }
}

#[test]
fn ids_count_up_and_read_back() {
    let mut scene = Scene::new();
    let first = scene.shutdown("lead", "alice").unwrap();
    let second = scene.permission("bob", "make", false).unwrap();
    assert_eq!(
        (first.to_string(), second.to_string()),
        ("req_000001".into(), "req_000002".into())
    );
    for text in ["req_000002", "req_2", "2", " req_000002 "] {
        assert_eq!(text.parse::<RequestId>().unwrap(), second, "{text}");
    }
    for text in [
        "",
        "0",
        "req_",
        "req_-1",
        "req_1x",
        "+1",
        "../1",
        "req_\u{1b}[2J",
    ] {
        let error = text.parse::<RequestId>().unwrap_err().to_string();
        assert!(!error.contains('\u{1b}'), "{error}");
    }
}

#[test]
fn the_same_call_asks_once() {
    let mut scene = Scene::new();
    let ask = RequestCommand::Open {
        kind: RequestPayload::Shutdown(ShutdownRequest {
            member: name("alice"),
            incarnation: Incarnation::FIRST,
            reason: String::new(),
            now: false,
        }),
        from: scene.party("lead"),
        call: "c".into(),
        deadline: None,
        at: Timestamp(1),
    };
    assert_eq!(scene.ask(ask.clone()), Ok(1));
    assert_eq!(scene.ask(ask), Ok(0));
    assert_eq!(scene.team.requests().pending().count(), 1);
}

#[test]
fn an_answer_before_its_request_is_unknown_and_one_from_long_ago_is_settled() {
    let mut scene = Scene::new();
    let early = scene.answer(RequestId::new(1), "user", Answer::yes());
    assert_eq!(
        early.unwrap_err(),
        "there is no request req_000001; no request is open"
    );
    for _ in 0..70 {
        let id = scene.permission("bob", "make", false).unwrap();
        scene.answer(id, "user", Answer::no("")).unwrap();
    }
    let open = scene.permission("bob", "make", false).unwrap();
    let late = scene.answer(RequestId::new(1), "user", Answer::yes());
    assert_eq!(
        late.unwrap_err(),
        format!("req_000001 is already settled (long ago); open: {open} (permission)")
    );
}

#[test]
fn the_first_answer_counts() {
    for (first, second, state) in [
        (Answer::yes(), Answer::no("x"), "approved"),
        (Answer::no("x"), Answer::yes(), "rejected"),
        (Answer::yes(), Answer::yes(), "approved"),
    ] {
        let mut scene = Scene::new();
        let id = scene.permission("bob", "make", false).unwrap();
        scene.answer(id, "user", first).unwrap();
        let again = scene.answer(id, "user", second).unwrap_err();
        assert!(again.contains("is already settled"), "{again}");
        assert_eq!(scene.state(id), state);
    }
}

#[test]
fn where_workers_run_the_team_an_answer_counts_until_somebody_has_said_that_it_is_late() {
    let mut scene = Scene::new();
    let placed = TeamEvent::Place(PlaceEvent::Placed {
        member: name("bob"),
        worker: WorkerName::parse("w1").unwrap(),
        term: Term::FIRST,
    });
    scene.team.apply(&placed, Timestamp(scene.now));
    let [first, second] =
        ["make", "make all"].map(|what| scene.permission("bob", what, false).unwrap());
    // The clock of the one who answers is ten minutes ahead.
    scene.now += 600_000;
    scene.answer(first, "user", Answer::yes()).unwrap();
    let expire = RequestCommand::Expire {
        request: second,
        at: Timestamp(scene.now),
    };
    assert_eq!(scene.ask(expire), Ok(1));
    let late = scene.answer(second, "user", Answer::yes());
    assert!(late.is_err(), "{late:?}");
}

#[test]
fn an_answer_after_the_deadline_counts_for_nothing() {
    let mut scene = Scene::new();
    let id = scene.permission("bob", "make", false).unwrap();
    let expire = |scene: &Scene| RequestCommand::Expire {
        request: id,
        at: Timestamp(scene.now),
    };
    assert_eq!(scene.ask(expire(&scene)), Ok(0), "before its time");
    scene.now += 30_000;
    let late = scene.answer(id, "user", Answer::yes()).unwrap_err();
    assert!(late.contains("has expired"), "{late}");
    assert_eq!(scene.ask(expire(&scene)), Ok(1));
    assert_eq!(scene.ask(expire(&scene)), Ok(0));
    assert_eq!(scene.state(id), "expired");
}

#[test]
fn an_answer_of_the_wrong_kind_counts_for_nothing() {
    let mut scene = Scene::new();
    let shutdown = scene.shutdown("lead", "alice").unwrap();
    let lead = scene.party("lead");
    // A review of a plan with the id of a shutdown.
    let wrong = scene.answer_as(shutdown, Some(RequestKind::Plan), lead, Answer::yes());
    assert_eq!(
        wrong.unwrap_err(),
        "req_000001 is a request for shutdown, not for plan; open: req_000001 (shutdown)"
    );
    assert_eq!(scene.state(shutdown), "pending");
}

#[test]
fn every_state_survives_a_restart() {
    let mut scene = Scene::new();
    let pending = scene.plan("alice", "p", Approver::User).unwrap();
    let granted = scene.permission("bob", "make", true).unwrap();
    scene.answer(granted, "lead", Answer::yes()).unwrap();
    let rejected = scene.shutdown("lead", "bob").unwrap();
    scene.answer(rejected, "bob", Answer::no("later")).unwrap();
    let expired = scene.permission("bob", "b", false).unwrap();
    scene.now += 60_000;
    let at = Timestamp(scene.now);
    scene
        .ask(RequestCommand::Expire {
            request: expired,
            at,
        })
        .unwrap();
    scene.crash();
    let states = [pending, granted, rejected, expired].map(|id| scene.state(id));
    assert_eq!(states, ["pending", "approved", "rejected", "expired"]);
    scene.use_grant(granted, "bob", "make").unwrap();
    scene.crash();
    assert!(
        scene.use_grant(granted, "bob", "make").is_err(),
        "replayed after a restart"
    );
}

#[test]
fn a_life_that_ends_takes_its_requests_with_it() {
    let mut scene = Scene::new();
    let plan = scene.plan("alice", "p", Approver::Lead).unwrap();
    let question = scene.permission("alice", "make", false).unwrap();
    let granted = scene.permission("alice", "make b", false).unwrap();
    scene.answer(granted, "user", Answer::yes()).unwrap();
    let others = scene.permission("bob", "make", false).unwrap();
    let shutdown = scene.shutdown("lead", "alice").unwrap();
    scene.stop("alice").unwrap();
    for id in [plan, question, granted, shutdown] {
        assert_eq!(scene.state(id), "cancelled", "{id}");
    }
    assert_eq!(scene.state(others), "pending");
    scene.spawn("alice", false, true).unwrap();
    let replayed = scene.use_grant(granted, "alice", "make b").unwrap_err();
    assert!(replayed.contains("it was not given"), "{replayed}");
}
