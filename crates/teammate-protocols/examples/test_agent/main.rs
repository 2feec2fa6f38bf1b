//! An agent for tests, without a model: its first argument makes it misbehave in a way.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "it talks over its streams"
)]
#![expect(clippy::disallowed_methods, reason = "it runs commands, as agents do")]

mod hostile;

use std::sync::Arc;

use serde_json::Value;
use teammate_protocols::acp::{
    play_agent::{Answers, Manners, serve},
    serve_tool,
};

/// How it behaves.
pub(crate) struct Manner(String);

impl Manners for Manner {
    fn is(&self, manner: &str) -> bool {
        self.0 == manner
    }

    fn answers(&self, id: &Value, method: &str) -> bool {
        hostile::answers(self, id, method)
    }

    fn works(&self, id: &Value, session: &Value, answers: &Answers) -> bool {
        hostile::works(self, id, session, answers)
    }
}

fn main() {
    // The sandbox's helper is this program, too.
    teammate_sandbox::begin();
    let manner = Manner(std::env::args().nth(1).unwrap_or_default());
    if let (true, Some(file)) = (manner.is("tool-server"), std::env::args().nth(2)) {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
        drop(runtime.block_on(serve_tool(input, output, file.as_ref())));
        return;
    }
    hostile::before(&manner);
    let stays = manner.is("stays");
    let manners: Arc<dyn Manners> = Arc::new(manner);
    serve(&manners);
    if stays {
        hostile::hang();
    }
}
