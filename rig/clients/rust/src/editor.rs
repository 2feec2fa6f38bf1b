//! An editor: a first process with a question, calls, a mode and a cancelled prompt, and a second that loads what was.

use std::{
    collections::BTreeSet,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use agent_client_protocol::{
    AcpAgent, Agent, Client, Error, Result,
    schema::ProtocolVersion,
    v1::{
        ConnectionTo,
        schema::{
            CancelNotification, ContentBlock, InitializeRequest, ListSessionsRequest,
            LoadSessionRequest, NewSessionRequest, PermissionOptionKind, PromptRequest,
            RequestPermissionOutcome, RequestPermissionRequest, RequestPermissionResponse,
            SelectedPermissionOutcome, SessionId, SessionNotification, SessionUpdate,
            SetSessionModeRequest, StopReason, TextContent,
        },
    },
};

/// What the agent has told.
#[derive(Default)]
struct Seen {
    updates: Vec<SessionUpdate>,
    asked: usize,
}

impl Seen {
    fn answer(&self) -> String {
        let pieces = self.updates.iter().filter_map(|update| match update {
            SessionUpdate::AgentMessageChunk(chunk) => text(&chunk.content),
            _ => None,
        });
        pieces.collect()
    }

    fn user(&self) -> String {
        let pieces = self.updates.iter().filter_map(|update| match update {
            SessionUpdate::UserMessageChunk(chunk) => text(&chunk.content),
            _ => None,
        });
        pieces.collect()
    }

    fn kinds(&self) -> BTreeSet<&'static str> {
        let kinds = self.updates.iter().map(|update| match update {
            SessionUpdate::ToolCall(_) => "call",
            SessionUpdate::ToolCallUpdate(_) => "call update",
            SessionUpdate::Plan(_) => "plan",
            SessionUpdate::AvailableCommandsUpdate(_) => "commands",
            _ => "other",
        });
        kinds.collect()
    }
}

fn text(content: &ContentBlock) -> Option<&str> {
    match content {
        ContentBlock::Text(text) => Some(&text.text),
        _ => None,
    }
}

type Shared = Arc<Mutex<Seen>>;

/// An editor's whole life, from its start to its end.
async fn with_editor<T>(
    (teammate, work): (&str, &Path),
    life: impl AsyncFnOnce(ConnectionTo<Agent>, Shared) -> Result<T>,
) -> Result<T> {
    let shared = Shared::default();
    let (hears, answers, sees) = (shared.clone(), shared.clone(), shared);
    let agent = AcpAgent::from_args([teammate, "acp"])?;
    std::env::set_current_dir(work).map_err(Error::into_internal_error)?;
    Client
        .v1()
        .name("editor")
        .on_receive_notification(
            async move |told: SessionNotification, _| {
                hears.lock().unwrap().updates.push(told.update);
                Ok(())
            },
            agent_client_protocol::on_receive_notification!(),
        )
        .on_receive_request(
            async move |asked: RequestPermissionRequest, responder, _| {
                answers.lock().unwrap().asked += 1;
                let once = |kind| kind == PermissionOptionKind::AllowOnce;
                let yes = asked.options.iter().find(|option| once(option.kind));
                let yes = yes.expect("a yes").option_id.clone();
                let outcome =
                    RequestPermissionOutcome::Selected(SelectedPermissionOutcome::new(yes));
                responder.respond(RequestPermissionResponse::new(outcome))
            },
            agent_client_protocol::on_receive_request!(),
        )
        .connect_with(agent, async |connection| {
            let hello = InitializeRequest::new(ProtocolVersion::V1);
            let hello = connection.send_request(hello).block_task().await?;
            assert!(hello.agent_capabilities.load_session);
            life(connection, sees).await
        })
        .await
}

fn prompt(session: &SessionId, text: &str) -> PromptRequest {
    let text = ContentBlock::Text(TextContent::new(text));
    PromptRequest::new(session.clone(), vec![text])
}

pub async fn story(teammate: &str, work: &str) -> Result<()> {
    let work = Path::new(work);
    let session = with_editor((teammate, work), async |agent, seen| {
        let begun = NewSessionRequest::new(work);
        let begun = agent.send_request(begun).block_task().await?;
        let session = begun.session_id;
        let mode = begun.modes.expect("modes").current_mode_id;
        assert_eq!(&*mode.0, "ask");
        let haiku = agent.send_request(prompt(&session, "A haiku"));
        assert_eq!(haiku.block_task().await?.stop_reason, StopReason::EndTurn);
        {
            let seen = seen.lock().unwrap();
            let answer = seen.answer();
            assert!(answer.contains("ada says: Rain on the roof"), "{answer}");
            assert!(work.join("haiku").exists());
            assert_eq!(seen.asked, 1);
            let expected = BTreeSet::from(["call", "call update", "commands", "plan"]);
            assert!(seen.kinds().is_superset(&expected), "{:?}", seen.kinds());
        }
        let mode = SetSessionModeRequest::new(session.clone(), "run");
        agent.send_request(mode).block_task().await?;
        let staying = agent.send_request(prompt(&session, "stay")).block_task();
        let cancels = async {
            while !work.join("begun").exists() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            agent.send_notification(CancelNotification::new(session.clone()))
        };
        let (stayed, cancelled) = tokio::join!(staying, cancels);
        cancelled?;
        assert_eq!(stayed?.stop_reason, StopReason::Cancelled);
        let none = prompt(&SessionId::new("editor-none"), "x");
        let none = agent.send_request(none).block_task().await.unwrap_err();
        assert_eq!(i32::from(none.code), -32002, "{none:?}");
        Ok(session)
    })
    .await?;
    with_editor((teammate, work), async |agent, seen| {
        let listed = ListSessionsRequest::new().cwd(work.to_owned());
        let listed = agent.send_request(listed).block_task().await?.sessions;
        let listed: Vec<_> = listed.into_iter().map(|one| one.session_id).collect();
        assert_eq!(listed, std::slice::from_ref(&session));
        let load = LoadSessionRequest::new(session.clone(), work);
        agent.send_request(load).block_task().await?;
        assert!(seen.lock().unwrap().user().contains("A haiku"));
        let team = agent.send_request(prompt(&session, "/team"));
        assert_eq!(team.block_task().await?.stop_reason, StopReason::EndTurn);
        let answer = seen.lock().unwrap().answer();
        assert!(answer.contains("ada (poet)"), "{answer}");
        Ok(())
    })
    .await
}
