//! What a request may say about thinking and its answer, as the API takes it (docs "Adaptive thinking", "Extended thinking",
//! "Effort", "Structured outputs", 2026).

use serde_json::{Map, Value};

use crate::fields::{Checked, object, only, text};

/// The beta feature without which `block_binding` is refused.
const BINDING: &str = "thinking-binding-controls-2026-08-01";

/// Refuses wrong fields of a request with this limit of its answer.
pub(super) fn check(top: &Map<String, Value>, max_tokens: u64) -> Checked<()> {
    if let Some(config) = top.get("output_config") {
        output_config(object(config, "output_config")?)?;
    }
    match top.get("thinking") {
        Some(thinking) => self::thinking(object(thinking, "thinking")?, top, max_tokens),
        None => Ok(()),
    }
}

/// Refuses fields that need a beta feature which the header does not name.
pub(crate) fn check_beta(body: &str, beta: Option<&str>) -> Checked<()> {
    let is_named = beta.is_some_and(|beta| beta.split(',').any(|name| name.trim() == BINDING));
    match body.contains(r#""block_binding""#) && !is_named {
        true => Err("thinking.block_binding: Extra inputs are not permitted".to_owned()),
        false => Ok(()),
    }
}

fn output_config(config: &Map<String, Value>) -> Checked<()> {
    only(config, &["effort", "format"], "output_config")?;
    let levels = ["low", "medium", "high", "xhigh", "max"];
    if config.contains_key("effort") && !levels.contains(&text(config, "effort", "output_config")?)
    {
        return Err(format!("output_config.effort: one of {levels:?}"));
    }
    if let Some(format) = config.get("format") {
        let format = object(format, "output_config.format")?;
        only(format, &["type", "schema"], "output_config.format")?;
        if format.get("type") != Some(&"json_schema".into()) {
            return Err("output_config.format.type: json_schema is required".to_owned());
        }
        object(format.get("schema").unwrap_or(&Value::Null), "schema")?;
    }
    Ok(())
}

fn thinking(
    thinking: &Map<String, Value>,
    top: &Map<String, Value>,
    max_tokens: u64,
) -> Checked<()> {
    let allowed: &[&str] = match text(thinking, "type", "thinking")? {
        "adaptive" => &["type", "display", "block_binding"],
        "enabled" => &["type", "display", "budget_tokens"],
        "disabled" | "between_tools" => &["type"],
        other => return Err(format!("thinking.type: '{other}'")),
    };
    only(thinking, allowed, "thinking")?;
    if thinking.get("type") != Some(&"enabled".into()) {
        return Ok(());
    }
    if top.contains_key("temperature") || top.contains_key("top_k") {
        return Err("`temperature` may only be set when thinking is off".to_owned());
    }
    match thinking.get("budget_tokens").and_then(Value::as_u64) {
        Some(budget) if budget >= 1_024 && budget < max_tokens => Ok(()),
        Some(budget) if budget < 1_024 => {
            Err("thinking.enabled.budget_tokens: at least 1024".to_owned())
        }
        Some(_) | None => Err("`max_tokens` must be greater than `budget_tokens`".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_api_refuses_is_refused() {
        let good = [
            json!({ "thinking": { "type": "adaptive", "display": "summarized" } }),
            json!({ "thinking": { "type": "enabled", "budget_tokens": 2000 } }),
            json!({ "thinking": { "type": "disabled" }, "temperature": 0.5 }),
            json!({ "output_config": { "effort": "max", "format": { "type": "json_schema", "schema": {} } } }),
        ];
        let bad = [
            json!({ "thinking": { "type": "on" } }),
            json!({ "thinking": { "type": "adaptive", "budget_tokens": 2000 } }),
            json!({ "thinking": { "type": "enabled", "budget_tokens": 1000 } }),
            json!({ "thinking": { "type": "enabled", "budget_tokens": 9000 } }),
            json!({ "thinking": { "type": "enabled", "budget_tokens": 2000 }, "temperature": 1 }),
            json!({ "output_config": { "effort": "off" } }),
            json!({ "output_config": { "format": { "type": "json" } } }),
        ];
        let checked = |body: &Value| check(body.as_object().unwrap(), 8_000);
        for body in good {
            assert_eq!(checked(&body), Ok(()), "{body}");
        }
        for body in bad {
            assert!(checked(&body).is_err(), "{body}");
        }
        let bound = r#"{"thinking":{"type":"adaptive","block_binding":{}}}"#;
        assert!(check_beta(bound, None).is_err());
        assert_eq!(check_beta(bound, Some(&format!("x, {BINDING}"))), Ok(()));
        assert_eq!(check_beta("{}", None), Ok(()));
    }
}
