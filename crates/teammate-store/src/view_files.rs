//! View files: what the journal says, for users and other programs. Never read back as truth; they
//! can be deleted at any time.

mod plans;
mod requests;
mod tasks;

use std::io;

use serde::Serialize;
use serde_json::Value;
use teammate_core::{
    GroupName, Incarnation, Timestamp,
    port::{Disk, Durability},
    team::{Member, TeamState},
};

pub use plans::write_plans;
pub use requests::{request_json, whole_request_json};
pub use tasks::{task_json, write_tasks};

use crate::files::TeamDir;

#[derive(Serialize)]
struct Config<'a> {
    team_name: &'a str,
    members: Vec<MemberRow<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lead: Option<MemberRow<'a>>,
    requests: Vec<Value>,
    updated_at: f64,
}

#[derive(Serialize)]
struct MemberRow<'a> {
    name: &'a str,
    role: &'a str,
    status: &'static str,
    phase: String,
    incarnation: Incarnation,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plan: Option<&'static str>,
}

/// Replaces `config.json` atomically.
///
/// Call [`read_foreign_config`](crate::foreign_roster::read_foreign_config) once before, so that
/// another program's file is not overwritten.
pub fn write_config(
    disk: &dyn Disk,
    dir: &TeamDir,
    team: &TeamState,
    now: Timestamp,
    durability: Durability,
) -> io::Result<()> {
    let config = Config {
        team_name: team.name(),
        members: team.teammates().map(line).collect(),
        lead: team
            .members()
            .find(|member| member.name.is_lead())
            .map(line),
        requests: team
            .requests()
            .pending()
            .map(|request| request_json(request))
            .collect(),
        updated_at: now.as_seconds(),
    };
    let mut bytes = serde_json::to_vec_pretty(&config)?;
    bytes.push(b'\n');
    let path = dir.config();
    let new = path.with_extension(format!("json.{}.tmp", std::process::id()));
    disk.write(&new, &bytes)?;
    match durability {
        Durability::Lazy => disk.rename(&new, &path),
        Durability::Synced => {
            disk.sync_file(&new)?;
            disk.rename(&new, &path)?;
            disk.sync_dir(dir.path())
        }
    }
}

fn line(member: &Member) -> MemberRow<'_> {
    MemberRow {
        name: member.name.as_str(),
        role: &member.role,
        status: member.phase.status().as_str(),
        phase: member.describe(),
        incarnation: member.incarnation,
        team: member.options.group.as_ref().map(GroupName::as_str),
        model: member.options.model.as_ref().map(ToString::to_string),
        plan: member.gate.as_str(),
    }
}
