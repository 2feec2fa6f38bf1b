//! The Rust SDK's own client, in each of the ways in which it begins.

use rmcp::{
    ClientLifecycleMode, RoleClient,
    model::{CallToolRequestParams, ProtocolVersion},
    service::RunningService,
};
use serde_json::{Value, json};
use teammate_serve::mcp::serve_lines;
use tokio::io::{duplex, split};

use crate::{stories::poets, world::World};

async fn client(world: &World, mode: ClientLifecycleMode) -> RunningService<RoleClient, ()> {
    let (here, there) = duplex(64 * 1024);
    let (reader, writer) = split(there);
    let server = world.server();
    tokio::spawn(async move { serve_lines(&server, reader, writer).await });
    rmcp::serve_client_with_lifecycle((), here, mode)
        .await
        .unwrap()
}

async fn call(
    client: &RunningService<RoleClient, ()>,
    tool: &'static str,
    arguments: Value,
) -> Value {
    let arguments = arguments.as_object().cloned().unwrap();
    let asked = CallToolRequestParams::new(tool).with_arguments(arguments);
    let result = client.call_tool(asked).await.unwrap();
    let text = result.content[0].as_text().unwrap();
    serde_json::from_str(&text.text).unwrap()
}

#[tokio::test]
async fn it_gives_a_job_and_reads_the_result_however_it_begins() {
    let newest = vec![ProtocolVersion::V_2026_07_28];
    for mode in [
        ClientLifecycleMode::Initialize,
        ClientLifecycleMode::Discover {
            preferred_versions: newest.clone(),
        },
        ClientLifecycleMode::Auto {
            preferred_versions: newest,
            legacy_version: None,
        },
    ] {
        let world = World::playing(&poets());
        let client = client(&world, mode.clone()).await;
        let tools = client.list_all_tools().await.unwrap();
        assert_eq!(tools.len(), 11, "{mode:?}");
        call(&client, "start_team", json!({ "job": "A haiku" })).await;
        let done = loop {
            let waited = call(&client, "wait_for_team", json!({})).await;
            if waited["state"] == "idle" {
                break waited;
            }
        };
        assert_eq!(
            done["result"]["text"], "ada says: Rain on the roof",
            "{mode:?}"
        );
        client.cancel().await.unwrap();
    }
}
