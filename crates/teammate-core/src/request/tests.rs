//! The rules of requests as transcripts, and random traces against them.

use super::*;
use crate::{
    board::{Actor, NewTask, TaskAction, TaskCommand},
    breadth::OfferedRules,
    member::MemberOptions,
    mode::Mode,
    team::{Command, Spawn, TeamEvent, TeamState},
    tool::ToolNames,
    transcript::EndReason,
};

mod answers;
mod covered;
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
            device: None,
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
    fn task(&mut self) -> crate::id::TaskId {
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
