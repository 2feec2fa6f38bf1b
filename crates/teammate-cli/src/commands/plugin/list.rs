//! `teammate plugin list`: the installed plug-ins, and which of them are used.

use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use teammate::project::{PluginRecord, PluginRecords, Plugins};

use super::show::parts;
use crate::{
    commands::{CliResult, note, print_json, print_line},
    screen::{Style, clean_line},
    settings::user_dirs,
};

/// List the installed plug-ins
#[derive(Args)]
pub(super) struct List {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn run(self) -> CliResult {
        let user = user_dirs();
        let records = PluginRecords::of_user(&user).list();
        let plugins = Plugins::of_user(&user);
        if self.json {
            print_json(&json_of(&records, &plugins));
            return Ok(ExitCode::SUCCESS);
        }
        let style = Style::for_stdout();
        for record in &records {
            let used = plugins.used.iter().find(|used| *used.name() == record.name);
            let about = match used {
                Some(plugin) => format!("{}  {}", plugin.version(), parts(plugin)),
                None => "not used".to_owned(),
            };
            print_line(format!(
                "{}  {}",
                style.bold(record.name.as_str()),
                clean_line(&about)
            ));
            let from = clean_line(&record.source);
            let path = record.path.as_deref().map(clean_line);
            let path = path.map(|path| format!(", {path}")).unwrap_or_default();
            print_line(style.dim(&format!("  from {from}{path}")));
        }
        if records.is_empty() {
            print_line("No plug-ins. Install one: teammate plugin add SOURCE");
        }
        for notice in &plugins.notices {
            note(notice);
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn json_of(records: &[PluginRecord], plugins: &Plugins) -> Value {
    let all = records.iter().map(|record| {
        let used = plugins.used.iter().find(|used| *used.name() == record.name);
        json!({
            "name": record.name,
            "version": used.map(teammate::project::Plugin::version),
            "source": record.source,
            "path": record.path,
            "hash": record.hash,
            "is_used": used.is_some(),
        })
    });
    json!({ "plugins": all.collect::<Value>(), "notices": plugins.notices })
}
