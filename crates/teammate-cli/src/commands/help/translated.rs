//! The help in the language of the user: every text of it is a key of the catalogue, as clap has it.

use clap::{
    Arg, Command,
    builder::{PossibleValue, StyledStr},
};
use teammate_view::{
    language::{Language, language, translated_sentence, translation},
    t,
};

/// The command line with its help in the language of the user. It reads the same words as before.
pub(in crate::commands) fn translated(command: Command) -> Command {
    match language() {
        Language::English => command,
        Language::Chinese => of_command(command),
    }
}

/// What clap prints about a wrong command line, in the language of the user: its own words are about flags and values.
pub(in crate::commands) fn translated_error(rendered: &str) -> String {
    if language() == Language::English {
        return rendered.to_owned();
    }
    let lines = rendered.split_inclusive('\n').map(|line| {
        let text = line.trim();
        let said = ["error:", "tip:", "Usage:"].iter().find_map(|word| {
            let rest = text.strip_prefix(word)?.trim_start();
            Some(format!("{} {}", t(word), translated_sentence(rest)))
        });
        let said = said.unwrap_or_else(|| translated_sentence(text).into_owned());
        let indent = line.len() - line.trim_start_matches(' ').len();
        let end = if line.ends_with('\n') { "\n" } else { "" };
        format!("{:indent$}{said}{end}", "")
    });
    lines.collect()
}

fn of_command(mut command: Command) -> Command {
    let said = |text: Option<&StyledStr>| text.map(|text| t(&text.to_string()).to_owned());
    if let Some(text) = said(command.get_about()) {
        command = command.about(text);
    }
    if let Some(text) = said(command.get_long_about()) {
        command = command.long_about(text);
    }
    if let Some(text) = said(command.get_after_help()) {
        command = command.after_help(text);
    }
    command
        .subcommand_help_heading(t("Commands"))
        .help_template(template())
        .mut_args(of_argument)
        .mut_subcommands(of_command)
}

/// Clap's own, with the heading that no setting has.
fn template() -> String {
    let usage = t("Usage:");
    format!(
        "{{before-help}}{{about-with-newline}}\n\u{1b}[1m\u{1b}[4m{usage}\u{1b}[0m {{usage}}\n\n{{all-args}}{{after-help}}"
    )
}

fn of_argument(mut argument: Arg) -> Arg {
    let usual = match argument.is_positional() {
        true => "Arguments",
        false => "Options",
    };
    let heading = argument.get_help_heading().unwrap_or(usual);
    if let Some(heading) = translation(heading) {
        argument = argument.help_heading(heading);
    }
    let (help, long) = (argument.get_help(), argument.get_long_help());
    let help = help.map(|text| with_values(&argument, t(&text.to_string())));
    let long = long.map(|text| with_values(&argument, t(&text.to_string())));
    if let Some(text) = help {
        argument = argument.help(text);
    }
    if let Some(text) = long {
        argument = argument.long_help(text);
    }
    argument.hide_default_value(true).hide_possible_values(true)
}

/// A help with the values behind it that clap would name in English.
fn with_values(argument: &Arg, help: &str) -> String {
    let mut text = help.to_owned();
    if !argument.get_action().takes_values() {
        return text;
    }
    let defaults = argument.get_default_values().iter();
    let defaults: Vec<_> = defaults.map(|value| value.to_string_lossy()).collect();
    if !argument.is_hide_default_value_set() && !defaults.is_empty() {
        text += &t!(" [default: {values}]", values = defaults.join(" "));
    }
    let possible = argument.get_possible_values();
    let possible = possible.iter().filter(|value| !value.is_hide_set());
    let possible: Vec<&str> = possible.map(PossibleValue::get_name).collect();
    if !argument.is_hide_possible_values_set() && !possible.is_empty() {
        text += &t!(" [possible values: {values}]", values = possible.join(", "));
    }
    text
}
