//! `sandbox` among the settings, which is an option of the SDKs, too. Commands are held here in any case, so what asks for that changes
//! nothing; what would hold them less is refused.

use serde_json::{Map, Value};

use super::{Made, texts, values};

/// What is made of it.
///
/// Errors: what would open the sandbox, or is not done here.
pub(super) fn flags(sandbox: &Map<String, Value>) -> Made {
    let mut flags = Vec::new();
    for (name, value) in sandbox {
        match (name.as_str(), value) {
            (
                "enabled"
                | "failIfUnavailable"
                | "allowUnsandboxedCommands"
                | "enableWeakerNestedSandbox",
                Value::Bool(_),
            )
            | ("autoAllowBashIfSandboxed", Value::Bool(false))
            | ("ignoreViolations", Value::Object(_)) => {}
            ("autoAllowBashIfSandboxed", Value::Bool(true)) => {
                return Err(
                    "sandbox.autoAllowBashIfSandboxed is not done here: the rule Bash in allowedTools lets commands run without a question"
                        .to_owned(),
                );
            }
            ("excludedCommands", Value::Array(all)) if all.is_empty() => {}
            ("network", Value::Object(network)) => flags.extend(of_network(network)?),
            ("filesystem", Value::Object(files)) => flags.extend(of_files(files)?),
            _ => return Err(not_used(name)),
        }
    }
    Ok(flags)
}

fn of_network(network: &Map<String, Value>) -> Made {
    let mut flags = Vec::new();
    for (name, value) in network {
        match (name.as_str(), value) {
            ("allowedDomains", Value::Array(hosts)) => {
                flags.extend(texts(hosts).map(|host| format!("--allow=net({host})")));
            }
            ("deniedDomains", Value::Array(hosts)) => {
                flags.extend(texts(hosts).map(|host| format!("--deny=net({host})")));
            }
            (_, Value::Bool(false)) => {}
            (_, Value::Array(all)) if all.is_empty() => {}
            _ => return Err(not_used(&format!("network.{name}"))),
        }
    }
    Ok(flags)
}

fn of_files(files: &Map<String, Value>) -> Made {
    let mut flags = Vec::new();
    for (name, value) in files {
        match (name.as_str(), value) {
            ("allowWrite", Value::Array(paths)) => {
                for path in texts(paths) {
                    flags.extend(values::add_dir(path)?);
                }
            }
            (_, Value::Bool(false)) => {}
            (_, Value::Array(all)) if all.is_empty() => {}
            _ => return Err(not_used(&format!("filesystem.{name}"))),
        }
    }
    Ok(flags)
}

fn not_used(name: &str) -> String {
    format!(
        "sandbox.{name} is not used here; what commands may do is in [sandbox] of the configuration (docs/configuration.md)"
    )
}
