//! Ten thousand random traces: duplicated, late, re-ordered, crashed. Nothing takes effect before a grant that matches.

use std::cell::Cell;

use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};

use super::*;

const WHO: [&str; 3] = ["alice", "bob", "cora"];

/// One thing that happens, or is tried.
#[derive(Debug, Clone)]
enum Step {
    Spawn {
        who: usize,
        plan: bool,
        fresh: bool,
    },
    Rest {
        who: usize,
    },
    Stop {
        who: usize,
    },
    RequirePlan {
        who: usize,
    },
    Submit {
        who: usize,
        text: u8,
    },
    Ask {
        who: usize,
        text: u8,
    },
    /// An answer that may come twice, to anything, from anybody, in any life, of any kind.
    Answer {
        id: u64,
        by: u8,
        life: u32,
        expects: u8,
        yes: bool,
    },
    /// A member tries to do something; with this grant, if it has to ask.
    Write {
        who: usize,
        text: u8,
        grant: u64,
        life: u32,
        fits: bool,
    },
    Wait,
    Expire {
        id: u64,
    },
    /// The host ends, and the journal is read again.
    Crash,
}

fn step() -> impl Strategy<Value = Step> {
    let who = 0..WHO.len();
    prop_oneof![
        2 => (who.clone(), any::<bool>(), any::<bool>()).prop_map(|(who, plan, fresh)| Step::Spawn { who, plan, fresh }),
        1 => who.clone().prop_map(|who| Step::Rest { who }),
        1 => who.clone().prop_map(|who| Step::Stop { who }),
        1 => who.clone().prop_map(|who| Step::RequirePlan { who }),
        4 => (who.clone(), 0..3_u8).prop_map(|(who, text)| Step::Submit { who, text }),
        4 => (who.clone(), 0..3_u8).prop_map(|(who, text)| Step::Ask { who, text }),
        8 => (1..9_u64, 0..6_u8, 1..4_u32, 0..4_u8, any::<bool>())
            .prop_map(|(id, by, life, expects, yes)| Step::Answer { id, by, life, expects, yes }),
        8 => (who, 0..3_u8, 1..9_u64, 1..4_u32, any::<bool>())
            .prop_map(|(who, text, grant, life, fits)| Step::Write { who, text, grant, life, fits }),
        1 => Just(Step::Wait),
        1 => (1..9_u64).prop_map(|id| Step::Expire { id }),
        1 => Just(Step::Crash),
    ]
}

/// What the rules come to, kept in another way: by looking at the answers themselves.
#[derive(Default)]
struct Watcher {
    /// (who, life): wants a plan; the last one submitted; whether that one was approved by one who may.
    plans: std::collections::BTreeMap<(String, u32), Duty>,
    /// Grants given and not used: request -> (who, life, text).
    grants: std::collections::BTreeMap<u64, (String, u32, u8)>,
    asked: std::collections::BTreeMap<u64, (String, u32, u8)>,
    written: u32,
    used: u32,
    refused: u32,
}

#[derive(Default)]
struct Duty {
    wanted: bool,
    last: Option<u64>,
    approved: Option<u64>,
}

#[test]
fn nothing_takes_effect_before_its_grant() {
    let (written, used, refused) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let config = Config {
        cases: 10_000,
        failure_persistence: None,
        ..Config::default()
    };
    let traces = prop::collection::vec(step(), 1..30);
    let ended = TestRunner::new(config).run(&traces, |steps| {
        let mut scene = Scene::new();
        let mut watcher = Watcher::default();
        for step in steps {
            take(&mut scene, &mut watcher, &step);
        }
        written.set(written.get() + watcher.written);
        used.set(used.get() + watcher.used);
        refused.set(refused.get() + watcher.refused);
        Ok(())
    });
    // The runner's message holds the shortest trace that fails: replaying it is pasting it.
    ended.unwrap_or_else(|failed| panic!("{failed}"));
    assert!(
        written.get() > 100 && refused.get() > 1_000,
        "the traces tried too little"
    );
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
            let before = life_of(scene, who);
            let was_gated = before > 0 && scene.is_gated(who);
            if scene.spawn(who, plan, fresh).is_ok() {
                let duty = Duty {
                    wanted: plan || (was_gated && !fresh),
                    ..Duty::default()
                };
                watcher.plans.insert((who.into(), before + 1), duty);
                watcher.grants.retain(|_, (owner, ..)| owner != who);
            }
        }
        Step::Rest { who } => {
            let life = life_of(scene, WHO[who]);
            // Refused for the stopped and the unknown.
            let _ = scene.run(&Command::Rest {
                member: name(WHO[who]),
                incarnation: Incarnation(life),
                why: RestReason::Done,
                turn: None,
                result: String::new(),
            });
        }
        Step::Stop { who } => {
            if life_of(scene, WHO[who]) > 0 && scene.stop(WHO[who]).is_ok() {
                watcher.grants.retain(|_, (owner, ..)| owner != WHO[who]);
            }
        }
        Step::RequirePlan { who } => {
            let (member, by, call) = (name(WHO[who]), scene.party("lead"), scene.call());
            if scene
                .ask(RequestCommand::RequirePlan { member, by, call })
                .is_ok()
            {
                let life = life_of(scene, WHO[who]);
                let duty = watcher.plans.entry((WHO[who].into(), life)).or_default();
                duty.wanted = true;
                duty.approved = None;
            }
        }
        Step::Submit { who, text } => {
            let life = life_of(scene, WHO[who]);
            if life > 0
                && let Ok(id) = scene.plan(WHO[who], &text.to_string(), Approver::Lead)
            {
                let duty = watcher.plans.entry((WHO[who].into(), life)).or_default();
                duty.wanted = true;
                duty.last = Some(id.number());
                duty.approved = None;
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
        Step::Answer {
            id,
            by,
            life,
            expects,
            yes,
        } => answer(scene, watcher, id, by, life, expects, yes),
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
        0 => Party::User,
        1 => Party::System,
        2 => Party::member(&MemberName::lead(), Incarnation(life)),
        other => Party::member(&name(WHO[usize::from(other) - 3]), Incarnation(life)),
    };
    let expects = [
        None,
        Some(KindName::Plan),
        Some(KindName::Permission),
        Some(KindName::Shutdown),
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
    let leads = party == Party::User || party == scene.party("lead");
    if let Some((who, life, text)) = watcher.asked.get(&id) {
        assert!(
            leads && (party == Party::User || *text == 0),
            "{party} allowed {text}"
        );
        watcher.grants.insert(id, (who.clone(), *life, *text));
    } else {
        assert!(leads, "{party} approved a plan");
        for duty in watcher
            .plans
            .values_mut()
            .filter(|duty| duty.last == Some(id))
        {
            duty.approved = Some(id);
        }
    }
}

/// What the dispatcher does: the gate, the grant, then the effect.
fn write(scene: &mut Scene, watcher: &mut Watcher, who: &str, text: u8, grant: u64, life: u32) {
    let Some(member) = scene.team.member(&name(who)) else {
        return;
    };
    let is_current = member.incarnation.0 == life;
    if is_current && member.gate.refusal().is_none() {
        let duty = watcher.plans.get(&(who.to_owned(), life));
        let may = duty.is_none_or(|duty| {
            !duty.wanted || (duty.approved.is_some() && duty.approved == duty.last)
        });
        assert!(may, "{who} could write without an approved plan");
        watcher.written += 1;
    } else {
        watcher.refused += 1;
    }
    let used = scene.ask(RequestCommand::Use {
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
        watcher.used += 1;
    }
}
