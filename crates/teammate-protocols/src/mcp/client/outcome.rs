//! The answer of a server to a call, as the model reads it: a stranger's data, cut to a size, the whole in a file.

use std::borrow::Cow;

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;
use teammate_core::{
    fence::escaped,
    port::{OutputFiles, ToolContext},
    tool::{FULL_OUTPUT_IN, Outcome, OutcomePart},
};

/// The largest picture, in bytes of base64: what model servers take.
const PICTURE_MAX: usize = 5 << 20;

/// The pictures that models are shown.
const PICTURES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// The outcome of a call.
pub(crate) async fn outcome(
    result: CallToolResult,
    output_max: usize,
    (files, context): (&dyn OutputFiles, &ToolContext),
) -> Outcome {
    let is_error = result.is_error == Some(true);
    let mut texts = Vec::new();
    let mut pictures = Vec::new();
    for block in result.content {
        match block {
            ContentBlock::Text(text) => texts.push(text.text),
            ContentBlock::Image(image) => match picture(&image.mime_type, image.data) {
                Ok(picture) => pictures.push(picture),
                Err(note) => texts.push(note),
            },
            ContentBlock::Audio(audio) => texts.push(format!(
                "[audio of the type {}, {} bytes of base64; not shown]",
                audio.mime_type,
                audio.data.len()
            )),
            ContentBlock::Resource(found) => texts.push(resource(&found.resource)),
            ContentBlock::ResourceLink(link) => {
                texts.push(format!("[resource {} ({})]", link.uri, link.name));
            }
            // What a later protocol has.
            other => texts.push(serde_json::to_string(&other).unwrap_or_default()),
        }
    }
    if texts.is_empty() && pictures.is_empty() {
        texts.extend(result.structured_content.map(|value| value.to_string()));
    }
    let text = match texts.len() {
        // A long text is not copied.
        1 => texts.remove(0),
        _ => texts.join("\n"),
    };
    let text = shown(text, output_max, (files, context)).await;
    let mut outcome = match is_error {
        true => Outcome::error(text),
        false => Outcome::ok(text),
    };
    outcome.parts.extend(pictures);
    outcome
}

/// The result of a call that is not as the protocol has it, read part by part: what cannot be read is shown as it is written.
/// `None` if it is none.
pub(crate) fn odd_result(result: &Value) -> Option<CallToolResult> {
    let is_error = match result.get("isError") {
        Some(Value::Bool(is_error)) => *is_error,
        Some(Value::String(text)) => text.eq_ignore_ascii_case("true"),
        Some(_) | None => false,
    };
    let parts = match result.get("content") {
        Some(Value::Array(parts)) => parts.iter().map(part).collect(),
        Some(Value::Null) | None => Vec::new(),
        Some(one) => vec![part(one)],
    };
    let structured = result.get("structuredContent");
    if parts.is_empty() && structured.is_none() {
        return None;
    }
    let mut read = match is_error {
        true => CallToolResult::error(parts),
        false => CallToolResult::success(parts),
    };
    read.structured_content = structured.cloned();
    Some(read)
}

fn part(part: &Value) -> ContentBlock {
    if let Ok(read) = serde_json::from_value(part.clone()) {
        return read;
    }
    let kind = part.get("type").and_then(Value::as_str);
    let text = part.as_str().or_else(|| part.get("text")?.as_str());
    ContentBlock::text(match (kind, text) {
        (_, Some(text)) => text.to_owned(),
        (Some("image"), None) => "[a picture that cannot be read; not shown]".to_owned(),
        (Some("audio"), None) => "[audio that cannot be read; not shown]".to_owned(),
        (_, None) => part.to_string(),
    })
}

/// The text of a resource, or what there is to say of it.
pub(crate) fn resource(contents: &ResourceContents) -> String {
    match contents {
        ResourceContents::TextResourceContents { uri, text, .. } => format!("[{uri}]\n{text}"),
        ResourceContents::BlobResourceContents { uri, blob, .. } => {
            format!("[{uri}: {} bytes of base64; not shown]", blob.len())
        }
        // What a later protocol has.
        other => serde_json::to_string(other).unwrap_or_default(),
    }
}

fn picture(kind: &str, base64: String) -> Result<OutcomePart, String> {
    let Some(media_type) = PICTURES.into_iter().find(|known| *known == kind) else {
        return Err(format!("[a picture of the type {kind}; not shown]"));
    };
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
    if base64.is_empty() || base64.len() > PICTURE_MAX || !base64.bytes().all(is_base64) {
        return Err(format!(
            "[a picture of {} bytes of base64, more than {PICTURE_MAX} or damaged; not shown]",
            base64.len()
        ));
    }
    Ok(OutcomePart::Image { media_type, base64 })
}

/// Without secrets and without marks of ours. What it was made of is gone when it is there.
fn readable(text: String, context: &ToolContext) -> String {
    match context.secrets.redact(&text) {
        Cow::Borrowed(text) => escaped(text),
        Cow::Owned(hidden) => {
            drop(text);
            escaped(&hidden)
        }
    }
}

/// The text, or the beginning and the end of it, and where the whole is. A long text is there twice for a moment.
pub(crate) async fn shown(
    text: String,
    max: usize,
    (files, context): (&dyn OutputFiles, &ToolContext),
) -> String {
    let text = readable(text, context);
    if text.is_empty() {
        return "(no content)".to_owned();
    }
    if text.len() <= max {
        return text;
    }
    let (head, tail) = (max / 3 * 2, max / 3);
    let head = text[..text.floor_char_boundary(head)].to_owned();
    let from = text.ceil_char_boundary(text.len() - tail);
    let left_out = from - head.len();
    let tail = text[from..].to_owned();
    let filed = files.file(text, context).await;
    let filed = filed.map_or_else(
        |why| format!("the rest is lost, as it could not be written: {why}"),
        |path| format!("{FULL_OUTPUT_IN}{}", path.display()),
    );
    format!(
        "{head}\n[{left_out} bytes are left out here; {filed}; read_file shows parts of it]\n{tail}"
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_part_that_cannot_be_read_keeps_the_rest() {
        let texts = |result: Value| {
            let read = odd_result(&result)?;
            let texts = read.content.iter().map(|block| match block {
                ContentBlock::Text(text) => text.text.clone(),
                other => format!("{other:?}"),
            });
            Some(texts.collect::<Vec<_>>())
        };
        let text = json!({ "type": "text", "text": "a" });
        for (content, shown) in [
            (
                json!([text, { "type": "later", "data": 1 }]),
                vec!["a", r#"{"type":"later","data":1}"#],
            ),
            (
                json!([text, { "type": "image" }]),
                vec!["a", "[a picture that cannot be read; not shown]"],
            ),
            (json!([text, "b"]), vec!["a", "b"]),
            (json!([{ "text": "b" }]), vec!["b"]),
            (json!("a"), vec!["a"]),
            (text, vec!["a"]),
        ] {
            assert_eq!(
                texts(json!({ "content": content })).unwrap(),
                shown,
                "{content}"
            );
        }
        assert!(odd_result(&json!({ "resultType": "complete" })).is_none());
        let failed = odd_result(&json!({ "content": "no", "isError": "true" })).unwrap();
        assert_eq!(failed.is_error, Some(true));
    }

    #[test]
    fn an_empty_picture_is_said_to_be_none() {
        assert!(picture("image/png", String::new()).is_err());
        assert!(picture("image/png", "iVBORw0KGgo=".to_owned()).is_ok());
    }
}
