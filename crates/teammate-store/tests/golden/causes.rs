//! Ids of mail that follow from what the mail is about. A member that has heard an id does not hear it again, so a team that is
//! upgraded with mail under way must make the same ids: the texts they follow from are never changed.
//!
//! Here are those that core makes. The runtime's own (`mail/CALL/TO`, `subagent/CALL`, `taken/TASK/CLAIM`,
//! `terminated/NAME/LIFE`, `user/UUID`) are looked for in the fixtures of the program's tests.

use teammate_core::{
    Incarnation, MessageId, board::TaskId, permission::Mode, request::RequestId, team::JobId,
    tool::ToolNames,
};

use crate::{common::name, views::story};

#[test]
fn an_id_is_the_uuid_of_team_and_cause() {
    let id = MessageId::derived(uuid::Uuid::from_u128(7), "assignment/bob/1");
    assert_eq!(id.as_str(), "7836bd1b-ec90-52ba-bc6b-38479f13f329");
}

#[test]
fn ids_of_mail_follow_from_their_causes_as_ever() {
    let team = story();
    let life = Incarnation(2);
    let task = team.board().task(TaskId::new(2)).unwrap();
    let plan = team.requests().get(RequestId::new(1)).unwrap();
    let shutdown = team.requests().get(RequestId::new(3)).unwrap();
    let job = JobId::parse("b1").unwrap();
    for (cause, id) in [
        ("assignment/bob/2", team.assignment_id(&name("bob"), life)),
        ("idle/bob/2/9", team.notice_id(&name("bob"), life, 9)),
        ("job/b1", team.job_notice_id(job)),
        ("board/8", team.board_notice().unwrap().id),
        ("task/2/1", team.work_id(task).unwrap()),
        ("task/2/1/nudge/0", team.nudge_id(task).unwrap()),
        (
            "request/1/settled",
            team.frame_id(
                plan,
                &plan
                    .settled_frame(Mode::Bypass, &ToolNames::default())
                    .unwrap(),
            ),
        ),
        (
            "request/3/opened",
            team.frame_id(
                shutdown,
                &shutdown.opened_frame(&ToolNames::default()).unwrap(),
            ),
        ),
    ] {
        assert_eq!(id, MessageId::derived(team.id(), cause), "{cause}");
    }
}
