//! An agent that does what the last line of its prompt with one of these words says: `ASK` asks for a permission and says the answer,
//! `STAY` works until it is cancelled, `SAY` says the rest. It keeps its prompts in a file of its home, and repeats them when
//! its session is loaded.

use std::{fs, io::Write as _, path::PathBuf, sync::Arc};

use agent_client_protocol::{
    Agent, Client, Error, Result, Stdio,
    v1::{
        ConnectionTo,
        schema::{
            AgentCapabilities, CancelNotification, ContentBlock, ContentChunk, InitializeRequest,
            InitializeResponse, LoadSessionRequest, LoadSessionResponse, NewSessionRequest,
            NewSessionResponse, PermissionOption, PermissionOptionKind, PromptRequest,
            PromptResponse, RequestPermissionOutcome, RequestPermissionRequest, SessionId,
            SessionNotification, SessionUpdate, StopReason, TextContent, ToolCallUpdate,
            ToolCallUpdateFields, ToolKind,
        },
    },
};
use tokio::sync::Notify;

/// Where its prompts are kept.
fn past() -> PathBuf {
    PathBuf::from(std::env::var_os("HOME").expect("a home")).join("prompts")
}

/// Between two prompts that are kept.
const END: &str = "\u{1e}";

fn chunk(text: &str) -> ContentChunk {
    ContentChunk::new(ContentBlock::Text(TextContent::new(text)))
}

fn words(prompt: &PromptRequest) -> String {
    let texts = prompt.prompt.iter().filter_map(|block| match block {
        ContentBlock::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    texts.collect()
}

fn keep(text: &str) -> std::io::Result<()> {
    let mut file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(past())?;
    file.write_all(format!("{text}{END}").as_bytes())?;
    file.sync_data()
}

async fn turn(
    asked: &PromptRequest,
    client: &ConnectionTo<Client>,
    cancelled: &Notify,
) -> Result<StopReason> {
    let text = words(asked);
    keep(&text).map_err(Error::into_internal_error)?;
    let orders = text.lines().filter_map(|line| {
        let (word, rest) = line.trim().split_once(' ')?;
        ["ASK", "STAY", "SAY"]
            .contains(&word)
            .then_some((word, rest))
    });
    let said = match orders.last() {
        Some(("STAY", _)) => {
            cancelled.notified().await;
            return Ok(StopReason::Cancelled);
        }
        Some(("ASK", what)) => ask(&asked.session_id, what, client).await?,
        Some((_, rest)) => rest.to_owned(),
        None => "nothing to do".to_owned(),
    };
    let told = SessionUpdate::AgentMessageChunk(chunk(&said));
    client.send_notification(SessionNotification::new(asked.session_id.clone(), told))?;
    Ok(StopReason::EndTurn)
}

async fn ask(session: &SessionId, what: &str, client: &ConnectionTo<Client>) -> Result<String> {
    let fields = ToolCallUpdateFields::new()
        .kind(ToolKind::Other)
        .title(what.to_owned());
    let options = vec![
        PermissionOption::new("yes", "Yes", PermissionOptionKind::AllowOnce),
        PermissionOption::new("no", "No", PermissionOptionKind::RejectOnce),
    ];
    let call = ToolCallUpdate::new("call-1", fields);
    let asked = RequestPermissionRequest::new(session.clone(), call, options);
    let answer = client.send_request(asked).block_task().await?;
    Ok(match answer.outcome {
        RequestPermissionOutcome::Selected(one) => format!("answered {}", one.option_id.0),
        _ => "answered nothing".to_owned(),
    })
}

pub async fn serve() -> Result<()> {
    let cancelled = Arc::new(Notify::new());
    let cancels = cancelled.clone();
    Agent
        .v1()
        .name("acp-sdk")
        .on_receive_request(
            async |hello: InitializeRequest, responder, _| {
                let can = AgentCapabilities::new().load_session(true);
                let hello = InitializeResponse::new(hello.protocol_version);
                responder.respond(hello.agent_capabilities(can))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async |_: NewSessionRequest, responder, _| {
                responder.respond(NewSessionResponse::new("session-1"))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async |load: LoadSessionRequest, responder, client: ConnectionTo<Client>| {
                let past = fs::read_to_string(past()).unwrap_or_default();
                for prompt in past.split(END).filter(|prompt| !prompt.is_empty()) {
                    let told = SessionUpdate::UserMessageChunk(chunk(prompt));
                    client.send_notification(SessionNotification::new(
                        load.session_id.clone(),
                        told,
                    ))?;
                }
                responder.respond(LoadSessionResponse::new())
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_request(
            async move |asked: PromptRequest, responder, client: ConnectionTo<Client>| {
                let (cancelled, works) = (cancelled.clone(), client.clone());
                // A handler that waits hears nothing else meanwhile.
                client.spawn(async move {
                    let ended = turn(&asked, &works, &cancelled).await;
                    responder.respond_with_result(ended.map(PromptResponse::new))
                })
            },
            agent_client_protocol::on_receive_request!(),
        )
        .on_receive_notification(
            async move |_: CancelNotification, _| {
                cancels.notify_one();
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .connect_to(Stdio::new())
        .await
}
