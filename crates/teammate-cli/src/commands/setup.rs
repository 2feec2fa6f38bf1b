//! `teammate setup`: walks through whose models the team uses, where the key is, which model and which permission mode, tries
//! them, and writes them into the configuration file as somebody would by hand.

mod ask;
mod edit;
mod key;
mod server;

use std::{path::PathBuf, process::ExitCode, time::Duration};
use teammate_view::t;

use anyhow::{Context as _, bail};
use clap::Args;
use teammate::{ListedModel, Mode, ModelRef, Providers};
use teammate_view::screens::welcome::mode_words;

use self::{
    edit::Edit,
    key::KeyFrom,
    server::{KeyCustom, Server},
};
use super::{CliContext, CliResult, SharedOptions, Verb, note, own_programs, print_line};
use crate::{screen::clean_line, settings::parse_mode};

/// A server must list its models within this time.
const LISTS_WITHIN: Duration = Duration::from_secs(30);

/// So many models of a list are shown at once.
const SHOWN_MAX: usize = 15;

/// Choose whose models your teams use, where the key is, a model and a permission mode, and try them
///
/// Without --vendor it asks at the terminal, step by step. With it, flags say the rest: --model where the server has no
/// usual one. It writes the configuration file, and never a key into it.
#[derive(Args)]
pub(crate) struct Setup {
    /// anthropic, openai, openrouter, ollama, lmstudio, llamacpp, vllm, or the base URL of a server that speaks
    /// OpenAI's chat completions
    #[arg(long, value_name = "NAME|URL")]
    vendor: Option<String>,

    /// The environment variable that holds the key
    #[arg(long, value_name = "VARIABLE")]
    key_env: Option<String>,

    /// A command line that prints the key, such as 'pass show api/anthropic'
    #[arg(long, value_name = "COMMAND", conflicts_with = "key_env")]
    key_command: Option<String>,

    /// Read the key from standard input, and keep it in a file that only you can read
    #[arg(long, conflicts_with_all = ["key_env", "key_command"])]
    key_stdin: bool,

    /// How much members may do without asking: ask, accept-edits or bypass
    #[arg(long, value_name = "MODE", value_parser = parse_mode)]
    mode: Option<Mode>,

    /// Write it down without trying it
    #[arg(long)]
    no_trial: bool,
}

impl Verb for Setup {
    const SHARED: SharedOptions = SharedOptions::OfPlace(&["model"]);

    async fn run(self, place: &CliContext) -> CliResult {
        if self.vendor.is_none() && !ask::is_possible() {
            bail!(unattended());
        }
        self.carry_out(place).await?;
        print_line(t(
            "Set up. `teammate` opens a team in the directory that you are in",
        ));
        Ok(ExitCode::SUCCESS)
    }
}

/// What to do where nobody can be asked.
fn unattended() -> String {
    format!(
        "cannot ask here: this is no terminal. Give the answers as flags: teammate setup --vendor {} [--key-env VARIABLE | \
         --key-command COMMAND | --key-stdin] [--model NAME] [--mode MODE] [--no-trial]",
        Server::WORDS
            .replace(", or a base URL", "|URL")
            .replace(", ", "|")
    )
}

/// Offers to set a model up where a team is opened and none is.
pub(super) async fn offer(place: &CliContext) -> anyhow::Result<()> {
    if !place.options.lacks_model() || !ask::is_possible() {
        return Ok(());
    }
    // One that runs has its models.
    let team = place.look_at(place.team()).await?;
    if team.is_ok_and(|team| place.is_of_others(&team)) {
        return Ok(());
    }
    print_line(t(
        "No model is set up yet: a team needs one, from a vendor or from this machine.",
    ));
    if !ask::yes(t("Set one up now?"))? {
        return Ok(());
    }
    Setup::asking().carry_out(place).await
}

impl Setup {
    /// One that asks for everything.
    fn asking() -> Self {
        Self {
            vendor: None,
            key_env: None,
            key_command: None,
            key_stdin: false,
            mode: None,
            no_trial: false,
        }
    }

