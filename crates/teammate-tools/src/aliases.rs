//! Other names of tools: those by which models know them from other programs. They are understood everywhere; a setting shows
//! them to models instead of our own. Arguments of other programs that nothing here reads are decided about one by one.

mod foreign;

pub(crate) use foreign::{ForeignArgument, foreign_argument};

/// Alias and name; the first alias of a tool is the one that is shown.
pub const TOOL_ALIASES: [(&str, &str); 25] = [
    ("Bash", "bash"),
    ("Read", "read_file"),
    ("Write", "write_file"),
    ("Edit", "edit_file"),
    ("Glob", "glob"),
    ("Grep", "grep"),
    ("WebFetch", "web_fetch"),
    ("WebSearch", "web_search"),
    ("SendMessage", "send_message"),
    ("TeamCreate", "create_team"),
    ("TeamDelete", "delete_team"),
    ("Task", "task"),
    ("Agent", "task"),
    ("TaskCreate", "create_task"),
    ("TaskGet", "get_task"),
    ("TaskUpdate", "update_task"),
    ("TaskList", "list_tasks"),
    ("TaskOutput", "task_output"),
    ("BashOutput", "task_output"),
    ("TaskStop", "task_stop"),
    ("KillShell", "task_stop"),
    ("Skill", "load_skill"),
    ("TodoWrite", "todo_write"),
    ("ExitPlanMode", "submit_plan"),
    ("check_inbox", "read_inbox"),
];

/// Tool, argument, and the name by which hooks written for other programs look for that argument. An argument that a tool takes
/// under several names has one there.
pub const ARGUMENT_ALIASES: [(&str, &str, &str); 22] = [
    ("bash", "cmd", "command"),
    ("bash", "background", "run_in_background"),
    ("read_file", "path", "file_path"),
    ("write_file", "path", "file_path"),
    ("edit_file", "path", "file_path"),
    ("edit_file", "old_text", "old_string"),
    ("edit_file", "new_text", "new_string"),
    ("edit_file", "all", "replace_all"),
    ("send_message", "recipient", "to"),
    ("send_message", "content", "message"),
    ("create_task", "active_form", "activeForm"),
    ("create_task", "blocked_by", "blockedBy"),
    ("get_task", "task_id", "taskId"),
    ("get_task", "id", "taskId"),
    ("update_task", "task_id", "taskId"),
    ("update_task", "id", "taskId"),
    ("task", "agent_type", "subagent_type"),
    ("task", "agent", "subagent_type"),
    ("task", "background", "run_in_background"),
    ("load_skill", "name", "skill"),
    ("todo_write", "items", "todos"),
    ("submit_plan", "text", "plan"),
];
