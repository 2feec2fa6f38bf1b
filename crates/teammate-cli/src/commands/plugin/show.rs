//! All that a plug-in brings, for the user to look at before they say yes.

use teammate::{
    hooks::{HookFile, HookOrigin},
    project::{CommandOrigin, Plugin, TextFile},
};

use crate::{
    commands::print_line,
    screen::{Style, clean_block, clean_line},
};

/// The whole of it.
pub(super) fn show(plugin: &Plugin) {
    let style = Style::for_stdout();
    let name = style.bold(plugin.name().as_str());
    let version = clean_line(plugin.version());
    print_line(format!("{name} {version}").trim_end());
    if !plugin.description().is_empty() {
        print_line(clean_block(plugin.description(), "  "));
    }
    let make = plugin.make().file();
    print_line(format!(
        "  {make}, {} files, hash {:.12}",
        plugin.file_count(),
        plugin.hash()
    ));
    let skills = plugin.skill_files();
    titled(
        "Skills, which members load; scripts beside them run as members' commands, and are asked about like those:",
        skills.iter().map(|file| file.name),
    );
    let agents = TextFile::agents_of(plugin);
    titled(
        "Agent definitions, for teammates and subagents:",
        agents.iter().map(|file| file.shown.as_str()),
    );
    show_commands(&TextFile::commands_of(plugin));
    show_hooks(plugin);
    let servers = plugin.servers();
    if !servers.is_empty() {
        print_line("\nMCP servers, programs that run in your team's sandbox, and addresses:");
        for text in servers {
            print_line(clean_block(&text, "    "));
        }
    }
    if let Some((name, bytes)) = plugin.context() {
        print_line(format!("\nWhat every member reads ({name}):"));
        print_line(clean_block(&String::from_utf8_lossy(bytes), "    "));
    }
    print_line("");
}

fn titled<'a>(title: &str, lines: impl Iterator<Item = &'a str>) {
    let mut lines = lines.peekable();
    if lines.peek().is_some() {
        print_line(format!("\n{title}"));
    }
    for line in lines {
        print_line(format!("  {}", clean_line(line)));
    }
}

fn show_commands(files: &[TextFile]) {
    if files.is_empty() {
        return;
    }
    print_line("\nCommands of the prompt: typing one sends these words to the lead as yours");
    let style = Style::for_stdout();
    for file in files {
        match file.command(CommandOrigin::Plugin) {
            Ok(command) => {
                let name = style.bold(&format!("/{}", clean_line(&command.name)));
                print_line(format!("  {name}"));
                print_line(clean_block(&command.body, "    "));
            }
            Err(why) => print_line(format!("  {}", clean_line(&why))),
        }
    }
}

fn show_hooks(plugin: &Plugin) {
    let texts = plugin.hooks();
    if texts.is_empty() {
        return;
    }
    print_line("\nHooks, commands that run unasked in your team's sandbox at its events:");
    let origin = HookOrigin::Plugin(plugin.name().to_string());
    for text in texts {
        match HookFile::read(&text, &origin) {
            Ok(file) => {
                for hook in &file.hooks {
                    let matcher = clean_line(hook.matcher.as_str());
                    print_line(format!("  {} {matcher}", hook.event).trim_end());
                    print_line(clean_block(&hook.command, "    "));
                }
                for remark in &file.remarks {
                    print_line(format!("  note: {}", clean_line(remark)));
                }
            }
            Err(error) => print_line(format!("  note: {}", clean_line(&error.to_string()))),
        }
    }
}

/// The parts of the plug-in, in a line.
pub(super) fn parts(plugin: &Plugin) -> String {
    let skills = plugin.skill_files();
    let skills = skills
        .iter()
        .filter(|file| file.name.ends_with("SKILL.md"))
        .count();
    let counts = [
        (skills, "skills"),
        (plugin.agent_files().len(), "agents"),
        (plugin.command_files().len(), "commands"),
        (plugin.hooks().len(), "files of hooks"),
        (plugin.servers().len(), "files of MCP servers"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    counts.join(", ")
}
