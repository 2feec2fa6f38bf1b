//! Serves a play on all wires, for the user or another program to talk to.
//!
//! `cargo run -p teammate-testkit --example serve -- PLAY [ADDRESS]`: prints its URL, then serves until its standard input ends;
//! then it prints why it refused requests, a line each.
#![expect(clippy::print_stdout, reason = "a program that is talked to")]

use std::{io, path::Path, sync::Arc};

use teammate_models::Scripted;
use teammate_testkit::Server;

#[tokio::main]
async fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let play = arguments
        .next()
        .ok_or_else(|| io::Error::other("usage: serve PLAY [ADDRESS]"))?;
    let address = arguments.next().unwrap_or("127.0.0.1:0".to_owned());
    let play = Scripted::load(Path::new(&play)).map_err(io::Error::other)?;
    let server = Server::with_model(&address, Arc::new(play), false).await?;
    println!("{}", server.url());
    tokio::task::spawn_blocking(|| io::copy(&mut io::stdin(), &mut io::sink())).await??;
    for problem in server.refused() {
        println!("refused: {problem}");
    }
    Ok(())
}
