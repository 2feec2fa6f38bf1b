use uuid::Uuid;

use super::*;
use crate::{
    board::{Actor, NewTask, TaskAction, TaskCommand},
    mail::{MessageId, MessageKind, Metadata},
    member::MemberOptions,
    mode::Mode,
    team::{ChooseConversation, Command, ConversationChoice, Spawn},
};

fn name(text: &str) -> MemberName {
    MemberName::parse(text).unwrap()
}

fn id(number: u64) -> ConversationId {
    ConversationId::from_number(number).unwrap()
}

/// Decides and applies; how many events follow.
fn run(team: &mut TeamState, command: &Command) -> Result<usize, String> {
    let decided = team.decide(command).map_err(|why| why.to_string())?;
    for event in &decided.events {
        team.apply(event, Timestamp(1));
    }
    Ok(decided.events.len())
}

fn choose(
    team: &mut TeamState,
    choice: ConversationChoice,
    unfinished: &[&str],
) -> Result<usize, String> {
    let ask = ChooseConversation {
        choice,
        unfinished: unfinished.iter().map(|text| name(text)).collect(),
        highest: ConversationId::FIRST,
    };
    run(team, &Command::Conversation(ask))
}

fn spawn(team: &mut TeamState, member: &str, call: &str) {
    let spawn = Spawn {
        by: MemberName::lead(),
        call: call.into(),
        member: name(member),
        role: "coder".into(),
        prompt: "work".into(),
        options: MemberOptions::default(),
        ceiling: Mode::AcceptEdits,
        fresh: false,
    };
    run(team, &Command::Spawn(spawn)).unwrap();
}

fn works(team: &mut TeamState, member: &str) {
    let incarnation = team.member(&name(member)).unwrap().incarnation;
    let member = name(member);
    run(
        team,
        &Command::StartTurn {
            member,
            incarnation,
        },
    )
    .unwrap();
}

fn rests(team: &mut TeamState, member: &str, turn: u64) {
    let rest = Command::EndTurn {
        member: name(member),
        incarnation: team.member(&name(member)).unwrap().incarnation,
        why: EndReason::Done,
        turn: Some(turn),
        result: "done".into(),
    };
    run(team, &rest).unwrap();
}

fn puts_on_board(team: &mut TeamState, by: Actor, subject: &str) -> TaskId {
    let new = NewTask {
        call: format!("make {subject}").into(),
        subject: subject.into(),
        ..NewTask::default()
    };
    let before = team.board().all_with_deleted().count();
    let ask = TaskAction::Create(Box::new(new));
    let verified = None;
    run(
        team,
        &Command::Task(TaskCommand::Act {
            by,
            action: ask,
            verified,
        }),
    )
    .unwrap();
    team.board().all_with_deleted().nth(before).unwrap().id
}

fn takes(team: &mut TeamState, member: &str) -> Option<TaskId> {
    let life = team.member(&name(member)).unwrap().incarnation;
    run(
        team,
        &Command::Task(TaskCommand::ClaimNext(name(member), life)),
    )
    .unwrap();
    team.board().task_of(&name(member)).map(|task| task.id)
}

fn lead() -> Actor {
    Actor::Member(MemberName::lead(), crate::Incarnation::FIRST)
}

/// The lead and alice are in a turn, alice with a task in progress; bob is idle. One task of the lead is pending.
fn team_at_work() -> (TeamState, TaskId, TaskId) {
    let mut team = TeamState::default();
    let create = Command::Create {
        id: Uuid::from_u128(1),
        name: "default".into(),
    };
    run(&mut team, &create).unwrap();
    works(&mut team, "lead");
    spawn(&mut team, "alice", "c1");
    spawn(&mut team, "bob", "c2");
    let first = puts_on_board(&mut team, lead(), "first");
    works(&mut team, "alice");
    assert_eq!(takes(&mut team, "alice"), Some(first));
    works(&mut team, "bob");
    rests(&mut team, "bob", 3);
    let second = puts_on_board(&mut team, lead(), "second");
    (team, first, second)
}

