//! Other names of tools: those by which models know them from other programs. They are understood everywhere; a setting shows
//! them to models instead of our own.

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
