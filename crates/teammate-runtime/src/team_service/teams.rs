//! The lead's groups: makes them, and ends them with all their members.

use std::time::Duration;

use teammate_core::{
    GroupName, MemberName,
    cause::Cause,
    port::{Caller, GroupEnded, Refusal, RemovalReason, WorktreeName},
    request::Principal,
    team::{Command, GroupCommand, MemberPhase},
};

use super::TeamService;

/// How often a member of a team that ends is asked to stop.
const ASKS_MAX: u32 = 3;

impl TeamService {
    pub(super) async fn create_group(
        &self,
        caller: &Caller,
        group: GroupName,
    ) -> Result<(), Refusal> {
        let make = GroupCommand::Make {
            by: caller.name.clone(),
            call: caller.call.clone(),
            team: group,
        };
        self.0.base.ledger.decide(Command::Group(make)).await?;
        Ok(())
    }

    pub(super) async fn end_group(
        &self,
        caller: &Caller,
        group: GroupName,
    ) -> Result<GroupEnded, Refusal> {
        let end = GroupCommand::End {
            by: caller.name.clone(),
            call: caller.call.clone(),
            team: group.clone(),
        };
        self.0.base.ledger.decide(Command::Group(end)).await?;
        // An end that has begun is not given up half-way, also if the lead is interrupted.
        let (service, call) = (self.clone(), caller.call.clone());
        let within = self.0.base.setup.config.shutdown_within;
        let end = async move {
            let _one_at_a_time = service.0.ending.lock().await;
            // Asked again after a crash: an earlier process, or this one when it was opened, has put it away.
            if let Some(past) = service
                .0
                .base
                .ledger
                .team()
                .groups()
                .ended_by(&call, &group)
            {
                return Ok(GroupEnded {
                    members: past.members.clone(),
                    kept_in: past.kept_in.clone(),
                });
            }
            service.shut_down_group(&group, within).await
        };
        tokio::spawn(end)
            .await
            .map_err(|error| Refusal::Broken(error.to_string()))?
    }

    /// Ends teams that were ending when an earlier process ended. Takes as long as their members' deadlines.
    pub(crate) async fn end_groups(&self) {
        let ending: Vec<GroupName> = {
            let team = self.0.base.ledger.team();
            let ending = team.groups().iter().filter(|(_, group)| group.is_ending);
            ending.map(|(name, _)| name.clone()).collect()
        };
        for team in ending {
            let _one_at_a_time = self.0.ending.lock().await;
            if self.0.base.ledger.team().groups().get(&team).is_none() {
                continue;
            }
            let text = format!("continuing to delete team '{team}', which an earlier run began");
            self.0.base.feed.note(&MemberName::lead(), text);
            if let Err(error) = self.shut_down_group(&team, Duration::ZERO).await {
                let text = format!("team '{team}' could not be archived: {error}");
                self.0.base.feed.note(&MemberName::lead(), text);
            }
        }
    }

    async fn shut_down_group(
        &self,
        name: &GroupName,
        grace: Duration,
    ) -> Result<GroupEnded, Refusal> {
        let (members, number): (Vec<MemberName>, u32) = {
            let team = self.0.base.ledger.team();
            let members = team
                .members_of(name)
                .map(|member| member.name.clone())
                .collect();
            (
                members,
                team.groups().get(name).map_or(0, |group| group.number),
            )
        };
        let mut ends = tokio::task::JoinSet::new();
        for member in members.clone() {
            let service = self.clone();
            let call = Cause::end_of_group(name, number, &member);
            ends.spawn(async move { service.end_member(&call, &member, grace).await });
        }
        // A panic affects no other member; a member that is not stopped keeps the group from being archived.
        while ends.join_next().await.is_some() {}
        self.clear_worktrees(name).await;
        let kept_in = self
            .0
            .base
            .ports
            .archive
            .archive(&format!("{name}-{number}"), &members)
            .await
            .map_err(Refusal::Broken)?;
        let put_away = GroupCommand::Archive {
            team: name.clone(),
            kept_in: kept_in.clone(),
        };
        self.0.base.ledger.decide(Command::Group(put_away)).await?;
        Ok(GroupEnded { members, kept_in })
    }

    /// Sees a member off, if it still runs. Asks again if something else took the place of its request and did not stop it.
    async fn end_member(&self, call: &Cause, name: &MemberName, grace: Duration) {
        for attempt in 0..ASKS_MAX {
            let runs = {
                let team = self.0.base.ledger.team();
                let member = team.member(name);
                member.is_some_and(|member| member.phase != MemberPhase::Stopped)
            };
            if !runs {
                return;
            }
            let call = match attempt {
                0 => call.clone(),
                attempt => call.part(attempt),
            };
            let requests = &self.0.requests;
            requests
                .shut_down_member(Principal::System, &call, name, grace)
                .await;
        }
    }

    /// Removes the worktrees of an ended group's members where nothing would be lost, and reports the others to the lead.
    async fn clear_worktrees(&self, team: &GroupName) {
        let Some(worktrees) = &self.0.base.ports.worktrees else {
            return;
        };
        let names: Vec<WorktreeName> = {
            let now = self.0.base.ledger.team();
            let with_one = now
                .members_of(team)
                .filter(|member| member.options.worktree);
            with_one
                .filter_map(|member| WorktreeName::of_member(&member.name).ok())
                .collect()
        };
        for name in names {
            if let Err(error) = worktrees.remove(&name, RemovalReason::CleaningUp).await {
                let text = format!("the worktree '{name}' is kept: {error}");
                self.0.base.feed.note(&MemberName::lead(), text);
            }
        }
    }
}
