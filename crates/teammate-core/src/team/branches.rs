//! The names of a team's git branches.

/// The name of a workspace's default team.
pub const DEFAULT_TEAM: &str = "default";

/// The beginning of a team's branches, without a slash: `teammate`, or `teammate-<team>` of a team that is not the default
/// one. Never a directory of another team's branches, which git could not keep beside it.
pub fn branches_of(team: &str) -> String {
    match team {
        DEFAULT_TEAM => "teammate".to_owned(),
        team => format!("teammate-{team}"),
    }
}
