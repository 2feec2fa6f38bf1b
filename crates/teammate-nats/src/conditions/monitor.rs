//! Asks servers how they are set: each at its monitoring address, or all in the system account.

use std::{collections::BTreeSet, time::Duration};

use async_nats::Client;
use bytes::Bytes;
use futures_util::StreamExt as _;
use serde::Deserialize;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::{Instant, timeout, timeout_at},
};

use super::{FoundFacts, ServerProof, Unmet};

/// How long a server is waited for.
const ANSWER_WAIT: Duration = Duration::from_secs(5);

/// The longest answer of a monitoring address.
const ANSWER_BYTES_MAX: u64 = 4 << 20;

/// An answer in the system account.
#[derive(Deserialize)]
struct MonitorAnswer {
    data: FoundFacts,
}

/// The facts that the servers tell; `wanted` are the names that must be among them.
pub(super) async fn facts(
    proof: &ServerProof,
    wanted: &BTreeSet<String>,
    unmet: &mut Vec<Unmet>,
) -> Vec<FoundFacts> {
    match proof {
        ServerProof::Missing => Vec::new(),
        ServerProof::SystemAccount(client) => of_all(client, wanted).await,
        ServerProof::Monitors(addresses) => {
            let mut facts = Vec::new();
            for address in addresses {
                match timeout(ANSWER_WAIT, of_one(address)).await {
                    Ok(Ok(told)) => facts.push(told),
                    Ok(Err(why)) => unmet.push(silent(address, why)),
                    Err(_) => unmet.push(silent(address, "no answer in time".to_owned())),
                }
            }
            facts
        }
    }
}

fn silent(address: &str, why: String) -> Unmet {
    Unmet::Monitor {
        address: address.to_owned(),
        why,
    }
}

/// One plain request: the answer ends with the connection.
async fn of_one(address: &str) -> Result<FoundFacts, String> {
    let failed = |error: std::io::Error| error.to_string();
    let mut stream = TcpStream::connect(address).await.map_err(failed)?;
    let request = format!("GET /varz HTTP/1.0\r\nHost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(failed)?;
    let mut answer = Vec::new();
    let mut bounded = stream.take(ANSWER_BYTES_MAX);
    bounded.read_to_end(&mut answer).await.map_err(failed)?;
    let head = answer.windows(4).position(|four| four == b"\r\n\r\n");
    let head = head.ok_or("it does not speak HTTP")?;
    serde_json::from_slice(&answer[head + 4..]).map_err(|error| error.to_string())
}

/// Asks all at once, until those that matter have answered.
async fn of_all(client: &Client, wanted: &BTreeSet<String>) -> Vec<FoundFacts> {
    let mut facts: Vec<FoundFacts> = Vec::new();
    let inbox = client.new_inbox();
    let Ok(mut answers) = client.subscribe(inbox.clone()).await else {
        return facts;
    };
    let asked = client.publish_with_reply("$SYS.REQ.SERVER.PING.VARZ", inbox, Bytes::new());
    if asked.await.is_err() {
        return facts;
    }
    let end = Instant::now() + ANSWER_WAIT;
    while let Ok(Some(message)) = timeout_at(end, answers.next()).await {
        if let Ok(told) = serde_json::from_slice::<MonitorAnswer>(&message.payload) {
            facts.push(told.data);
        }
        let has_answered = |name: &String| facts.iter().any(|facts| facts.server_name == *name);
        if wanted.iter().all(has_answered) {
            break;
        }
    }
    facts
}
