//! What was asked of the other side and is not answered yet.

use std::{collections::HashMap, sync::Mutex};

use serde_json::Value;
use teammate_core::lock::Hold;
use tokio::sync::oneshot;

use super::Error;

/// What comes of a question.
pub type RpcAnswer = Result<Value, Error>;

/// The open questions. Once it is over, nothing waits and nothing is asked any more.
#[derive(Debug, Default)]
pub struct Pending(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    last: u64,
    open: HashMap<u64, oneshot::Sender<RpcAnswer>>,
    is_over: bool,
}

impl Pending {
    /// A number for a question, and where its answer comes. The channel closes when the other side ends.
    pub fn ask(&self) -> (u64, oneshot::Receiver<RpcAnswer>) {
        let (answers, answer) = oneshot::channel();
        let mut state = self.0.hold();
        state.last += 1;
        let id = state.last;
        if !state.is_over {
            state.open.insert(id, answers);
        }
        (id, answer)
    }

    /// Nobody waits for this answer any more.
    pub fn forget(&self, id: u64) {
        self.0.hold().open.remove(&id);
    }

    /// An answer came; false if nobody asked, or it was answered before.
    pub fn answered(&self, id: u64, answer: RpcAnswer) -> bool {
        let asked = self.0.hold().open.remove(&id);
        match asked {
            Some(asked) => {
                // Who asked may have given up.
                let _ = asked.send(answer);
                true
            }
            None => false,
        }
    }

    /// No more answers come.
    pub fn end(&self) {
        let mut state = self.0.hold();
        state.is_over = true;
        state.open.clear();
    }
}
