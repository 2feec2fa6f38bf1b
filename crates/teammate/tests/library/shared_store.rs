//! A team in a store that is no file: one process runs it, another uses every verb of [`TeamClient`], and it is closed and opened
//! again on what the store kept. Nothing of it is in the team's directory.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

pub(crate) mod world;

use std::time::Duration;

use teammate::{
    Effort, HostError, MemberName, Mode, StopOutcome, TeamError,
    board::{NewTask, TaskAction, TaskId},
    handle::{
        ActOnTask, AnswerRequest, ChooseMode, ChooseModel, Clear, Compact, Interrupt, LiftPlan,
        Recall, RequirePlan, Say,
    },
    purge::KeepFor,
    request::Answer,
    schedules::{MissedRuns, ScheduledWork},
};

use world::{World, happenings, is_in};

/// Long enough for everything: nothing waits for it.
const WITHIN: Duration = Duration::from_secs(60);

fn name(text: &str) -> MemberName {
    MemberName::parse(text).unwrap()
}

fn task(subject: &str) -> TaskAction {
    TaskAction::Create(Box::new(NewTask {
        subject: subject.to_owned(),
        ..NewTask::default()
    }))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_team_is_found_again_by_another_process_and_by_the_next_host() {
    let world = World::new();
    let nobody = world.look().await;
    assert!(matches!(nobody, Err(TeamError::NoTeam(_))));

    let team = world.open().await;
    let said = team.run("Tell bob.").await.unwrap();
    assert_eq!(said.text, "Done.");
    let outside = world.look().await.unwrap();
    assert_eq!(outside.host_process(), Some(std::process::id()));
    assert_eq!(outside.team().members().count(), 2);
    assert_eq!(**outside.team(), **team.look().await.unwrap().team());
    // There is one host, whichever process asks.
    let second = world.try_open().await;
    assert!(matches!(
        second.err(),
        Some(TeamError::Host(HostError::Running(_)))
    ));
    team.close().await;

    assert_eq!(world.look().await.unwrap().host(), None);
    let team = world.open().await;
    let said = team.run("What did you do?").await.unwrap();
    assert_eq!(said.text, "I told bob.");
    assert_eq!(team.roster().len(), 2);
    team.close().await;
    for file in [
        "journal.jsonl",
        "events.jsonl",
        "agents/lead",
        "inbox/lead.jsonl",
    ] {
        assert!(!is_in(&world, file), "{file}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_process_reads_everything_and_hears_of_what_is_new() {
    let world = World::new();
    let team = world.open().await;
    let outside = world.look().await.unwrap();
    let mut history = outside.history();
    let bell = history.watch();
    team.run("Tell bob.").await.unwrap();
    bell.changed().await;
    team.close().await;
    let (records, events) = happenings(&mut history).await;
    assert!(records > 3 && events > 3, "{records}, {events}");

    // The numbers of events go on over the next opening, without a hole.
    let team = world.open().await;
    team.run("What did you do?").await.unwrap();
    team.close().await;
    let client = world.look().await.unwrap();
    world::assert_numbered(&mut client.history()).await;

    let (lead, bob) = (MemberName::lead(), client.member("bob").unwrap());
    assert!(client.spending().await.unwrap().sum().requests > 2);
    let result = client.last_result(&lead).await.unwrap().unwrap();
    assert_eq!(result.text, "I told bob.");
    let first = client.conversations().await.unwrap().remove(0);
    assert_eq!(first.prompt.as_deref(), Some("Tell bob."));
    assert_eq!(client.inbox(&bob).await.unwrap(), []);
    assert_eq!(client.who_cannot_be_opened().await, []);
    assert!(!client.is_paused() && client.jobs(&bob).next().is_none());
    assert!(client.unaddressed_mail().is_empty() && client.git_locks().is_empty());
    assert!(client.damaged().is_empty() && client.warnings().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn another_process_gives_orders_to_the_one_that_runs_the_team() {
    let world = World::new();
    let team = world.open().await;
    team.run("Tell bob.").await.unwrap();
    let mut client = world.look().await.unwrap();
    let (lead, bob) = (MemberName::lead(), name("bob"));

    // Mail that is sent outside wakes the member inside.
    client
        .ask(Say::to("lead", "What did you do?"))
        .await
        .unwrap();
    let mut follower = client.follow().await.unwrap();
    while !world::has_said(follower.client(), "I told bob.").await {
        follower.changed().await.unwrap();
    }
    let mut client = follower.into_client();
    team.wait_idle().await;

    client.ask(Interrupt { member: None }).await.unwrap();
    client.ask(ChooseMode(Mode::Ask)).await.unwrap();
    assert_eq!(team.mode(), Mode::Ask);
    let choose = |model, effort| ChooseModel {
        member: bob.clone(),
        model,
        effort,
    };
    let low = choose(None, Some(Effort::Low));
    client.ask(low).await.unwrap();
    let model = choose(Some(world.model()), None);
    client.ask(model).await.unwrap();
    let compact = Compact {
        member: lead.clone(),
        focus: Some("lamps".to_owned()),
    };
    client.ask(compact).await.unwrap();
    let nothing = client.ask(Recall { mail: None }).await;
    assert!(matches!(nothing, Err(TeamError::Refused(_))));

    // A question inside is answered outside.
    client.ask(Say::to("lead", "Write")).await.unwrap();
    let mut follower = client.follow().await.unwrap();
    while follower.client().requests().is_empty() {
        follower.changed().await.unwrap();
    }
    let mut client = follower.into_client();
    let question = client.requests().remove(0);
    let answer = AnswerRequest {
        request: question.id,
        saw: None,
        answer: Answer::no("not now"),
        device: None,
    };
    client.ask(answer).await.unwrap();
    team.wait_done().await;
    assert!(team.questions().is_empty());
    team.wait_idle().await;
    client.ask(Clear).await.unwrap();

    let member = bob.clone();
    let require = RequirePlan {
        member: member.clone(),
        about: "the lamp".to_owned(),
    };
    client.ask(require).await.unwrap();
    client.ask(LiftPlan { member }).await.unwrap();
    team.wait_idle().await;
    let stopped = client.stop(&bob, WITHIN).await.unwrap();
    assert!(matches!(stopped, StopOutcome::Member { .. }), "{stopped:?}");
    let closing = team.close_requested();
    let (stopped, _) = tokio::join!(client.stop(&lead, WITHIN), async {
        closing.await;
        team.close().await
    });
    assert!(matches!(stopped.unwrap(), StopOutcome::Team { .. }));
    assert_eq!(client.host(), None);
    let refused = client.ask(Interrupt { member: None }).await;
    assert!(matches!(refused, Err(TeamError::NotRunning)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_team_that_nobody_runs_is_changed_by_another_process() {
    let world = World::new();
    let team = world.open().await;
    team.run("Tell bob.").await.unwrap();
    team.close().await;
    let mut client = world.look().await.unwrap();
    let bob = name("bob");

    let made = client.ask(ActOnTask(task("Trim the wick"))).await.unwrap();
    let id: TaskId = made.task.id;
    let assign = ActOnTask(TaskAction::Assign(id, bob.clone()));
    client.ask(assign).await.unwrap();
    assert_eq!(client.tasks().len(), 1);
    assert_eq!(client.task(id).await.unwrap().task.subject, "Trim the wick");
    assert!(client.uncommitted(id).await.is_empty());
    let delete = ActOnTask(TaskAction::Delete(id));
    client.ask(delete).await.unwrap();
    assert_eq!((client.tasks().len(), client.all_tasks().len()), (0, 1));

    let say = ScheduledWork::Say {
        to: bob.clone(),
        text: "Look at the lamp".to_owned(),
    };
    let schedule = client.add_schedule("0 9 * * *", say, MissedRuns::Skip);
    let schedule = schedule.await.unwrap();
    client.pause_schedule(schedule).await.unwrap();
    client.resume_schedule(schedule).await.unwrap();
    client.remove_schedule(schedule).await.unwrap();

    client.ask(Say::to("bob", "Good night")).await.unwrap();
    let waiting = client.inbox(&bob).await.unwrap();
    assert_eq!(waiting[0].content, "Good night");
    client.stop(&bob, WITHIN).await.unwrap();

    // The job of a message that no host has heard is dropped.
    client.ask(Say::to("lead", "Write")).await.unwrap();
    let last = client.conversations().await.unwrap().pop().unwrap();
    let dropped = client.drop_conversation(last.id).await.unwrap();
    assert_eq!(dropped.unanswered, 1);
    assert_eq!(client.inbox(&MemberName::lead()).await.unwrap(), []);

    let keep = KeepFor {
        outputs: Some(Duration::ZERO),
        ..KeepFor::default()
    };
    let old = client.old_files(&keep).unwrap();
    client.remove_old(&old).await.unwrap();

    // The other process sees all of it.
    let mut other = world.look().await.unwrap();
    other.catch_up().await.unwrap();
    assert_eq!(**other.team(), **client.team());
    let team = world.open().await;
    assert!(team.tasks().is_empty());
    team.close().await;
}
