//! The lead's teams: named groups of teammates under the one lead, who share the board and the mail with all others. Made and
//! ended by the lead; what a team leaves behind is put away, never destroyed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Decided, Member, Past, Phase, Team, TeamEvent, TeamRefusal, decide::changed};
use crate::{MemberName, TeamName, cause::Cause, port::Durability};

/// Something that happened to one of the lead's teams.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum GroupEvent {
    /// It was made.
    Made {
        /// By whom.
        by: MemberName,
        /// By which call.
        call: Cause,
    },
    /// It ends: nobody is spawned into it any more, and its members are being stopped.
    Ending {
        /// By whom.
        by: MemberName,
        /// By which call.
        #[serde(default)]
        call: Cause,
    },
    /// Its members are off the roster and their files put away.
    PutAway {
        /// Where, for people.
        kept_in: String,
    },
}

/// Something to decide about the lead's teams.
#[derive(Debug, Clone, PartialEq)]
pub enum GroupCommand {
    /// Make one. The same call again makes nothing.
    Make {
        /// Who asks.
        by: MemberName,
        /// By which call.
        call: Cause,
        /// Its name.
        team: TeamName,
    },
    /// End one. The same call again ends nothing, also if a team of that name was made since.
    End {
        /// Who asks.
        by: MemberName,
        /// By which call.
        call: Cause,
        /// Which.
        team: TeamName,
    },
    /// Take the members of an ended one off the roster; nothing happens before all are stopped.
    PutAway {
        /// Which.
        team: TeamName,
        /// Where their files are now.
        kept_in: String,
    },
}

/// All teams that are not put away yet, and how many there ever were.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Groups {
    groups: BTreeMap<TeamName, Group>,
    /// The last one of each name that was put away.
    past: BTreeMap<TeamName, PastGroup>,
    made: u32,
}

/// One team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The call that made it; the same call again makes nothing.
    call: Cause,
    /// Counts the teams ever made; tells those of the same name apart.
    pub number: u32,
    /// Whether it has been ended and waits to be put away.
    pub is_ending: bool,
    /// The call that ended it.
    end_call: Cause,
}

/// What is known of a team that was put away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastGroup {
    end_call: Cause,
    /// Who was in it.
    pub members: Vec<MemberName>,
    /// Where their files are, for people.
    pub kept_in: String,
}

impl Groups {
    /// The teams by name.
    pub fn iter(&self) -> impl Iterator<Item = (&TeamName, &Group)> {
        self.groups.iter()
    }

    /// A team by name.
    pub fn get(&self, name: &TeamName) -> Option<&Group> {
        self.groups.get(name)
    }

    /// The team of this name that this very call ended, once it is put away.
    pub fn ended_by(&self, call: &Cause, name: &TeamName) -> Option<&PastGroup> {
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

impl Team {
    /// Whether a member belongs to one of the lead's teams that was ended and is not put away yet.
    pub fn is_in_ending_group(&self, member: &Member) -> bool {
        let group = member.terms.team.as_ref();
        let group = group.and_then(|name| self.groups.get(name));
        group.is_some_and(|group| group.is_ending)
    }

    /// The lead's teams.
    pub fn groups(&self) -> &Groups {
        &self.groups
    }

    /// What the team of a member is called: the one of the lead's that it belongs to, or that of all.
    pub fn name_for<'a>(&'a self, member: &'a super::Member) -> &'a str {
        match &member.terms.team {
            Some(group) => group.as_str(),
            None => self.name(),
        }
    }

    /// The members of one of the lead's teams, in the order in which they came.
    pub fn members_of<'a>(&'a self, name: &'a TeamName) -> impl Iterator<Item = &'a super::Member> {
        self.teammates()
            .filter(move |member| member.terms.team.as_ref() == Some(name))
    }

    /// A team that is there, ending or not.
    ///
    /// Errors: which teams there are.
    pub fn must_have(&self, name: &TeamName) -> Result<&Group, TeamRefusal> {
        self.groups.get(name).ok_or_else(|| TeamRefusal::NoTeam {
            name: name.clone(),
            known: self.groups.known(),
        })
    }

    /// Whether somebody may be spawned into a team.
    pub(super) fn must_live(&self, name: &TeamName) -> Result<(), TeamRefusal> {
        match self.groups.get(name) {
            Some(group) if !group.is_ending => Ok(()),
            Some(_) | None => Err(TeamRefusal::NoTeam {
                name: name.clone(),
                known: self.groups.known(),
            }),
        }
    }

    pub(super) fn decide_group(&self, command: &GroupCommand) -> Result<Decided, TeamRefusal> {
        match command {
            GroupCommand::Make { by, call, team } => self.make_group(by, call, team),
            GroupCommand::End { by, call, team } => self.end_group(by, call, team),
            GroupCommand::PutAway { team, kept_in } => Ok(self.put_away(team, kept_in)),
        }
    }

    fn make_group(
        &self,
        by: &MemberName,
        call: &Cause,
        team: &TeamName,
    ) -> Result<Decided, TeamRefusal> {
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
        team: &TeamName,
    ) -> Result<Decided, TeamRefusal> {
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
    fn put_away(&self, team: &TeamName, kept_in: &str) -> Decided {
        let is_over = self.groups.get(team).is_some_and(|group| group.is_ending)
            && self
                .members_of(team)
                .all(|member| member.phase == Phase::Stopped);
        let kept_in = kept_in.to_owned();
        decided(is_over, team, GroupEvent::PutAway { kept_in })
    }

    pub(super) fn apply_group(&mut self, team: &TeamName, change: &GroupEvent) {
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
            GroupEvent::PutAway { kept_in } => {
                let group = self.groups.groups.remove(team);
                let gone: Vec<_> = self
                    .members_of(team)
                    .map(|member| (member.name.clone(), member.incarnation, member.gate.clone()))
                    .collect();
                let past = PastGroup {
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

fn decided(is_new: bool, team: &TeamName, change: GroupEvent) -> Decided {
    let event = TeamEvent::Group {
        group: team.clone(),
        change,
    };
    changed(is_new, event, Durability::Synced)
}
