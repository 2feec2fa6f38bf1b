//! What clients send, good and bad, as lines.

use serde_json::json;
use tokio::io::{AsyncWriteExt as _, DuplexStream, duplex};

use super::*;

/// A client's end, and the server's.
struct Wire {
    client: DuplexStream,
    lines: Lines<DuplexStream>,
    answers: mpsc::Receiver<Vec<u8>>,
    gone: CancellationToken,
}

impl Wire {
    fn new() -> Self {
        let (client, server) = duplex(64 * 1024 * 1024);
        let (sender, answers) = mpsc::channel(ANSWERS_MAX);
        let gone = CancellationToken::new();
        Self {
            client,
            lines: Lines::new(server, sender, gone.clone()),
            answers,
            gone,
        }
    }

    async fn send(&mut self, line: impl AsRef<[u8]>) {
        self.client.write_all(line.as_ref()).await.unwrap();
        self.client.write_all(b"\n").await.unwrap();
    }

    async fn ask(&mut self, id: u32, method: &str) {
        let line = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": {} });
        self.send(line.to_string()).await;
    }

    /// The id of the next call that the server has to answer.
    async fn call(&mut self) -> RequestId {
        match self.lines.receive().await {
            Some(JsonRpcMessage::Request(request)) => request.id,
            other => panic!("{other:?}"),
        }
    }

    /// What the transport has answered by itself.
    fn answered(&mut self) -> Vec<Value> {
        let mut all = Vec::new();
        while let Ok(line) = self.answers.try_recv() {
            all.push(serde_json::from_slice(&line).unwrap());
        }
        all
    }

    /// The client ends its side; nothing more comes.
    async fn ends(mut self) -> Vec<Value> {
        self.client.shutdown().await.unwrap();
        assert!(self.lines.receive().await.is_none());
        assert!(self.gone.is_cancelled());
        self.answered()
    }
}

fn number(id: i64) -> RequestId {
    RequestId::Number(id)
}

#[tokio::test]
async fn what_is_no_message_is_answered_and_the_next_one_is_heard() {
    let mut wire = Wire::new();
    for line in [
        &b"{"[..],
        b"\xff\xfe{}",
        b"[]",
        b"{\"id\":7,\"method\":3}",
        b"",
        b"   ",
        b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/of_tomorrow\",\"params\":7}",
    ] {
        wire.send(line).await;
    }
    wire.ask(8, "ping").await;
    assert_eq!(wire.call().await, number(8));
    let codes: Vec<(Value, Value)> = wire
        .answered()
        .into_iter()
        .map(|answer| (answer["id"].clone(), answer["error"]["code"].clone()))
        .collect();
    let none = Value::Null;
    assert_eq!(
        codes,
        [
            (none.clone(), json!(-32700)),
            (none.clone(), json!(-32700)),
            (none, json!(-32600)),
            (json!(7), json!(-32600)),
        ]
    );
}

#[tokio::test]
async fn a_line_that_is_too_long_is_skipped_and_not_held() {
    let mut wire = Wire::new();
    wire.send("x".repeat(LINE_BYTES_MAX + 1)).await;
    wire.send("y".repeat(3 * LINE_BYTES_MAX)).await;
    wire.ask(1, "ping").await;
    assert_eq!(wire.call().await, number(1));
    let answered = wire.answered();
    assert_eq!(answered.len(), 2);
    let message = answered[0]["error"]["message"].as_str().unwrap();
    assert!(message.contains("4194304 bytes"), "{message}");
    assert!(wire.lines.reader.held_bytes() <= LINE_BYTES_MAX);
}

#[tokio::test]
async fn a_line_of_exactly_the_limit_is_read() {
    let mut wire = Wire::new();
    let start = r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":""#;
    let end = r#""}}"#;
    let filler = "x".repeat(LINE_BYTES_MAX - start.len() - end.len());
    wire.send(format!("{start}{filler}{end}")).await;
    assert_eq!(wire.call().await, number(1));
    wire.ask(2, "ping").await;
    assert_eq!(wire.call().await, number(2));
    assert!(wire.ends().await.is_empty());
}

