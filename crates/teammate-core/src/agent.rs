//! The agent machine. (Filled in next.)
