//! A view file for each submitted plan, with its text and state. Written when the plan is submitted
//! and when it is settled.

use std::{io, sync::Arc};

use teammate_core::{
    port::Disk,
    request::{Request, RequestState, Requests},
};

use crate::files::TeamDir;

/// Updates `plans/<member>-<id>.md` for the plans that differ between `before` and `now`.
pub fn write_plans(
    disk: &dyn Disk,
    dir: &TeamDir,
    before: &Requests,
    now: &Requests,
) -> io::Result<()> {
    let mut is_there = false;
    let all = now.pending().chain(now.not_notified()).chain(now.past());
    for request in all.filter(|request| !is_shown(before, request)) {
        let (Some(plan), Some(member)) = (request.plan(), request.from.name()) else {
            continue;
        };
        if !is_there {
            disk.create_dir_all(&dir.plans_dir())?;
            is_there = true;
        }
        let path = dir.plan(member, request.id);
        let new = path.with_extension(format!("md.{}.tmp", std::process::id()));
        disk.write(&new, page(request, &plan.text).as_bytes())?;
        disk.rename(&new, &path)?;
    }
    Ok(())
}

/// True if nothing but the notices changed.
fn is_shown(before: &Requests, request: &Arc<Request>) -> bool {
    let known = before.get(request.id);
    known.is_some_and(|known| known.state == request.state)
}

fn page(request: &Request, text: &str) -> String {
    let mode = match &request.state {
        RequestState::Approved(approval) => approval.mode,
        RequestState::Pending
        | RequestState::Rejected { .. }
        | RequestState::Expired
        | RequestState::Cancelled { .. } => None,
    };
    let mode = mode.map_or_else(String::new, |mode| format!("- permission mode: {mode}\n"));
    format!(
        "# Plan of {} ({})\n\n- for: {}\n- state: {}\n{mode}\n---\n\n{}\n",
        request.from,
        request.id,
        request.to(),
        request.describe(),
        text.trim_end()
    )
}