#[test]
fn a_new_conversation_pauses_what_the_old_one_left() {
    let (mut team, first, second) = team_at_work();
    assert_eq!(choose(&mut team, ConversationChoice::Fresh, &[]), Ok(1));
    assert_eq!(team.conversation(), id(2));
    assert_eq!(
        team.unfinished(id(1)).to_string(),
        format!("the lead's turn, alice, {first}, {second}")
    );
    let alice = team.member(&name("alice")).unwrap();
    assert_eq!(
        alice.describe(),
        "idle (waits for the lead's conversation 1 to go on)"
    );
    // The task stays alice's, and no member claims the other one.
    assert_eq!(team.board().task_of(&name("alice")).unwrap().id, first);
    assert_eq!(team.members_to_wake(), []);
    assert_eq!(takes(&mut team, "bob"), None);
    let claim = Command::Task(TaskCommand::Act {
        by: Actor::Member(name("bob"), crate::Incarnation::FIRST),
        action: TaskAction::Claim(second),
        verified: None,
    });
    let refused = run(&mut team, &claim).unwrap_err();
    assert!(
        refused.contains("conversation 1, and is paused"),
        "{refused}"
    );
    assert!(!team.is_board_notice_due());
    // The new job has neither members nor tasks.
    assert_eq!(team.job_members().count() + team.job_tasks().count(), 0);
    // Any member may claim a task of the user's, except a paused one.
    let third = puts_on_board(&mut team, Actor::User, "third");
    assert_eq!(team.members_to_wake(), [name("bob")]);
    assert_eq!(takes(&mut team, "bob"), Some(third));
    assert_eq!(team.job_tasks().count(), 1);
}

#[test]
fn a_conversation_goes_on_as_it_was_left() {
    let (mut team, ..) = team_at_work();
    let before = team.clone();
    choose(&mut team, ConversationChoice::Fresh, &[]).unwrap();
    works(&mut team, "lead");
    rests(&mut team, "lead", 9);
    assert_eq!(
        choose(&mut team, ConversationChoice::Number(id(1)), &[]),
        Ok(1)
    );
    assert_eq!(
        team.members().collect::<Vec<_>>(),
        before.members().collect::<Vec<_>>()
    );
    assert_eq!(team.unfinished(id(2)), Unfinished::default());
    assert_eq!(
        choose(&mut team, ConversationChoice::Number(id(3)), &[]),
        Err("there is no conversation 3; the last one is 2".into())
    );
}

#[test]
fn a_member_that_gets_mail_or_a_spawn_joins_with_its_task() {
    let (mut team, first, second) = team_at_work();
    spawn(&mut team, "carol", "c3");
    choose(&mut team, ConversationChoice::Fresh, &[]).unwrap();
    assert_eq!(run(&mut team, &Command::Join(name("alice"))), Ok(1));
    assert_eq!(run(&mut team, &Command::Join(name("alice"))), Ok(0));
    assert_eq!(
        team.member(&name("alice")).unwrap().phase,
        MemberPhase::Working
    );
    spawn(&mut team, "carol", "c4");
    let members: Vec<_> = team.job_members().map(|member| &member.name).collect();
    assert_eq!(members, [&name("alice"), &name("carol")]);
    let tasks: Vec<_> = team.job_tasks().map(|task| task.id).collect();
    assert_eq!(tasks, [first]);
    assert_eq!(team.unfinished(id(1)).tasks, [second]);
}

#[test]
fn everything_goes_on_where_the_lead_has_something_left_to_do() {
    let (mut team, first, second) = team_at_work();
    choose(&mut team, ConversationChoice::Fresh, &[]).unwrap();
    works(&mut team, "lead");
    spawn(&mut team, "dora", "c5");
    works(&mut team, "dora");
    rests(&mut team, "lead", 9);
    let third = puts_on_board(&mut team, lead(), "third");
    assert_eq!(
        choose(&mut team, ConversationChoice::Everything, &[]),
        Ok(2)
    );
    assert_eq!(team.conversation(), id(1));
    let tasks: Vec<_> = team.job_tasks().map(|task| task.id).collect();
    assert_eq!(tasks, [first, second, third]);
    assert!(team.members().all(|m| team.paused_for(&m.name).is_none()));
    assert_eq!(
        team.member(&name("dora")).unwrap().phase,
        MemberPhase::Working
    );
    // Once more changes nothing.
    assert_eq!(
        choose(&mut team, ConversationChoice::Everything, &[]),
        Ok(0)
    );
}