#[tokio::test]
async fn who_sends_nothing_but_rubbish_is_left() {
    let mut wire = Wire::new();
    for _ in 0..=UNREADABLE_MAX {
        wire.send("rubbish").await;
    }
    let reading = async {
        let ended = wire.lines.receive().await;
        assert!(ended.is_none());
    };
    let mut refusals = 0;
    let draining = async {
        while wire.answers.recv().await.is_some() {
            refusals += 1;
            if refusals == UNREADABLE_MAX {
                return;
            }
        }
    };
    tokio::join!(reading, draining);
    assert!(wire.gone.is_cancelled());
}

#[tokio::test]
async fn nothing_more_is_read_while_answers_are_not() {
    let mut wire = Wire::new();
    for _ in 0..ANSWERS_MAX + 1 {
        wire.send("{").await;
    }
    wire.ask(1, "ping").await;
    // It waits for room, and loses nothing when it is broken off there.
    for _ in 0..3 {
        let waits = tokio::time::timeout(std::time::Duration::from_millis(1), wire.lines.receive());
        assert!(waits.await.is_err());
    }
    assert_eq!(wire.answered().len(), ANSWERS_MAX);
    assert_eq!(wire.call().await, number(1));
    assert_eq!(wire.answered().len(), 1);
}

#[tokio::test]
async fn calls_that_are_open_have_a_limit_and_an_answer_or_a_cancellation_makes_room() {
    let mut wire = Wire::new();
    for id in 0..CALLS_MAX {
        wire.ask(u32::try_from(id).unwrap(), "ping").await;
        wire.call().await;
    }
    wire.ask(900, "ping").await;
    wire.ask(3, "ping").await;
    let cancelled = |id: u32| {
        json!({
            "jsonrpc": "2.0",
            "method": "notifications/cancelled",
            "params": { "requestId": id },
        })
        .to_string()
    };
    wire.send(cancelled(5)).await;
    assert!(matches!(
        wire.lines.receive().await,
        Some(JsonRpcMessage::Notification(_))
    ));
    let answered = wire.answered();
    assert_eq!(answered[0]["id"], 900);
    assert_eq!(answered[0]["error"]["code"], -32000);
    assert_eq!(answered[1]["id"], 3);
    // There is room for one; a cancellation of what was answered long ago makes none.
    wire.send(cancelled(5)).await;
    wire.lines.receive().await.unwrap();
    wire.ask(901, "ping").await;
    assert_eq!(wire.call().await, number(901));
    let answer = ServerJsonRpcMessage::error(ErrorData::internal_error("x", None), Some(number(7)));
    wire.lines.send(answer).await.unwrap();
    wire.ask(902, "ping").await;
    assert_eq!(wire.call().await, number(902));
    assert_eq!(wire.ends().await.len(), 1);
}

#[tokio::test]
async fn an_id_that_is_in_use_is_refused() {
    let mut wire = Wire::new();
    wire.ask(1, "ping").await;
    wire.ask(1, "ping").await;
    wire.ask(2, "ping").await;
    assert_eq!(wire.call().await, number(1));
    assert_eq!(wire.call().await, number(2));
    let answered = wire.ends().await;
    assert_eq!(answered[0]["id"], 1);
    assert_eq!(answered[0]["error"]["code"], -32600);
}

#[tokio::test]
async fn what_comes_before_the_first_call_is_passed_over() {
    let mut wire = Wire::new();
    wire.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#)
        .await;
    wire.send(r#"{"jsonrpc":"2.0","id":4,"result":{}}"#).await;
    wire.ask(1, "ping").await;
    assert_eq!(wire.call().await, number(1));
}

#[tokio::test]
async fn an_unfinished_line_at_the_end_counts_for_nothing() {
    let mut wire = Wire::new();
    wire.client
        .write_all(b"{\"jsonrpc\":\"2.0\",\"id\":1")
        .await
        .unwrap();
    assert!(wire.ends().await.is_empty());
}

#[tokio::test]
async fn a_client_that_cannot_be_written_to_is_read_no_more() {
    let mut wire = Wire::new();
    wire.gone.cancel();
    wire.ask(1, "ping").await;
    assert!(wire.lines.receive().await.is_none());
}
