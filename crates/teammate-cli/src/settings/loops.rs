//! The limits that end loops.

use teammate::TeamBuilder;

/// The flags. 0 is without limit.
#[derive(clap::Args, Debug, Clone, Default)]
pub(super) struct LoopFlags {
    /// How often in a turn the same call may fail in the same way with nothing new done in between; 0: without limit [default: 10]
    #[arg(long, global = true, value_name = "N")]
    max_repeats: Option<u32>,

    /// The most messages in a row that only lead to one another, with no other work in between; 0: without limit [default: 50]
    #[arg(long, global = true, value_name = "N")]
    max_hops: Option<u32>,

    /// The most teammates that are spawned or woken in a minute; 0: without limit [default: 300]
    #[arg(long, global = true, value_name = "N")]
    max_spawns: Option<u32>,
}

impl LoopFlags {
    /// The flags, and where there is none, what the file says: of repeats, hops and spawns.
    pub(super) fn apply(
        &self,
        (repeats, hops, spawns): (Option<u32>, Option<u32>, Option<u32>),
        mut builder: TeamBuilder,
    ) -> TeamBuilder {
        if let Some(most) = self.max_repeats.or(repeats) {
            builder = builder.repeats_max(most);
        }
        if let Some(most) = self.max_hops.or(hops) {
            builder = builder.hops_max(most);
        }
        if let Some(most) = self.max_spawns.or(spawns) {
            builder = builder.spawns_max(most);
        }
        builder
    }
}
