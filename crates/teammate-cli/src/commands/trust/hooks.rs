//! The hooks of a workspace, for the user to look at: what runs, when, and which scripts belong to it.

use teammate::project::{PROJECT_HOOKS_FILE, ProjectHooks};

use crate::{
    commands::print_line,
    screen::{Style, clean_line},
};

pub(super) fn show(hooks: &ProjectHooks) {
    print_line(format!(
        "Hooks in {PROJECT_HOOKS_FILE}: commands that run in your team's sandbox at its events, and may refuse them"
    ));
    let style = Style::for_stdout();
    match hooks.file() {
        Ok(file) => {
            for hook in &file.hooks {
                let matcher = match hook.matcher.as_str() {
                    "" => String::new(),
                    matcher => format!(" ({})", clean_line(matcher)),
                };
                let event = style.bold(hook.event.name());
                print_line(format!("  {event}{matcher}"));
                for line in hook.command.lines() {
                    print_line(format!("    {}", clean_line(line)));
                }
            }
            for remark in &file.remarks {
                print_line(format!("  note: {}", clean_line(remark)));
            }
        }
        Err(why) => print_line(format!("  note: {}", clean_line(why))),
    }
    let mut scripts = hooks.scripts();
    scripts.extend(hooks.named().names());
    if !scripts.is_empty() {
        print_line(
            "  Scripts that are trusted with them, and count as changed when one of them is:",
        );
    }
    for script in scripts {
        print_line(format!("    {}", clean_line(&script)));
    }
    print_line("  What these load in their turn is not: a change of such a file asks nobody.");
    print_line("");
}
