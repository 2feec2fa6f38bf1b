//! Ten thousand random traces: duplicated, late, re-ordered, crashed. Nothing takes effect before a grant that matches, nor
//! after the work that it was for.
//!
//! The seed is the same each time, so that what the traces try does not depend on chance; `TEAMMATE_SEED=7` plays another.

use std::cell::Cell;

use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use super::*;
use crate::{
    id::TaskId,
    member::MemberPhase,
    request::{Plan, PlanGate, Requirer},
};

mod step;
mod watcher;

use step::{Asks, LIFTERS, Step, step};
use watcher::{Past, Story};

const WHO: [&str; 3] = ["alice", "bob", "cora"];

/// What the rules come to, kept in another way.
#[derive(Default)]
struct Watcher {
    stories: std::collections::BTreeMap<String, Story>,
    /// Who submitted which plan, in which incarnation.
    plans: std::collections::BTreeMap<u64, (String, u32)>,
    /// Grants given and not used: request -> (who, life, text).
    grants: std::collections::BTreeMap<u64, (String, u32, u8)>,
    asked: std::collections::BTreeMap<u64, (String, u32, u8)>,
    counts: Counts,
}

/// What a trace tried.
#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    /// Written under an approved plan; without one that was required.
    granted: u32,
    free: u32,
    used: u32,
    refused: u32,
    /// Refused because an approved plan was over.
    over: u32,
    claimed: u32,
    lifted: u32,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.granted += other.granted;
        self.free += other.free;
        self.used += other.used;
        self.refused += other.refused;
        self.over += other.over;
        self.claimed += other.claimed;
        self.lifted += other.lifted;
    }
}

impl Watcher {
    fn story(&mut self, who: &str) -> &mut Story {
        self.stories.entry(who.to_owned()).or_default()
    }
}

// slow: many random traces
#[test]
fn nothing_takes_effect_before_its_grant() {
    let all = Cell::new(Counts::default());
    let config = Config {
        cases: 10_000,
        failure_persistence: None,
        ..Config::default()
    };
    let seed = std::env::var("TEAMMATE_SEED").ok();
    let seed = seed.map_or(0, |seed| seed.parse::<u64>().unwrap());
    println!("TEAMMATE_SEED={seed}");
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let traces = prop::collection::vec(step(), 1..40);
    let ended = TestRunner::new_with_rng(config, rng).run(&traces, |steps| {
        let mut scene = Scene::new();
        let mut watcher = Watcher::default();
        for step in steps {
            let before = WHO.map(|who| held(&scene, who));
            take(&mut scene, &mut watcher, &step);
            for (who, before) in WHO.into_iter().zip(before) {
                if let Some(task) = before.filter(|before| held(&scene, who) != Some(*before)) {
                    watcher.story(who).happens(Past::Lost(task));
                }
            }
            agree(&scene, &watcher);
        }
        let mut sum = all.get();
        sum.add(watcher.counts);
        all.set(sum);
        Ok(())
    });
    // The runner's message holds the shortest trace that fails: replaying it is pasting it.
    ended.unwrap_or_else(|failed| panic!("TEAMMATE_SEED={seed}: {failed}"));
    let all = all.get();
    let is_enough = all.granted > 1_000
        && all.free > 1_000
        && all.used > 100
        && all.refused > 5_000
        && all.over > 200
        && all.claimed > 150
        && all.lifted > 300;
    assert!(is_enough, "the traces tried too little: {all:?}");
}

fn held(scene: &Scene, who: &str) -> Option<TaskId> {
    let task = scene.team.board().task_of(&name(who));
    task.map(|task| task.id)
}

/// The gates and their requirers are as the watchers expect.
fn agree(scene: &Scene, watcher: &Watcher) {
    for (who, story) in &watcher.stories {
        let Some(member) = scene.team.member(&name(who)) else {
            continue;
        };
        assert_eq!(
            !member.gate.is_closed(),
            story.may_write(),
            "{who}: {story:?}"
        );
        let by_user = member.gate.required_by().map(|by| by == Requirer::User);
        assert_eq!(by_user, story.required(), "{who}: {story:?}");
    }
}

