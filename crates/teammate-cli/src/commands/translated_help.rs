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
pub(super) fn translated(command: Command) -> Command {
    match language() {
        Language::English => command,
        Language::Chinese => of_command(command),
    }
}

/// What clap prints about a wrong command line, in the language of the user: its own words are about flags and values.
pub(super) fn translated_error(rendered: &str) -> String {
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
    let explained = explained_values(&argument);
    let long = match explained.is_empty() {
        true => long,
        false => long.or_else(|| help.clone()).map(|text| text + &explained),
    };
    if let Some(text) = help {
        argument = argument.help(text);
    }
    if let Some(text) = long {
        argument = argument.long_help(text);
    }
    argument.hide_default_value(true).hide_possible_values(true)
}

/// The values that have a help of their own, each in a line: clap would say them in English.
fn explained_values(argument: &Arg) -> String {
    let values = argument.get_possible_values();
    let values = values.iter().filter(|value| !value.is_hide_set());
    let explained =
        values.filter_map(|value| Some((value.get_name(), value.get_help()?.to_string())));
    let lines: Vec<String> = explained
        .map(|(name, help)| format!("\n- {name}：{}", t(&help)))
        .collect();
    match lines.is_empty() || argument.is_hide_possible_values_set() {
        true => String::new(),
        false => format!("\n{}", lines.concat()),
    }
}

/// A help with the values behind it that clap would name in English.
fn with_values(argument: &Arg, help: &str) -> String {
    let mut text = help.to_owned();
    if !argument.get_action().takes_values() {
        return text;
    }
    let defaults = argument.get_default_values().iter();
    let defaults: Vec<_> = defaults
        .map(|value| value.to_string_lossy())
        .filter(|value| !value.is_empty())
        .collect();
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory as _;
    use teammate_view::language::in_language;

    use super::*;
    use crate::commands::{Cli, help::arranged};

    /// Every text of the help, as clap has it.
    fn texts(command: &Command, all: &mut BTreeSet<String>) {
        let own = [
            command.get_about(),
            command.get_long_about(),
            command.get_after_help(),
        ];
        let of_arguments = command.get_arguments().filter(|one| !one.is_hide_set());
        let of_arguments = of_arguments.flat_map(|one| [one.get_help(), one.get_long_help()]);
        let texts = own.into_iter().chain(of_arguments).flatten();
        all.extend(texts.map(ToString::to_string));
        for argument in command.get_arguments().filter(|one| !one.is_hide_set()) {
            let values = argument.get_possible_values();
            all.extend(
                values
                    .iter()
                    .filter_map(PossibleValue::get_help)
                    .map(ToString::to_string),
            );
        }
        for below in command
            .get_subcommands()
            .filter(|below| !below.is_hide_set())
        {
            self::texts(below, all);
        }
    }

    #[test]
    fn the_whole_help_is_in_the_chinese_catalogue() {
        let mut all = BTreeSet::new();
        texts(&arranged(Cli::command()), &mut all);
        all.retain(|text| !text.is_empty());
        let missing: Vec<_> = in_language(Language::Chinese, || {
            all.into_iter()
                .filter(|text| translation(text).is_none())
                .collect()
        });
        assert!(missing.is_empty(), "zh-CN lacks {missing:#?}");
    }

    #[test]
    fn the_help_of_every_command_is_chinese_with_chinese_headings() {
        in_language(Language::Chinese, || {
            let error = translated(arranged(Cli::command()))
                .try_get_matches_from(["teammate", "run", "--help"])
                .expect_err("help is shown");
            let shown = error.render().to_string();
            for words in ["用法：", "选项:", "哪个团队:", "显示帮助"] {
                assert!(shown.contains(words), "{words}: {shown}");
            }
            assert!(
                !shown.contains("Options:") && !shown.contains("[possible values"),
                "{shown}"
            );
        });
    }

    #[test]
    fn what_is_wrong_with_a_command_line_is_said_in_chinese() {
        let said = in_language(Language::Chinese, || {
            let error = Cli::command().try_get_matches_from(["teammate", "run", "--nope"]);
            translated_error(&error.expect_err("it is wrong").render().to_string())
        });
        assert!(said.starts_with("错误： 不认识的参数“--nope”\n"), "{said}");
        assert!(said.contains("更多信息请用“--help”。"), "{said}");
    }
}
