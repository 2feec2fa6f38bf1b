//! `/status`, also `/config`: what runs here, where, on which model, what it may do and where that is set.

use super::{TypedCall, TypedCommand, in_lines};
use crate::{screen::clean, settings::connects};
use teammate_view::t;

pub(super) const STATUS: TypedCommand = TypedCommand {
    word: "/status",
    usage: "",
    about: "the team, its model, mode and where they are configured",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let options = &call.place.options;
    let team = &call.state;
    let host = match call.team.hosted() {
        Some(_) => t("this process").to_owned(),
        None => call.team.look().await?.host().unwrap_or_default(),
    };
    let lead = team.members().find(|member| member.name.is_lead());
    let model = lead
        .and_then(|lead| team.model_of(lead))
        .map(ToString::to_string);
    let config = options.config_path().filter(|path| path.is_file());
    let config = config.map(|path| path.display().to_string());
    let rows = [
        (t("version"), env!("CARGO_PKG_VERSION").to_owned()),
        (t("team"), team.name().to_owned()),
        (t("workspace"), call.team.workspace().display().to_string()),
        (t("runs in"), host),
        (t("members"), team.members().count().to_string()),
        (t("model"), model.unwrap_or_default()),
        (
            t("mode"),
            team.ceiling()
                .map_or_else(String::new, |mode| mode.to_string()),
        ),
        (
            t("network"),
            connects(options.sandbox()?.network).to_owned(),
        ),
        (t("needs you"), team.questions().count().to_string()),
        (t("tasks"), team.board().summary_line()),
        (
            t("configuration"),
            config.unwrap_or_else(|| t("none").to_owned()),
        ),
    ];
    let rows = rows.into_iter().filter(|(_, text)| !text.is_empty());
    let lines = rows.map(|(name, text)| format!("  {name:<14}{}", clean(&text)));
    Ok(lines.collect::<Vec<_>>().join("\n"))
}
