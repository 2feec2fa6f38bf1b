//! The lead's teams: named groups of teammates under the one lead, who share the board and the mail with all others. Made and
//! ended by the lead; what a team leaves behind is archived, never destroyed.

use std::collections::BTreeMap;

use super::{Decision, Past, TeamEvent, TeamRefusal, TeamState};
use crate::{
    GroupName, MemberName,
    cause::Cause,
    member::{Member, MemberPhase},
    team::{Durability, GroupCommand, GroupEvent, decision::decision_if},
};

/// All teams that are not archived yet, and how many there ever were.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Groups {
    groups: BTreeMap<GroupName, Group>,
    /// The last one of each name that was archived.
    past: BTreeMap<GroupName, ArchivedGroup>,
    made: u32,
}

/// One team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The call that made it; the same call again makes nothing.
    call: Cause,
    /// Counts the groups ever made; distinguishes groups of the same name.
    pub number: u32,
    /// Whether it has been ended and waits to be archived.
    pub is_ending: bool,
    end_call: Cause,
}

/// The remembered facts of a group that was archived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivedGroup {
    end_call: Cause,
    pub members: Vec<MemberName>,
    /// Where their files are, for the user.
    pub kept_in: String,
}

impl Groups {
    /// The teams by name.
    pub fn iter(&self) -> impl Iterator<Item = (&GroupName, &Group)> {
        self.groups.iter()
    }

    /// A team by name.
    pub fn get(&self, name: &GroupName) -> Option<&Group> {
        self.groups.get(name)
    }

    /// The team of this name that this very call ended, once it is archived.
    pub fn ended_by(&self, call: &Cause, name: &GroupName) -> Option<&ArchivedGroup> {
        self.past.get(name).filter(|past| past.end_call == *call)
    }

    fn known(&self) -> String {
        let living = self.groups.iter().filter(|(_, group)| !group.is_ending);
        let names: Vec<&str> = living.map(|(name, _)| name.as_str()).collect();
        if names.is_empty() {
            "there are no teams; make one first".to_owned()
        } else {
            format!("teams: {}", names.join(", "))
        }
    }
}

impl TeamState {
    /// Whether a member belongs to one of the lead's teams that was ended and is not archived yet.
    pub fn is_in_ending_group(&self, member: &Member) -> bool {
        let group = member.options.group.as_ref();
        let group = group.and_then(|name| self.groups.get(name));
        group.is_some_and(|group| group.is_ending)
    }

    /// The lead's teams.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// The name of the member's group: the one of the lead's that it belongs to, or that of all.
    pub fn group_of<'a>(&'a self, member: &'a super::Member) -> &'a str {
        match &member.options.group {
            Some(group) => group.as_str(),
            None => self.name(),
        }
    }

    /// The members of one of the lead's teams, in the order in which they came.
    pub fn members_of<'a>(
        &'a self,
        name: &'a GroupName,
    ) -> impl Iterator<Item = &'a super::Member> {
        self.teammates()
            .filter(move |member| member.options.group.as_ref() == Some(name))
    }

    /// A team that is there, ending or not.
    ///
    /// Errors: which teams there are.
    pub fn must_have(&self, name: &GroupName) -> Result<&Group, TeamRefusal> {
        self.groups.get(name).ok_or_else(|| TeamRefusal::NoTeam {
            name: name.clone(),
            known: self.groups.known(),
        })
    }

    /// Whether members may be spawned into a group.
    pub(super) fn require_active(&self, name: &GroupName) -> Result<(), TeamRefusal> {
        match self.groups.get(name) {
            Some(group) if !group.is_ending => Ok(()),
            Some(_) | None => Err(TeamRefusal::NoTeam {
                name: name.clone(),
                known: self.groups.known(),
            }),
        }
    }

    pub(super) fn decide_group(&self, command: &GroupCommand) -> Result<Decision, TeamRefusal> {
        match command {
            GroupCommand::Make { by, call, team } => self.make_group(by, call, team),
            GroupCommand::End { by, call, team } => self.end_group(by, call, team),
            GroupCommand::Archive { team, kept_in } => Ok(self.archive(team, kept_in)),
        }
    }

    fn make_group(
        &self,
        by: &MemberName,
        call: &Cause,
        team: &GroupName,
    ) -> Result<Decision, TeamRefusal> {
        if !by.is_lead() {
            return Err(TeamRefusal::OnlyLeadTeams);
        }
        let made = GroupEvent::Made {
            by: by.clone(),
            call: call.clone(),
        };
        match self.groups.get(team) {
            Some(known) if known.call == *call => Ok(decided(false, team, made)),
            Some(_) => Err(TeamRefusal::TeamExists(team.clone())),
            None => Ok(decided(true, team, made)),
        }
    }

    fn end_group(
        &self,
        by: &MemberName,
        call: &Cause,
        team: &GroupName,
    ) -> Result<Decision, TeamRefusal> {
        if !by.is_lead() {
            return Err(TeamRefusal::OnlyLeadTeams);
        }
        let ending = GroupEvent::Ending {
            by: by.clone(),
            call: call.clone(),
        };
        if self.groups.ended_by(call, team).is_some() {
            return Ok(decided(false, team, ending));
        }
        let group = self.must_have(team)?;
        Ok(decided(!group.is_ending, team, ending))
    }

    /// Takes an ended team's members, all of them stopped, off the roster.
    fn archive(&self, team: &GroupName, kept_in: &str) -> Decision {
        let is_over = self.groups.get(team).is_some_and(|group| group.is_ending)
            && self
                .members_of(team)
                .all(|member| member.phase == MemberPhase::Stopped);
        let kept_in = kept_in.to_owned();
        decided(is_over, team, GroupEvent::Archived { kept_in })
    }

    pub(super) fn apply_group(&mut self, team: &GroupName, change: &GroupEvent) {
        match change {
            GroupEvent::Made { call, .. } => {
                self.groups.made += 1;
                let group = Group {
                    call: call.clone(),
                    number: self.groups.made,
                    is_ending: false,
                    end_call: Cause::default(),
                };
                self.groups.groups.insert(team.clone(), group);
            }
            GroupEvent::Ending { call, .. } => {
                if let Some(group) = self.groups.groups.get_mut(team) {
                    group.is_ending = true;
                    group.end_call.clone_from(call);
                }
            }
            GroupEvent::Archived { kept_in } => {
                let group = self.groups.groups.remove(team);
                let gone: Vec<_> = self
                    .members_of(team)
                    .map(|member| (member.name.clone(), member.incarnation, member.gate.clone()))
                    .collect();
                let past = ArchivedGroup {
                    end_call: group.map(|group| group.end_call).unwrap_or_default(),
                    members: gone.iter().map(|(name, ..)| name.clone()).collect(),
                    kept_in: kept_in.clone(),
                };
                self.groups.past.insert(team.clone(), past);
                for (name, life, gate) in gone {
                    self.members.remove(&name);
                    self.order.retain(|known| *known != name);
                    self.past.insert(name, Past { life, gate });
                }
            }
        }
    }
}

fn decided(is_new: bool, team: &GroupName, change: GroupEvent) -> Decision {
    let event = TeamEvent::Group {
        group: team.clone(),
        change,
    };
    decision_if(is_new, event, Durability::Synced)
}
