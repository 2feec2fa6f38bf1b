//! A prompt in blocks as what the user says to the lead: its texts, with pictures beside them. Callers of `claude -p` have their own
//! blocks, which their door makes into these.

use serde::Deserialize;
use serde_json::Value;
use teammate::{
    UserMessage,
    attachments::{Attachment, Attachments, attachment_of_base64},
};

/// A block of a prompt.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    Text {
        text: String,
    },
    Image {
        data: String,
        #[serde(default)]
        uri: Option<String>,
    },
    ResourceLink {
        #[serde(default)]
        name: String,
        uri: String,
    },
    Resource {
        resource: Resource,
    },
    /// Of a kind that is not offered.
    #[serde(other)]
    Other,
}

/// A text of the editor's, or bytes, which are not offered.
#[derive(Debug, Deserialize)]
struct Resource {
    uri: String,
    #[serde(default)]
    text: Option<String>,
}

/// The user's message. Holds up its thread: a large picture takes a second.
///
/// Errors: what is not taken, in words.
pub(crate) fn message(blocks: Vec<Value>) -> Result<UserMessage, String> {
    let mut texts: Vec<String> = Vec::new();
    let mut pictures: Vec<Attachment> = Vec::new();
    for block in blocks {
        let block = Block::deserialize(block);
        match block.map_err(|error| format!("a block of the prompt: {error}"))? {
            Block::Text { text } => texts.push(text),
            Block::Image { data, uri } => {
                let name = uri.unwrap_or_else(|| format!("picture {}", pictures.len() + 1));
                let picture = attachment_of_base64(&data, &name);
                let picture = picture.map_err(|why| format!("a picture cannot be sent: {why}"))?;
                pictures.push(picture);
            }
            Block::ResourceLink { name, uri } => texts.push(link(&name, &uri)),
            Block::Resource {
                resource:
                    Resource {
                        uri,
                        text: Some(text),
                    },
            } => texts.push(resource(&uri, &text)),
            Block::Resource { .. } | Block::Other => {
                return Err(
                    "a prompt has text, pictures, links and texts of files; nothing else is taken"
                        .to_owned(),
                );
            }
        }
    }
    let attachments = Attachments::try_from(pictures).map_err(|why| why.to_string())?;
    let text = texts.concat();
    if text.trim().is_empty() && attachments.is_empty() {
        return Err("the prompt is empty".to_owned());
    }
    Ok(UserMessage { text, attachments })
}

/// A file that the user names: its path, if it is one.
fn link(name: &str, uri: &str) -> String {
    match uri.strip_prefix("file://") {
        Some(path) => path.to_owned(),
        None if name.is_empty() => uri.to_owned(),
        None => format!("{name} ({uri})"),
    }
}

/// A text that the editor sends with the prompt.
fn resource(uri: &str, text: &str) -> String {
    let path = uri.strip_prefix("file://").unwrap_or(uri);
    format!("\n\n{path}:\n\n{}\n\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_prompt_is_read_as_its_user_sees_it() {
        let blocks = vec![
            json!({ "type": "text", "text": "Look at " }),
            json!({ "type": "resource_link", "name": "a.rs", "uri": "file:///w/a.rs" }),
            json!({ "type": "text", "text": " and " }),
            json!({ "type": "resource_link", "name": "issue", "uri": "https://h/1" }),
            json!({ "type": "resource", "resource": { "uri": "file:///w/b.rs", "text": "fn b() {}\n" } }),
        ];
        assert_eq!(
            message(blocks).unwrap().text,
            "Look at /w/a.rs and issue (https://h/1)\n\n/w/b.rs:\n\nfn b() {}\n\n"
        );
    }

    #[test]
    fn a_picture_goes_beside_the_text() {
        // One grey point.
        let point = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";
        let blocks = vec![json!({ "type": "image", "data": point, "mimeType": "image/png" })];
        let said = message(blocks).unwrap();
        assert_eq!(said.text, "");
        let notes = said.attachments.notes();
        assert_eq!(notes[0].name, "picture 1");
    }

    #[test]
    fn what_is_not_taken_is_said() {
        for blocks in [
            json!([]),
            json!([{ "type": "text", "text": " \n" }]),
            json!([{ "type": "audio", "data": "", "mimeType": "audio/wav" }]),
            json!([{ "type": "image", "data": "AAAA", "mimeType": "image/png" }]),
            json!([{ "type": "resource", "resource": { "uri": "x", "blob": "AAAA" } }]),
            json!([{ "text": "no type" }]),
            json!([7]),
        ] {
            let blocks = blocks.as_array().unwrap().clone();
            assert!(message(blocks.clone()).is_err(), "{blocks:?}");
        }
    }
}
