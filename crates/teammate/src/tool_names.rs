//! The names of tools and arguments by which models and other programs know them.

use teammate_core::tool::ToolNames;
use teammate_tools::{ARGUMENT_ALIASES, TOOL_ALIASES};

/// All names that are understood. `are_shown`: models are shown those of other programs.
pub fn tool_names(are_shown: bool) -> ToolNames {
    ToolNames {
        aliases: TOOL_ALIASES.to_vec(),
        arguments: ARGUMENT_ALIASES.to_vec(),
        are_shown,
    }
}