    async fn carry_out(self, place: &CliContext) -> anyhow::Result<()> {
        let path = place.options.config_path();
        let path = path
            .context("there is no directory for your configuration: name a file with --config")?;
        let server = match &self.vendor {
            Some(word) => Server::named(word)?,
            None => Server::ask().await?,
        };
        let key = self.key(&server)?;
        let done = self
            .with_key(
                place,
                &Chosen {
                    path,
                    server,
                    key: key.clone(),
                },
            )
            .await;
        match done {
            Ok(true) => Ok(()),
            Ok(false) => {
                key.forget();
                bail!("nothing was set up")
            }
            Err(error) => {
                key.forget();
                Err(error)
            }
        }
    }

    /// Where the key is, by a flag, a question, or the custom of the vendor.
    fn key(&self, server: &Server) -> anyhow::Result<KeyFrom> {
        if self.key_stdin {
            return KeyFrom::read(server);
        }
        match (&self.key_env, &self.key_command) {
            (Some(variable), _) => return Ok(KeyFrom::Variable(variable.clone())),
            (None, Some(line)) => return Ok(KeyFrom::Command(line.clone())),
            (None, None) => {}
        }
        match server.key {
            _ if self.vendor.is_none() => KeyFrom::ask(server),
            KeyCustom::Variable(usual) => Ok(KeyFrom::Variable(usual.to_owned())),
            KeyCustom::None | KeyCustom::Unknown => Ok(KeyFrom::None),
        }
    }

    /// The rest of it: the model, the mode, the trial, and the file. False if it was given up.
    async fn with_key(&self, place: &CliContext, chosen: &Chosen) -> anyhow::Result<bool> {
        let providers = chosen.providers(place)?;
        let model = self.model(place, chosen, &providers).await?;
        let mode = match self.mode {
            Some(mode) => Some(mode),
            None if self.vendor.is_none() => Some(ask_mode()?),
            None => None,
        };
        if !self.no_trial && !self.tries(&providers, &model).await? {
            return Ok(false);
        }
        let text = chosen.text(Some((&model, mode)))?;
        edit::write(&chosen.path, &text)
            .with_context(|| format!("cannot write {}", chosen.path.display()))?;
        print_line(t!("Wrote {path}", path = chosen.path.display()));
        if own_programs::set("TEAMMATE_MODEL").is_some() {
            note(t(
                "TEAMMATE_MODEL is set, and comes before the configuration file",
            ));
        }
        Ok(true)
    }

    async fn model(
        &self,
        place: &CliContext,
        chosen: &Chosen,
        providers: &Providers,
    ) -> anyhow::Result<ModelRef> {
        let Server { name, usual, .. } = &chosen.server;
        // With or without the name of the server before it.
        let of_it = |id: &str| {
            let id = id.strip_prefix(&format!("{name}:")).unwrap_or(id);
            ModelRef {
                provider: name.clone(),
                name: id.to_owned(),
            }
        };
        if let Some(id) = place.given_model() {
            return Ok(of_it(&id));
        }
        if self.vendor.is_some()
            && let Some(usual) = usual
        {
            return Ok(of_it(usual));
        }
        let listed = providers.list_models(name, LISTS_WITHIN).await;
        let listed = match listed {
            Ok(listed) => listed,
            Err(why) if self.vendor.is_some() => bail!("{}. Name a model with --model", why.what),
            Err(why) => {
                print_line(t!(
                    "Its models cannot be listed: {why}",
                    why = clean_line(&why.what)
                ));
                Vec::new()
            }
        };
        match (self.vendor.is_some(), listed.as_slice()) {
            (true, [only]) => Ok(of_it(&only.id)),
            (true, several) => bail!(
                "which model? Name one with --model; {name} has {}",
                names(several)
            ),
            (false, listed) => Ok(of_it(&ask_model(listed, *usual)?)),
        }
    }

    /// Asks the model for a word. A refusal says what would work; whether it is to be kept all the same is asked.
    async fn tries(&self, providers: &Providers, model: &ModelRef) -> anyhow::Result<bool> {
        print_line(t!("Asking {model} for one word ...", model));
        let Err(why) = providers.try_model(model).await else {
            print_line(t("It answers."));
            return Ok(true);
        };
        if self.vendor.is_some() {
            bail!(
                "{}. Nothing was written; --no-trial writes it all the same",
                why.what
            );
        }
        print_line(t!("It does not: {why}", why = clean_line(&why.what)));
        ask::only_yes(t("Keep these settings all the same?"))
    }
}

