//! What an agent asks its model, as far as it matters here: the text of it all, and the tools.

use serde_json::Value;
use teammate_testkit::RecordedRequest;

/// A request that wants an answer of the model.
pub(in crate::doors) struct Asked {
    /// The whole request.
    pub(in crate::doors) text: String,
    pub(in crate::doors) is_gemini: bool,
    tools: Vec<Offered>,
}

/// A tool as the agent offers it.
#[derive(Clone)]
pub(in crate::doors) struct Offered {
    pub(in crate::doors) name: String,
    pub(in crate::doors) namespace: Option<String>,
}

impl Asked {
    /// Nothing, if the model is not asked for an answer.
    pub(in crate::doors) fn of(request: &RecordedRequest) -> Option<Self> {
        let is_gemini = request.path.contains("enerateContent");
        let ends = ["/messages", "/chat/completions", "/responses"];
        if !is_gemini && !ends.iter().any(|end| request.path.ends_with(end)) {
            return None;
        }
        let body = request.json();
        let tools = body["tools"].as_array().map(Vec::as_slice);
        Some(Self {
            tools: tools.unwrap_or_default().iter().flat_map(offered).collect(),
            text: request.body.clone(),
            is_gemini,
        })
    }

    /// The tool whose name ends like this: agents put the server's before it.
    pub(in crate::doors) fn offered(&self, name: &str) -> Option<Offered> {
        let found = self.tools.iter().find(|tool| tool.name.ends_with(name));
        found.cloned()
    }
}

/// The tools of an entry: one in most wires, several in Gemini's and in the Responses API's namespaces.
fn offered(entry: &Value) -> Vec<Offered> {
    let named = |tool: &Value, namespace: Option<&str>| {
        let name = tool["name"].as_str().or(tool["function"]["name"].as_str());
        name.map(|name| Offered {
            name: name.to_owned(),
            namespace: namespace.map(str::to_owned),
        })
    };
    let all = |list: &Value, namespace: Option<&str>| {
        let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
        list.iter()
            .filter_map(|tool| named(tool, namespace))
            .collect()
    };
    match (&entry["functionDeclarations"], &entry["type"]) {
        (list @ Value::Array(_), _) => all(list, None),
        (_, kind) if kind == "namespace" => all(&entry["tools"], entry["name"].as_str()),
        _ => named(entry, None).into_iter().collect(),
    }
}
