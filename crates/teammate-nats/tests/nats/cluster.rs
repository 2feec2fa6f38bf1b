//! The same stories on three servers, one of which is killed in the middle.

use std::sync::Mutex;

use async_nats::Client;
use teammate_core::port::BoxFuture;
use teammate_nats::{
    NatsStore,
    conditions::{ServerProof, unmet},
    layout::{NatsPlace, Replicas, TeamId},
    teams::{Card, all, are_made, find, find_or_make},
};
use teammate_testkit::{
    nats::{NatsCluster, NatsServer, program},
    stories::{CrashingWorld, Process, World},
    stories_of_shared_stores, stories_of_stores,
};

use crate::world::{connected, made, place, process, seal};

/// Three servers, with one team after the other.
struct Three {
    cluster: Mutex<NatsCluster>,
    urls: Vec<String>,
    _dir: tempfile::TempDir,
}

impl Three {
    async fn servers() -> Option<Self> {
        let program = program()?;
        let dir = tempfile::tempdir().unwrap();
        let cluster = NatsCluster::start(&program, dir.path()).unwrap();
        let three = Self {
            urls: cluster.urls(),
            cluster: Mutex::new(cluster),
            _dir: dir,
        };
        made(&three.client().await, &place(), Replicas::Three).await;
        Some(three)
    }

    async fn client(&self) -> Client {
        connected(&self.urls).await
    }

    /// Kills the server that leads a stream, and starts it again.
    async fn lose_leader_of(&self, stream: &str) {
        let jet = async_nats::jetstream::new(self.client().await);
        let info = jet.get_stream(stream).await.unwrap();
        let leader = info.cached_info().cluster.clone().unwrap().leader.unwrap();
        let at = ["a", "b", "c"].iter().position(|name| **name == leader);
        let mut cluster = self.cluster.lock().unwrap();
        let server = &mut cluster.servers[at.unwrap()];
        server.kill();
        server.start_again().unwrap();
    }

    /// A new team, as a world.
    fn team(&self) -> Team<'_> {
        Team {
            three: self,
            place: place(),
        }
    }
}

struct Team<'a> {
    three: &'a Three,
    place: NatsPlace,
}

impl World for Team<'_> {
    fn name(&self) -> &str {
        "three servers"
    }

    fn process(&self) -> BoxFuture<'_, Process> {
        Box::pin(async {
            let client = self.three.client().await;
            process(NatsStore::at(client, self.place.clone(), seal()))
        })
    }
}

impl CrashingWorld for Team<'_> {
    /// All three are killed, or one of them.
    fn crash(&self, seed: u64) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let mut cluster = self.three.cluster.lock().unwrap();
            let servers = &mut cluster.servers;
            let killed = match seed % 4 {
                0 => &mut servers[..],
                one => std::slice::from_mut(&mut servers[usize::try_from(one).unwrap() - 1]),
            };
            killed.iter_mut().for_each(NatsServer::kill);
            for server in killed {
                server.start_again().unwrap();
            }
        })
    }
}

/// Tells the stories one after the other, each to a new team.
macro_rules! tell {
    (in $three:ident: $($port:ident::{$($story:ident),+ $(,)?}),+ $(,)?) => {
        $($(
            eprintln!("{}", stringify!($story));
            teammate_testkit::stories::$port::$story(&$three.team()).await;
        )+)+
    };
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stories_of_a_store_hold_on_three_servers() {
    let Some(three) = Three::servers().await else {
        return;
    };
    stories_of_stores!(tell in three);
    stories_of_shared_stores!(tell in three);
    let monitors = {
        let cluster = three.cluster.lock().unwrap();
        cluster.servers.iter().map(NatsServer::monitor).collect()
    };
    let place = three.team().place;
    let proof = ServerProof::Monitors(monitors);
    let unmet = unmet(&three.client().await, &place, Replicas::Three, &proof).await;
    assert_eq!(unmet.unwrap(), []);
}

/// What was acknowledged survives servers that are killed. Each story has servers of its own, since most of it is waiting for elections.
mod killed {
    use super::Three;

    macro_rules! tell {
        (in $servers:ident: $($port:ident::{$($story:ident),+ $(,)?}),+ $(,)?) => {
            $($(
                #[tokio::test(flavor = "multi_thread")]
                async fn $story() {
                    if let Some(three) = $servers::servers().await {
                        teammate_testkit::stories::$port::$story(&three.team()).await;
                    }
                }
            )+)+
        };
    }

    teammate_testkit::stories_of_crashes!(tell in Three);
}

/// An election takes seconds, in which nobody answers.
#[tokio::test(flavor = "multi_thread")]
async fn teams_are_found_and_listed_while_servers_elect() {
    let Some(three) = Three::servers().await else {
        return;
    };
    let (client, name) = (three.client().await, TeamId::parse("crew").unwrap());
    let card = Card::new(&name, None);
    let made = find_or_make(&client, &name, card.clone()).await;
    assert_eq!(made, Ok(card.clone()));
    for _ in 0..2 {
        three.lose_leader_of("KV_TM_TEAMS").await;
        let client = three.client().await;
        let (are_made, found, listed) =
            tokio::join!(are_made(&client), find(&client, &name), all(&client));
        assert_eq!(are_made, Ok(true));
        assert_eq!(found, Ok(Some(card.clone())));
        assert_eq!(listed, Ok(vec![(name.clone(), Ok(card.clone()))]));
    }
}