fn take(scene: &mut Scene, watcher: &mut Watcher, step: &Step) {
    let life_of = |scene: &Scene, who: &str| {
        scene
            .team
            .member(&name(who))
            .map_or(0, |member| member.incarnation.0)
    };
    match *step {
        Step::Spawn { who, plan, fresh } => {
            let who = WHO[who];
            let is_stopped = scene
                .team
                .member(&name(who))
                .is_some_and(|member| member.phase == MemberPhase::Stopped);
            if scene.spawn(who, plan, fresh).is_ok() {
                let story = watcher.story(who);
                assert!(is_stopped || !story.is_to_hear(), "{who} knows nothing");
                story.happens(Past::Spawned { fresh });
                if plan {
                    story.happens(Past::Required { by_user: false });
                }
                watcher.grants.retain(|_, (owner, ..)| owner != who);
            }
        }
        Step::Rest { who, ref why } => {
            let who = WHO[who];
            let life = life_of(scene, who);
            // Refused for the stopped and the unknown; the same rest again is nothing new.
            let rested = scene.run(&Command::EndTurn {
                member: name(who),
                incarnation: Incarnation(life),
                why: why.clone(),
                turn: None,
                result: String::new(),
            });
            if rested.is_ok_and(|events| events > 0) && *why == EndReason::Done {
                watcher.story(who).happens(Past::Result);
            }
        }
        Step::Stop { who } => {
            let who = WHO[who];
            if life_of(scene, who) > 0 && scene.stop(who).is_ok_and(|events| events > 0) {
                watcher.story(who).happens(Past::Stopped);
                watcher.grants.retain(|_, (owner, ..)| owner != who);
            }
        }
        Step::Create => drop(scene.task()),
        Step::Board { who, task, asks } => board(scene, watcher, WHO[who], task, asks),
        Step::Take { who } => {
            let (who, life) = (WHO[who], life_of(scene, WHO[who]));
            let take = TaskCommand::ClaimNext(name(who), Incarnation(life));
            if scene
                .run(&Command::Task(take))
                .is_ok_and(|events| events > 0)
            {
                has_claimed(watcher, who);
                assert!(watcher.story(who).required().is_none(), "{who} took a task");
            }
        }
        Step::Hear { who } => {
            let who = WHO[who];
            if life_of(scene, who) > 0 && scene.hear(who).is_ok() {
                watcher.story(who).happens(Past::Heard);
            }
        }
        Step::RequirePlan { who, by_user } => {
            let by = if by_user { "user" } else { "lead" };
            if scene.require_plan(by, WHO[who]).is_ok() {
                watcher.story(WHO[who]).happens(Past::Required { by_user });
            }
        }
        Step::Lift { who, by } => {
            let (who, by) = (WHO[who], LIFTERS[by]);
            if scene.lift_plan(by, who).is_ok_and(|events| events > 0) {
                assert!(
                    by == "user" || (by == "lead" && watcher.story(who).required() != Some(true))
                );
                watcher.story(who).happens(Past::Lifted);
                watcher.counts.lifted += 1;
            }
        }
        Step::Submit { who, text } => {
            let (who, life) = (WHO[who], life_of(scene, WHO[who]));
            let task = held(scene, who);
            if life > 0
                && let Ok(id) = scene.plan(who, &text.to_string(), Approver::Lead)
            {
                let id = id.number();
                watcher.story(who).happens(Past::Submitted { id, task });
                watcher.plans.insert(id, (who.into(), life));
            }
        }
        Step::Ask { who, text } => {
            let life = life_of(scene, WHO[who]);
            if life > 0
                && let Ok(id) = scene.permission(WHO[who], &text.to_string(), text == 0)
            {
                watcher
                    .asked
                    .insert(id.number(), (WHO[who].into(), life, text));
            }
        }
        Step::Grant { who } => {
            take(scene, watcher, &Step::Submit { who, text: 0 });
            let team = &scene.team;
            let gate = team.member(&name(WHO[who])).map(|member| &member.gate);
            if let Some(id) = gate.and_then(PlanGate::pending_request) {
                answer(scene, watcher, id.number(), 2, 1, 1, true);
            }
            take(scene, watcher, &Step::Hear { who });
        }
        Step::Through { who } => {
            let (by_user, why) = (false, EndReason::Done);
            take(scene, watcher, &Step::RequirePlan { who, by_user });
            take(scene, watcher, &Step::Grant { who });
            take(scene, watcher, &Step::WriteNow { who });
            take(scene, watcher, &Step::Rest { who, why });
            take(scene, watcher, &Step::WriteNow { who });
        }
        Step::Allow { who, text } => {
            let before = watcher.asked.len();
            take(scene, watcher, &Step::Ask { who, text });
            if watcher.asked.len() > before
                && let Some((&id, &(_, life, _))) = watcher.asked.last_key_value()
            {
                answer(scene, watcher, id, 0, life, 2, true);
                write(scene, watcher, WHO[who], text, id, life);
            }
        }
        Step::Answer {
            id,
            by,
            life,
            expects,
            yes,
        } => answer(scene, watcher, id, by, life, expects, yes),
        Step::WriteNow { who } => {
            let (who, life) = (WHO[who], life_of(scene, WHO[who]));
            write(scene, watcher, who, 0, 99, life);
        }
        Step::Write {
            who,
            text,
            grant,
            life,
            fits,
        } => match watcher.asked.get(&grant).cloned() {
            // The very thing that was asked for.
            Some((who, life, text)) if fits => write(scene, watcher, &who, text, grant, life),
            Some(_) | None => write(scene, watcher, WHO[who], text, grant, life),
        },
        Step::Wait => scene.now += 10_000,
        Step::Expire { id } => {
            let (request, at) = (RequestId::new(id), Timestamp(scene.now));
            // Refused if there is no such request.
            let _ = scene.ask(RequestCommand::Expire { request, at });
        }
        Step::Crash => scene.crash(),
    }
}