#[test]
fn a_new_conversation_begins_only_where_something_was_said() {
    let mut team = TeamState::default();
    let create = Command::Create {
        id: Uuid::from_u128(1),
        name: "default".into(),
    };
    run(&mut team, &create).unwrap();
    assert_eq!(choose(&mut team, ConversationChoice::Fresh, &[]), Ok(0));
    // The notice of the first job was sent, but a kill came before the lead heard it.
    assert_eq!(
        choose(&mut team, ConversationChoice::Fresh, &["lead"]),
        Ok(1)
    );
    assert!(team.unfinished(id(1)).lead);
    // A member with mail from the earlier job does not hear it in the next.
    works(&mut team, "lead");
    spawn(&mut team, "alice", "c1");
    works(&mut team, "alice");
    rests(&mut team, "alice", 2);
    rests(&mut team, "lead", 3);
    assert_eq!(
        choose(&mut team, ConversationChoice::Fresh, &["alice"]),
        Ok(1)
    );
    assert_eq!(team.paused_for(&name("alice")), Some(id(2)));
}

fn mail(to: &str, from: Sender, conversation: Option<ConversationId>) -> Message {
    Message {
        id: MessageId::derived(Uuid::nil(), "x"),
        kind: MessageKind::Message,
        from,
        from_incarnation: None,
        to: name(to),
        to_incarnation: None,
        content: String::new(),
        sent_at: Timestamp(0),
        wakes: None,
        request_id: None,
        metadata: Metadata {
            conversation,
            ..Metadata::default()
        },
    }
}

#[test]
fn mail_to_the_lead_is_for_the_conversation_in_which_it_was_sent() {
    let (mut team, ..) = team_at_work();
    let marked = |team: &TeamState, to: &str| {
        let mut metadata = Metadata::default();
        team.mark_conversation(&name(to), &mut metadata);
        metadata.conversation
    };
    assert_eq!(marked(&team, "lead"), None);
    assert!(team.is_for_current(&mail("lead", Sender::User, None)));
    choose(&mut team, ConversationChoice::Fresh, &[]).unwrap();
    assert!(!team.is_for_current(&mail("lead", Sender::User, None)));
    assert_eq!(marked(&team, "alice"), None);
    let number = marked(&team, "lead");
    assert!(team.is_for_current(&mail("lead", Sender::User, number)));
    assert!(team.is_for_current(&mail("alice", Sender::User, None)));
    let unknown = Sender::Unverified(crate::mail::ClaimedSender::new("user"));
    assert!(team.is_for_current(&mail("lead", unknown, None)));
}

#[test]
fn a_dropped_conversation_leaves_nothing_that_goes_on_and_its_tasks_wait_for_somebody_to_assign_them()
 {
    let (mut team, first, second) = team_at_work();
    let drop = Command::DropConversation(id(1));
    assert_eq!(
        run(&mut team, &drop),
        Ok(0),
        "the current one is not dropped"
    );
    choose(&mut team, ConversationChoice::Fresh, &[]).unwrap();
    // Alice's task in progress goes back to the board, and the conversation is dropped.
    assert_eq!(run(&mut team, &drop), Ok(2));
    assert!(team.is_dropped(id(1)));
    assert!(team.unfinished(id(1)).is_empty());
    assert_eq!(run(&mut team, &drop), Ok(0));
    assert_eq!(team.paused_for(&name("alice")), None);
    assert_eq!(
        team.member(&name("alice")).unwrap().describe(),
        "interrupted; send it a message to continue"
    );
    assert!(team.board().task_of(&name("alice")).is_none());
    for task in [first, second] {
        let outlook = team.status_text(team.board().task(task).unwrap());
        assert!(outlook.starts_with("dropped with"), "{outlook}");
    }
    assert_eq!(team.members_to_wake(), []);
    assert_eq!(takes(&mut team, "bob"), None);
    // Continuing everything does not continue this one.
    choose(&mut team, ConversationChoice::Everything, &[]).unwrap();
    assert_eq!(team.conversation(), id(2));
    assert_eq!(takes(&mut team, "bob"), None);
    // To return to it is.
    choose(&mut team, ConversationChoice::Number(id(1)), &[]).unwrap();
    assert!(!team.is_dropped(id(1)));
    assert_eq!(takes(&mut team, "bob"), Some(first));
    let nowhere = Command::DropConversation(id(9));
    assert!(
        run(&mut team, &nowhere)
            .unwrap_err()
            .contains("no conversation 9")
    );
}