/// A server with its key, and the file that is to have them.
struct Chosen {
    path: PathBuf,
    server: Server,
    key: KeyFrom,
}

impl Chosen {
    /// The file with the server, and with a model and a mode when they are known.
    fn text(&self, model: Option<(&ModelRef, Option<Mode>)>) -> anyhow::Result<String> {
        let text = edit::read(&self.path)
            .with_context(|| format!("cannot read {}", self.path.display()))?;
        let mut edits = Vec::new();
        if let Some((model, mode)) = model {
            edits.push(Edit::top("model", &model.to_string()));
            edits.extend(mode.map(|mode| Edit::top("permission_mode", &mode.to_string())));
        }
        let name = &self.server.name;
        if let Some(url) = &self.server.base_url {
            edits.push(Edit::of_provider(name, "wire", Some("openai")));
            edits.push(Edit::of_provider(name, "base_url", Some(url)));
        }
        edits.extend(self.key.edits(&self.server));
        edit::changed(&text, &edits).map_err(anyhow::Error::msg)
    }

    /// The providers as they will be.
    fn providers(&self, place: &CliContext) -> anyhow::Result<Providers> {
        let text = self.text(None)?;
        // A line of a key command may have a password in it.
        let trial = self
            .path
            .with_extension(format!("trial.{}", std::process::id()));
        edit::write_private(&trial, &text)
            .with_context(|| format!("cannot write {}", trial.display()))?;
        let providers = place
            .options
            .clone()
            .configured_by(trial.clone())
            .providers();
        let _ = std::fs::remove_file(&trial);
        providers
    }
}

fn names(models: &[ListedModel]) -> String {
    if models.is_empty() {
        return t("no list of models").to_owned();
    }
    let shown = models
        .iter()
        .take(SHOWN_MAX)
        .map(|model| clean_line(&model.id));
    let mut text = shown.collect::<Vec<_>>().join(", ");
    if let Some(more) = teammate_view::more(models.len(), SHOWN_MAX) {
        text.push_str(&t!(" and {more}", more));
    }
    text
}

/// Asks for a model: by its number, its name or a part of the name.
fn ask_model(listed: &[ListedModel], usual: Option<&str>) -> anyhow::Result<String> {
    let is_there = |id: &&str| listed.is_empty() || listed.iter().any(|model| model.id == **id);
    let first = listed.first().map(|model| model.id.as_str());
    let usual = usual.filter(is_there).or(first);
    let mut shown: Vec<&ListedModel> = listed.iter().collect();
    loop {
        for (number, model) in (1..).zip(shown.iter().take(SHOWN_MAX)) {
            print_line(format!("  {number}  {}", clean_line(&model.id)));
        }
        if let Some(more) = teammate_view::more(shown.len(), SHOWN_MAX) {
            print_line(t!("  … {more}: a part of a name finds them", more));
        }
        let usual_text = usual.map(|usual| format!(" [{}]", clean_line(usual)));
        let answer = ask::text(&t!(
            "Which model?{usual} ",
            usual = usual_text.unwrap_or_default()
        ))?;
        if let ("", Some(usual)) = (answer.as_str(), usual) {
            return Ok(usual.to_owned());
        }
        let by_number = answer
            .parse::<usize>()
            .ok()
            .and_then(|number| number.checked_sub(1));
        if let Some(model) = by_number.and_then(|at| shown.get(at)) {
            return Ok(model.id.clone());
        }
        let found: Vec<&ListedModel> = listed
            .iter()
            .filter(|model| model.id.contains(&answer))
            .collect();
        match found.as_slice() {
            _ if listed.is_empty() && !answer.is_empty() => return Ok(answer),
            [] => print_line(t("No model has that in its name")),
            [only] => return Ok(only.id.clone()),
            _ if found.iter().any(|model| model.id == answer) => return Ok(answer),
            _ => shown = found,
        }
    }
}

fn ask_mode() -> anyhow::Result<Mode> {
    print_line(t("How much may members do without asking you?"));
    let rows = Mode::ALL.map(|(mode, name)| format!("{name:<14}{}", mode_words(mode)));
    let chosen = ask::one_of(t("Which?"), &rows, 0)?;
    Ok(Mode::ALL[chosen].0)
}
