//! Where the user's own files are.

use etcetera::BaseStrategy as _;
use teammate::project::UserDirs;

/// Where the user's own texts and decisions are.
pub(crate) fn user_dirs() -> UserDirs {
    let Ok(base) = etcetera::choose_base_strategy() else {
        return UserDirs::default();
    };
    let state = base.state_dir().unwrap_or_else(|| base.data_dir());
    UserDirs {
        config: Some(base.config_dir().join("teammate")),
        state: Some(state.join("teammate")),
    }
}
