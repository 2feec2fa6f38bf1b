//! A model of one's own: anything that answers a conversation. This one counts the messages that it is sent.
//!
//! `cargo run -p teammate --example own_model`
#![expect(clippy::print_stdout, reason = "it shows what happens")]

use std::sync::Arc;

use teammate::{
    BoxFuture, Model, ModelFailure, ModelRef, ModelSource, PartSink, Providers, Team,
    block::Block,
    model::{ModelRequest, Reply, StopReason, StreamPart, Usage, Wire},
};

/// Gives a model for any name.
struct Counters;

struct Counter {
    name: String,
}

impl ModelSource for Counters {
    fn open(&self, model: &ModelRef) -> Result<Arc<dyn Model>, ModelFailure> {
        Ok(Arc::new(Counter {
            name: model.name.clone(),
        }))
    }
}

impl Model for Counter {
    fn answer(
        &self,
        request: ModelRequest,
        mut parts: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>> {
        Box::pin(async move {
            let text = format!("{} heard {} messages.", self.name, request.messages.len());
            parts(StreamPart::Text(text.clone()));
            Ok(Reply {
                blocks: vec![Block::text(&text)],
                stop: StopReason::EndTurn,
                usage: Usage::default(),
                model: self.name.clone(),
                wire: Wire::Plain,
            })
        })
    }

    /// Models that share a limit on requests have the same word here.
    fn rate_limit_key(&self) -> &str {
        "counters"
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    let team = Team::builder(dir.path(), "counters:abacus".parse()?)
        .providers(Providers::new().with_models("counters", Counters))
        .open()
        .await?;
    for job in ["Count.", "Count again."] {
        println!("{}", team.run(job).await?.text);
    }
    assert_eq!(
        team.run("Once more.").await?.text,
        "abacus heard 5 messages."
    );
    team.close().await;
    Ok(())
}
