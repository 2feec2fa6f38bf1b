//! The kinds of tools, in the protocol's words.

/// The kind of a tool.
pub(crate) fn kind(tool: &str) -> &'static str {
    match tool {
        "read_file" | "task_output" | "list_tasks" | "get_task" | "list_teammates"
        | "read_inbox" | "load_skill" | "worktrees" => "read",
        "edit_file" | "write_file" => "edit",
        "glob" | "grep" | "web_search" => "search",
        "bash" | "finish_worktree" => "execute",
        "web_fetch" => "fetch",
        "todo_write" | "submit_plan" | "compact" => "think",
        _ => "other",
    }
}
