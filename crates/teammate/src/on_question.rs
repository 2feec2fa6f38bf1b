//! Code that answers what the user would be asked.

use std::{collections::HashSet, sync::Arc};

use teammate_core::{
    port::{BoxFuture, Refusal},
    request::{Answer, Request, RequestId},
    team::TeamState,
};
use tokio::{sync::watch, task::JoinSet};

/// Answers a question, or leaves it to other terminals until its deadline.
pub(crate) type OnQuestion =
    Arc<dyn Fn(Arc<Request>) -> BoxFuture<'static, Option<Answer>> + Send + Sync>;

/// Asks `on_question` once about each question, side by side, until dropped or the team is closed. An answer that comes too late,
/// because another terminal was quicker, changes nothing.
pub(crate) async fn answer_all<A>(
    on_question: OnQuestion,
    questions: impl Fn() -> Vec<Arc<Request>> + Send + 'static,
    answer: A,
    mut changes: watch::Receiver<Arc<TeamState>>,
) where
    A: Fn(RequestId, Answer) -> BoxFuture<'static, Result<(), Refusal>> + Clone + Send + 'static,
{
    let (mut asked, mut asking) = (HashSet::new(), JoinSet::new());
    loop {
        changes.borrow_and_update();
        let open = questions();
        asked.retain(|id| open.iter().any(|question| question.id == *id));
        for question in open {
            if asked.insert(question.id) {
                let (id, on_question, answer) = (question.id, on_question.clone(), answer.clone());
                asking.spawn(async move {
                    if let Some(given) = on_question(question).await {
                        let _ = answer(id, given).await;
                    }
                });
            }
        }
        while asking.try_join_next().is_some() {}
        if changes.changed().await.is_err() {
            return;
        }
    }
}