#[test]
fn what_a_dropped_conversation_asked_for_is_asked_no_more() {
    let (mut team, ..) = team_at_work();
    let open = Command::Request(crate::request::RequestCommand::Open {
        kind: crate::request::RequestPayload::Shutdown(crate::request::ShutdownRequest {
            member: name("alice"),
            incarnation: crate::Incarnation::FIRST,
            reason: String::new(),
            now: false,
        }),
        from: crate::request::Principal::Member {
            member: MemberName::lead(),
            incarnation: crate::Incarnation::FIRST,
        },
        call: "ask".into(),
        deadline: None,
        at: Timestamp(1),
    });
    run(&mut team, &open).unwrap();
    choose(&mut team, ConversationChoice::Fresh, &[]).unwrap();
    run(&mut team, &Command::DropConversation(id(1))).unwrap();
    assert_eq!(team.requests().pending().count(), 0);
    assert_eq!(team.requests().not_notified().count(), 0, "nobody is woken");
}

#[test]
fn a_cleared_conversation_leaves_the_team_and_its_mail_to_the_new_one() {
    let mut team = TeamState::default();
    let create = Command::Create {
        id: Uuid::from_u128(1),
        name: "default".into(),
    };
    run(&mut team, &create).unwrap();
    let order = |team: &mut TeamState, call: &str| {
        let given = Command::Order {
            order: crate::team::UserOrder::Clear,
            call: call.into(),
        };
        run(team, &given).unwrap();
        team.orders().given_by(&call.into()).unwrap().id
    };
    let clear = |team: &mut TeamState, order| {
        let highest = ConversationId::FIRST;
        run(team, &Command::BeginAnew { order, highest })
    };
    let first = order(&mut team, "c1");
    assert_eq!(clear(&mut team, first), Ok(1), "nothing was said yet");
    assert_eq!(team.conversation(), id(1));

    works(&mut team, "lead");
    spawn(&mut team, "alice", "s1");
    works(&mut team, "alice");
    let task = puts_on_board(&mut team, lead(), "Parse");
    assert_eq!(takes(&mut team, "alice"), Some(task));
    let second = order(&mut team, "c2");
    let refused = clear(&mut team, second).unwrap_err();
    assert!(refused.contains("the lead is working"), "{refused}");
    rests(&mut team, "lead", 3);
    assert_eq!(clear(&mut team, second), Ok(2));
    assert_eq!(team.conversation(), id(2));
    assert_eq!(
        clear(&mut team, second),
        Ok(0),
        "an order is carried out once"
    );

    assert!(team.paused_for(&name("alice")).is_none());
    let members: Vec<_> = team.job_members().map(|m| m.name.to_string()).collect();
    assert_eq!(members, ["alice"]);
    assert_eq!(
        team.job_tasks().map(|task| task.id).collect::<Vec<_>>(),
        [task]
    );
    assert!(team.unfinished(id(1)).is_empty());
    let mut metadata = Metadata::default();
    team.mark_conversation(&MemberName::lead(), &mut metadata);
    assert_eq!(metadata.conversation, Some(id(2)));
    let late = mail("lead", Sender::User, None);
    assert!(team.is_for_current(&late), "sent just before");
    let third = order(&mut team, "c3");
    works(&mut team, "lead");
    rests(&mut team, "lead", 5);
    clear(&mut team, third).unwrap();
    assert!(team.is_for_current(&late) && team.conversation() == id(3));
    choose(&mut team, ConversationChoice::Number(id(1)), &[]).unwrap();
    assert!(
        team.is_for_current(&late)
            && !team.is_for_current(&mail("lead", Sender::User, Some(id(2))))
    );
}
