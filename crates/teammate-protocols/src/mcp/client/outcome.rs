//! The answer of a server to a call, as the model reads it: a stranger's data, cut to a size, the whole in a file.

use std::borrow::Cow;

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
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
    if base64.len() > PICTURE_MAX || !base64.bytes().all(is_base64) {
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