/// The task that is meant: mostly one that is there.
fn board(scene: &mut Scene, watcher: &mut Watcher, who: &str, task: usize, asks: Asks) {
    let Some(task) = scene.team.board().tasks().nth(task).map(|task| task.id) else {
        return;
    };
    if scene.team.member(&name(who)).is_none() {
        return;
    }
    let (by, why) = (scene.by(who), String::from("why"));
    let asked = match asks {
        Asks::Claim => scene.asks_board(by, TaskAction::Claim(task)),
        Asks::Complete => scene.asks_board(by, TaskAction::Complete(task, why)),
        Asks::GiveBack => scene.asks_board(by, TaskAction::Release(task, why)),
        Asks::GiveUp => scene.asks_board(by, TaskAction::Fail(task, why)),
        Asks::Assign => scene.asks_board(Actor::User, TaskAction::Assign(task, name(who))),
        Asks::Reopen => scene.asks_board(Actor::User, TaskAction::Reopen(task, why)),
    };
    let has_changed = asked.is_ok_and(|events| events > 0);
    match asks {
        Asks::Claim if has_changed => has_claimed(watcher, who),
        Asks::Complete if has_changed => {
            assert!(watcher.story(who).may_write(), "{who} completed {task}");
        }
        Asks::Claim | Asks::Complete => {}
        Asks::GiveBack | Asks::GiveUp | Asks::Assign | Asks::Reopen => {}
    }
}

fn has_claimed(watcher: &mut Watcher, who: &str) {
    let story = watcher.story(who);
    assert!(story.may_write(), "{who} claims with a closed gate");
    assert!(!story.is_to_hear(), "{who} claims before it hears");
    story.happens(Past::Claimed);
    watcher.counts.claimed += 1;
}

fn answer(
    scene: &mut Scene,
    watcher: &mut Watcher,
    id: u64,
    by: u8,
    life: u32,
    expects: u8,
    yes: bool,
) {
    let party = match by {
        0 => Principal::User,
        1 => Principal::System,
        2 => Principal::member(&MemberName::lead(), Incarnation(life)),
        other => Principal::member(&name(WHO[usize::from(other) - 3]), Incarnation(life)),
    };
    let expects = [
        None,
        Some(RequestKind::Plan),
        Some(RequestKind::Permission),
        Some(RequestKind::Shutdown),
    ][usize::from(expects)];
    let said = if yes {
        Answer::yes()
    } else {
        Answer::no("why")
    };
    let request = RequestId::new(id);
    if scene
        .answer_as(request, expects, party.clone(), said)
        .is_err()
        || !yes
    {
        return;
    }
    let leads = party == Principal::User || party == scene.party("lead");
    if let Some((who, life, text)) = watcher.asked.get(&id) {
        assert!(
            leads && (party == Principal::User || *text == 0),
            "{party} allowed {text}"
        );
        watcher.grants.insert(id, (who.clone(), *life, *text));
    } else {
        assert!(leads, "{party} approved a plan");
        if let Some((who, _)) = watcher.plans.get(&id).cloned() {
            watcher.story(&who).happens(Past::Approved { id });
        }
    }
}

/// What the dispatcher does: the gate, the grant, then the effect.
fn write(scene: &mut Scene, watcher: &mut Watcher, who: &str, text: u8, grant: u64, life: u32) {
    let Some(member) = scene.team.member(&name(who)) else {
        return;
    };
    let is_current = member.incarnation.0 == life;
    let member_gate = member.gate.clone();
    if is_current && member_gate.refusal().is_none() {
        let story = watcher.story(who);
        assert!(
            story.may_write(),
            "{who} could write without an approved plan"
        );
        match story.has_grant() {
            true => watcher.counts.granted += 1,
            false => watcher.counts.free += 1,
        }
    } else {
        watcher.counts.refused += 1;
        let is_over = matches!(
            &member_gate,
            PlanGate::Closed {
                plan: Plan::Wanted { ended: Some(_) },
                ..
            }
        );
        watcher.counts.over += u32::from(is_current && is_over);
    }
    let used = scene.ask(RequestCommand::UseGrant {
        request: RequestId::new(grant),
        member: name(who),
        incarnation: Incarnation(life),
        digest: digest(&text.to_string()),
    });
    let has_grant = watcher.grants.get(&grant) == Some(&(who.to_owned(), life, text));
    assert_eq!(
        used.is_ok(),
        has_grant && is_current,
        "{who} {life} {text} with {grant}: {used:?}"
    );
    if used.is_ok() {
        watcher.grants.remove(&grant);
        watcher.counts.used += 1;
    }
}
