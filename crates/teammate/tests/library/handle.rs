//! A team through its handle: the same story where this process runs it and where another does.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use teammate::{
    Effort, MemberName, Mode, Refusal, TeamError, TeamHandle,
    board::{NewTask, TaskAction},
    handle::{
        ActOnTask, AnswerRequest, ChooseMode, ChooseModel, Clear, Compact, Interrupt, LiftPlan,
        Recall, RequirePlan, Say, ShutDown,
    },
    request::{Answer, Request, RequestRefusal},
};

use crate::shared_store::world::World;

#[tokio::test(flavor = "multi_thread")]
async fn wishes_are_carried_out_alike_here_and_there() {
    for is_here in [true, false] {
        let world = World::new();
        let team = Arc::new(world.open().await);
        team.run("Tell bob.").await.unwrap();
        let handle = match is_here {
            true => TeamHandle::here(team.clone()),
            false => TeamHandle::there(world.look().await.unwrap()),
        };
        assert_eq!(handle.hosted().is_some(), is_here);
        assert_eq!(handle.workspace(), team.workspace());
        let bob = MemberName::parse("bob").unwrap();
        assert!(handle.state().await.unwrap().member(&bob).is_some());

        handle.ask(ChooseMode(Mode::Ask)).await.unwrap();
        assert_eq!(team.mode(), Mode::Ask);
        let think = ChooseModel {
            member: bob.clone(),
            model: None,
            effort: Some(Effort::Low),
        };
        handle.ask(think).await.unwrap();
        let task = TaskAction::Create(Box::new(NewTask {
            subject: "Trim the wick".to_owned(),
            ..NewTask::default()
        }));
        let made = handle.ask(ActOnTask(task)).await.unwrap();
        assert_eq!(made.task.subject, "Trim the wick");
        assert_eq!(handle.look().await.unwrap().tasks().len(), 1);
        let nothing = handle.ask(Recall { mail: None }).await;
        assert!(matches!(nothing, Err(TeamError::Refused(_))));

        answers_count_once(&handle).await;
        team.wait_idle().await;

        let member = bob.clone();
        let about = "the lamp".to_owned();
        handle.ask(RequirePlan { member, about }).await.unwrap();
        let member = bob.clone();
        handle.ask(LiftPlan { member }).await.unwrap();
        team.wait_idle().await;
        let compact = Compact {
            member: MemberName::lead(),
            focus: None,
        };
        handle.ask(compact).await.unwrap();
        team.wait_idle().await;
        handle.ask(Interrupt { member: None }).await.unwrap();
        handle.ask(Clear).await.unwrap();
        let gone = ShutDown {
            member: bob.clone(),
            within: None,
        };
        handle.ask(gone).await.unwrap();
        drop(handle);
        Arc::try_unwrap(team).ok().unwrap().close().await;
    }
}

/// Why an answer has no effect is known by its type.
async fn answers_count_once(handle: &TeamHandle) {
    let to = "lead".to_owned();
    let message = "Write".into();
    assert!(handle.ask(Say { to, message }).await.unwrap().is_lead());
    let question = question(handle).await;
    let answer = |saw| AnswerRequest {
        request: question.id,
        saw,
        answer: Answer::no("not now"),
        device: None,
    };
    let other = "0".repeat(64).try_into().unwrap();
    let refused = handle.ask(answer(Some(other))).await.unwrap_err();
    assert!(
        matches!(
            refused,
            TeamError::Refused(Refusal::Request(RequestRefusal::OtherDigest { .. }))
        ),
        "{refused}"
    );
    handle
        .ask(answer(question.digest().cloned()))
        .await
        .unwrap();
    let refused = handle.ask(answer(None)).await.unwrap_err();
    assert!(
        matches!(
            refused,
            TeamError::Refused(Refusal::Request(RequestRefusal::Settled { .. }))
        ),
        "{refused}"
    );
}

/// The first that waits for the user.
async fn question(handle: &TeamHandle) -> Arc<Request> {
    let bell = handle.look().await.unwrap().history().watch();
    loop {
        let state = handle.state().await.unwrap();
        if let Some(question) = state.questions().next() {
            return question.clone();
        }
        bell.changed().await;
    }
}
