//! The fields of a mail line besides its text: the metadata's JSON, and which of it the program reads.

use serde::{Deserialize as _, Serialize};
use serde_json::{Map, Value};
use teammate_core::{
    Message, MessageKind, Sender, attachment::Attachments, board::TaskId, mail::Metadata,
    request::RequestId, team::ConversationId,
};

/// The fields that are written as metadata.
#[derive(Serialize)]
pub(super) struct Annotations<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    wakes: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hops: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<TaskId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conversation: Option<ConversationId>,
    #[serde(skip_serializing_if = "Attachments::is_empty")]
    attachments: &'a Attachments,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unjudged: bool,
    #[serde(flatten)]
    others: &'a Map<String, Value>,
}

impl<'a> Annotations<'a> {
    pub(super) fn of(message: &'a Message) -> Self {
        let Metadata {
            hops,
            task,
            conversation,
            attachments,
            unjudged,
            others,
        } = &message.metadata;
        Self {
            wakes: message.wakes,
            hops: *hops,
            task: *task,
            conversation: *conversation,
            attachments,
            unjudged: *unjudged,
            others,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        let Self {
            wakes,
            hops,
            task,
            conversation,
            attachments,
            unjudged,
            others,
        } = self;
        wakes.is_none()
            && hops.is_none()
            && task.is_none()
            && conversation.is_none()
            && attachments.is_empty()
            && !unjudged
            && others.is_empty()
    }
}

/// A line's metadata, with the keys that other programs write beside it.
pub(super) fn flattened(metadata: Option<Value>, rest: Map<String, Value>) -> Map<String, Value> {
    let mut map = match metadata {
        Some(Value::Object(map)) => map,
        Some(Value::Null) | None => Map::new(),
        Some(other) => Map::from_iter([("metadata".to_owned(), other)]),
    };
    for (key, value) in rest {
        map.entry(key).or_insert(value);
    }
    map
}

/// The metadata that the program reads, and the others. Of an unknown sender it reads nothing, and a value of another form
/// stays among the others.
pub(super) fn metadata(from: &Sender, mut others: Map<String, Value>) -> Metadata {
    if let Sender::Unverified(_) = from {
        return Metadata::of_others(others);
    }
    let number = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
    Metadata {
        hops: take(&mut others, "hops", number),
        task: take(&mut others, "task", number).map(TaskId::new),
        conversation: take(&mut others, "conversation", |value| {
            value.as_u64().and_then(ConversationId::from_number)
        }),
        attachments: match from {
            Sender::User => attachments(&mut others),
            Sender::System | Sender::Member(_) | Sender::Unverified(_) => Attachments::default(),
        },
        unjudged: *from == Sender::User
            && take(&mut others, "unjudged", Value::as_bool).unwrap_or_default(),
        others,
    }
}

/// The attachments of the user. Read without copying its bytes more than once.
fn attachments(others: &mut Map<String, Value>) -> Attachments {
    let found = others.get("attachments").map(Attachments::deserialize);
    let Some(Ok(attachments)) = found else {
        return Attachments::default();
    };
    others.shift_remove("attachments");
    attachments
}

/// Whether the line says that it wakes its recipient, or not.
pub(super) fn wakes(kind: MessageKind, others: &mut Map<String, Value>) -> Option<bool> {
    kind.can_be_quiet()
        .then(|| take(others, "wakes", Value::as_bool))
        .flatten()
}

/// The line's request. A text that is not written as the program writes ids goes to the others.
pub(super) fn request_id(
    value: Option<Value>,
    others: &mut Map<String, Value>,
) -> Option<RequestId> {
    let value = value.filter(|value| !value.is_null())?;
    let text = value.as_str().unwrap_or_default();
    let id = text.parse().ok();
    let id = id.filter(|id: &RequestId| id.to_string() == text);
    if id.is_none() {
        others.entry("request_id").or_insert(value);
    }
    id
}

fn take<T>(
    others: &mut Map<String, Value>,
    key: &str,
    read: impl FnOnce(&Value) -> Option<T>,
) -> Option<T> {
    let value = others.get(key).and_then(read)?;
    others.shift_remove(key);
    Some(value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn map(value: &Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn what_the_program_reads_is_typed_and_everything_else_is_kept() {
        let others = json!({"hops": 3, "x": [1], "task": 4, "conversation": 5});
        let metadata = metadata(&Sender::System, map(&others));
        assert_eq!(metadata.hops, Some(3));
        assert_eq!(metadata.task, Some(TaskId::new(4)));
        assert_eq!(metadata.conversation, ConversationId::from_number(5));
        assert_eq!(metadata.others, map(&json!({"x": [1]})));
    }

    #[test]
    fn values_of_another_form_and_of_unknown_senders_stay_among_the_others() {
        let odd = map(&json!({"hops": "3", "task": -4, "conversation": 0}));
        let sent = map(&json!({"hops": 3, "task": 4, "conversation": 5}));
        let unknown = Sender::Unverified(teammate_core::mail::ClaimedSender::new("user"));
        for (from, others) in [(Sender::System, odd), (unknown, sent)] {
            let expected = Metadata::of_others(others.clone());
            assert_eq!(metadata(&from, others), expected, "{from}");
        }
    }

    #[test]
    fn only_the_user_s_mail_has_attachments() {
        let file = json!({"name": "a.png", "media_type": "image/png", "base64": "aGk="});
        let sent = map(&json!({"attachments": [file]}));
        let read = metadata(&Sender::User, sent.clone());
        assert_eq!(read.attachments.notes()[0].name, "a.png");
        assert!(read.others.is_empty());
        let odd = map(&json!({"attachments": [{"name": "a.png"}]}));
        for (from, others) in [(Sender::System, sent), (Sender::User, odd)] {
            assert_eq!(metadata(&from, others.clone()), Metadata::of_others(others));
        }
    }

    #[test]
    fn an_id_that_no_request_has_is_kept() {
        for (id, expected) in [
            (json!("req_000007"), Some(RequestId::new(7))),
            (json!("req_7"), None),
            (json!("r1"), None),
            (json!(7), None),
        ] {
            let mut others = Map::new();
            assert_eq!(request_id(Some(id.clone()), &mut others), expected);
            let kept = expected.is_none().then_some(&id);
            assert_eq!(others.get("request_id"), kept);
        }
    }
}
