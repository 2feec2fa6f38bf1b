//! Each condition is refused by itself, with what to change.

use std::net::SocketAddr;

use async_nats::jetstream::stream::{Compression, Config};
use teammate_nats::{
    conditions::{ServerProof, Unmet, Version, unmet},
    connect::{NatsLogin, ServerUrl, connect},
    layout::{Replicas, streams},
};
use teammate_testkit::nats::{NatsServer, Sync, program};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpListener,
};

use crate::world::{Own, connected, made, place};

async fn found(own: &Own, replicas: Replicas, proof: &ServerProof) -> Vec<Unmet> {
    let client = own.client().await;
    unmet(&client, &own.place, replicas, proof).await.unwrap()
}

fn monitor(own: &Own) -> ServerProof {
    ServerProof::Monitors(vec![own.server.lock().unwrap().monitor()])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_syncs_meets_all_when_it_proves_it() {
    let Some(own) = Own::server().await else {
        return;
    };
    assert_eq!(found(&own, Replicas::One, &monitor(&own)).await, []);
    let server = "a".to_owned();
    let unproven = [Unmet::SyncUnproven { server }];
    assert_eq!(
        found(&own, Replicas::One, &ServerProof::Missing).await,
        unproven
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_syncs_later_is_refused() {
    let Some(program) = program() else { return };
    let dir = tempfile::tempdir().unwrap();
    let server = NatsServer::start(&program, dir.path(), Sync::ByDefault).unwrap();
    let client = connected(&[server.url()]).await;
    let place = place();
    made(&client, &place, Replicas::One).await;
    let proof = ServerProof::Monitors(vec![server.monitor()]);
    let off = [Unmet::SyncOff {
        server: "a".to_owned(),
    }];
    let found = unmet(&client, &place, Replicas::One, &proof).await;
    assert_eq!(found.unwrap(), off);
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_on_too_few_servers_or_with_other_settings_are_refused() {
    let Some(own) = Own::server().await else {
        return;
    };
    let few = |stream: &str| Unmet::FewReplicas {
        stream: stream.to_owned(),
        there: 1,
        wanted: 3,
    };
    let three = found(&own, Replicas::Three, &monitor(&own)).await;
    assert_eq!(
        three,
        [
            few("TM_LOG_0"),
            few("TM_MAIL_0"),
            few("TM_OBJ_0"),
            few("KV_TM_TEAMS")
        ]
    );

    let jet = async_nats::jetstream::new(own.client().await);
    let [_, mail, ..] = streams(own.place.partition, Replicas::One);
    let other = Config {
        max_messages_per_subject: 10,
        ..mail
    };
    jet.update_stream(other).await.unwrap();
    let [log, ..] = streams(own.place.partition, Replicas::One);
    let compressed = Config {
        compression: Some(Compression::S2),
        ..log
    };
    jet.update_stream(compressed).await.unwrap();
    let compressed = Unmet::Compressed {
        stream: "TM_LOG_0".to_owned(),
    };
    let other = Unmet::OtherSetting {
        stream: "TM_MAIL_0".to_owned(),
        setting: "max_msgs_per_subject",
    };
    assert_eq!(
        found(&own, Replicas::One, &monitor(&own)).await,
        [compressed, other]
    );
}

/// Says of itself what an old server would.
async fn old_server() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        let body =
            r#"{"server_name":"a","version":"2.14.3","jetstream":{"config":{"sync_always":true}}}"#;
        while let Ok((mut asking, _)) = listener.accept().await {
            let _ = asking.read(&mut [0; 1_024]).await;
            let answer = format!("HTTP/1.0 200 OK\r\n\r\n{body}");
            asking.write_all(answer.as_bytes()).await.unwrap();
        }
    });
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_server_and_a_silent_monitor_are_refused() {
    let Some(own) = Own::server().await else {
        return;
    };
    let proof = ServerProof::Monitors(vec![old_server().await.to_string()]);
    let old = Unmet::OldServer {
        server: "a".to_owned(),
        version: Version([2, 14, 3]),
    };
    assert_eq!(found(&own, Replicas::One, &proof).await, [old]);

    // Nobody listens there any more.
    let free = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = free.local_addr().unwrap().to_string();
    drop(free);
    let unmet = found(&own, Replicas::One, &ServerProof::Monitors(vec![address])).await;
    let is_unproven = matches!(
        &unmet[..],
        [Unmet::Monitor { .. }, Unmet::SyncUnproven { .. }]
    );
    assert!(is_unproven, "{unmet:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_system_account_proves_it_too() {
    let Some(program) = program() else { return };
    let dir = tempfile::tempdir().unwrap();
    let accounts = "accounts { SYS { users: [{user: sys, password: s}] }, \
                    TEAM { jetstream: enabled, users: [{user: team, password: t}] } }\n\
                    system_account: SYS\n";
    let server = NatsServer::start_with(&program, dir.path(), Sync::Always, accounts).unwrap();
    let as_user = async |user: &str, password: &str| {
        let login = NatsLogin::Password {
            user: user.to_owned(),
            password: password.to_owned(),
        };
        let url = ServerUrl::parse(&server.url()).unwrap();
        connect(&[url], login, "test").await.unwrap()
    };
    let (team, place) = (as_user("team", "t").await, place());
    made(&team, &place, Replicas::One).await;
    let proof = ServerProof::SystemAccount(as_user("sys", "s").await);
    assert_eq!(
        unmet(&team, &place, Replicas::One, &proof).await.unwrap(),
        []
    );
    // Another account's connection hears nothing.
    let proof = ServerProof::SystemAccount(team.clone());
    let unproven = [Unmet::SyncUnproven {
        server: "a".to_owned(),
    }];
    assert_eq!(
        unmet(&team, &place, Replicas::One, &proof).await.unwrap(),
        unproven
    );
}
