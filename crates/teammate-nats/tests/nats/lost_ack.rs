//! Acknowledgements that are lost: a proxy cuts the connection when the server has stored a message and answers.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use teammate_core::{Timestamp, port::Durability, transcript::Entry};
use teammate_nats::NatsStore;
use teammate_testkit::stories::{ids, mail, name, working};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

use crate::world::{Own, connected, seal};

/// How many acknowledgements of each kind are lost.
const LOST: u64 = 3;

/// Between a client and a server.
struct Proxy {
    url: String,
    /// How many acknowledgements it still swallows.
    cuts: Arc<AtomicU64>,
}

impl Proxy {
    async fn before(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("nats://{}", listener.local_addr().unwrap());
        let cuts = Arc::new(AtomicU64::new(0));
        let shared = cuts.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&server).await.unwrap();
                tokio::spawn(pass(client, server, shared.clone()));
            }
        });
        Self { url, cuts }
    }
}

/// Passes bytes on both ways, until an acknowledgement is to be lost: then both ends are closed.
async fn pass(mut client: TcpStream, mut server: TcpStream, cuts: Arc<AtomicU64>) {
    let (mut up, mut down) = (vec![0; 65_536], vec![0; 65_536]);
    loop {
        tokio::select! {
            read = client.read(&mut up) => match read {
                Ok(count @ 1..) => server.write_all(&up[..count]).await.unwrap(),
                Ok(0) | Err(_) => return,
            },
            read = server.read(&mut down) => match read {
                Ok(count @ 1..) => {
                    let is_ack = contains(&down[..count], b"\"seq\":");
                    let one_less = |left: u64| left.checked_sub(1);
                    let order = Ordering::SeqCst;
                    if is_ack && cuts.fetch_update(order, order, one_less).is_ok() {
                        return;
                    }
                    let _ = client.write_all(&down[..count]).await;
                }
                Ok(0) | Err(_) => return,
            },
        }
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_stored_and_not_acknowledged_is_there_once() {
    let Some(own) = Own::server().await else {
        return;
    };
    let address = own.url.trim_start_matches("nats://").to_owned();
    let proxy = Proxy::before(address).await;
    let client = connected(std::slice::from_ref(&proxy.url)).await;
    let store = NatsStore::at(client, own.place.clone(), seal());
    let bob = name("bob");
    let mut open = store.transcripts.open(&bob).await.unwrap();
    let mut said = Vec::new();
    for n in 0..LOST {
        proxy.cuts.store(1, Ordering::SeqCst);
        let appended = store
            .journal
            .append(n, Timestamp(n), working(n), Durability::Synced);
        appended.await.unwrap();
        proxy.cuts.store(1, Ordering::SeqCst);
        store
            .mailbox
            .send(mail(&format!("m{n}"), "bob", "hi"))
            .await
            .unwrap();
        proxy.cuts.store(1, Ordering::SeqCst);
        said.push(Entry::Prompted(format!("{n}")));
        open.log.append(&said[said.len() - 1]).await.unwrap();
        assert_eq!(
            proxy.cuts.load(Ordering::SeqCst),
            0,
            "no acknowledgement was lost"
        );
    }
    let after = own.store().await;
    let records = after.journal.read(0).await.unwrap().records;
    assert_eq!(records.len() as u64, LOST);
    assert_eq!(
        ids(&after.mailbox.take(&bob).await.unwrap()),
        ["m0", "m1", "m2"]
    );
    assert_eq!(after.transcripts.peek(&bob).await.unwrap(), said);
}
