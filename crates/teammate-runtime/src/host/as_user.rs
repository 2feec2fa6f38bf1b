//! Wishes of the user on a running team: speaks, changes the board, answers, requires plans, shuts down.

use std::time::Duration;

use teammate_core::{
    MemberName, Sender,
    board::TaskAction,
    cause::Cause,
    mail::UserMessage,
    name::DeviceName,
    port::{BoxFuture, PlanRequired, Refusal, TaskChange},
    request::{Answer, Digest, Principal, RequestId},
    team::{Command, MessageCause},
};

use super::Host;
use crate::mailer::MailDraft;

impl Host {
    /// Sends a message of the user to a member: durable when this returns. A member that is paused with an earlier
    /// conversation continues.
    pub async fn send_as_user(
        &self,
        to: &str,
        message: impl Into<UserMessage>,
    ) -> Result<MemberName, Refusal> {
        let UserMessage { text, attachments } = message.into();
        let to = self.mailer.resolve_recipient(&Sender::User, to)?;
        let text = self.ask_hooks_to_say(&to, text).await?;
        self.members.join(&to).await?;
        let id = (self.base.ledger.team()).message_id(MessageCause::Said(&self.cause()));
        let mut draft = MailDraft::message(id, Sender::User, &to, text);
        draft.metadata.attachments = attachments;
        self.mailer.send(draft).await?;
        Ok(to)
    }

    /// Changes the board as the user. A task's check runs before it is completed, as for members.
    pub async fn act_on_task(&self, ask: TaskAction) -> Result<TaskChange, Refusal> {
        self.team_service.act_as_user(self.cause(), ask).await
    }

    /// Decides what the user wants, where nothing else belongs to it. Durable when this returns.
    pub async fn decide_as_user(&self, command: Command) -> Result<(), Refusal> {
        self.base.ledger.decide(command).await?;
        self.base.activity.recheck();
        Ok(())
    }

    /// The cause of what the user does now.
    pub(super) fn cause(&self) -> Cause {
        Cause::user(self.base.ports.ids.new_id())
    }

    /// The user answers a request. The first answer counts.
    pub async fn answer(&self, request: RequestId, answer: Answer) -> Result<(), Refusal> {
        self.answer_from(None, (request, None), answer).await
    }

    /// Answers a request from a device of the user's. Where it was shown with a digest and asks for something else by now, nothing
    /// is answered.
    pub async fn answer_from(
        &self,
        device: Option<DeviceName>,
        seen: (RequestId, Option<Digest>),
        answer: Answer,
    ) -> Result<(), Refusal> {
        let by = (Principal::User, device);
        self.requests.answer(seen, None, by, answer).await
    }

    /// The user's answers as a function that can outlive the borrow.
    pub fn answers(
        &self,
    ) -> impl Fn(RequestId, Answer) -> BoxFuture<'static, Result<(), Refusal>> + Clone + Send + use<>
    {
        let requests = self.requests.clone();
        move |request, answer| {
            let requests = requests.clone();
            Box::pin(async move {
                let by = (Principal::User, None);
                requests.answer((request, None), None, by, answer).await
            })
        }
    }

    /// Requires plans of a teammate, as the user: it gets the subject, and only reads until a plan is
    /// approved. Ends its background jobs. Returns when all of that is done.
    pub async fn require_plan(&self, member: &str, about: &str) -> Result<PlanRequired, Refusal> {
        let member = self.mailer.resolve_recipient(&Sender::User, member)?;
        let call = self.cause();
        self.team_service
            .require_plan(Principal::User, &call, &member, about)
            .await
    }

    /// Lifts the requirement of plans, also the lead's, as the user.
    pub async fn lift_plan(&self, member: &str) -> Result<MemberName, Refusal> {
        let member = self.mailer.resolve_recipient(&Sender::User, member)?;
        let call = self.cause();
        self.team_service
            .lift_plan(Principal::User, &call, &member)
            .await?;
        Ok(member)
    }

    /// The user shuts a teammate down: it is asked, and stopped after `within` at the latest. Returns when it has
    /// stopped.
    pub async fn shut_down(&self, member: &str, within: Duration) -> Result<MemberName, Refusal> {
        let member = self.request_shutdown(member, within).await?;
        self.requests.wait_until_stopped(&member).await;
        Ok(member)
    }

    /// Like `shut_down`, but returns as soon as the member is asked.
    pub async fn request_shutdown(
        &self,
        member: &str,
        within: Duration,
    ) -> Result<MemberName, Refusal> {
        let member = self.mailer.parse_member(member)?;
        let call = self.cause();
        let asked = self
            .requests
            .open_shutdown(Principal::User, &call, &member, within, "");
        asked.await?;
        Ok(member)
    }

    /// How long a member has to agree to a shutdown, by default.
    pub fn shutdown_within(&self) -> Duration {
        self.base.setup.config.shutdown_within
    }
}
