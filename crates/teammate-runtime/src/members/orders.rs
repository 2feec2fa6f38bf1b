//! The orders of a member's task, and the queue that carries them.

use std::sync::Arc;

use teammate_core::{MessageId, team::OrderId};
use tokio::sync::{Notify, mpsc, oneshot};

/// How many orders may wait for a member; who gives more waits.
const ORDERS_MAX: usize = 32;

/// Orders of the host to a member's task.
#[derive(Debug)]
pub(crate) enum Order {
    /// End the turn.
    Interrupt,
    /// Call the model no more. A turn that the last interrupt ended, with no entry after it, continues at the next
    /// opening.
    TakeBack,
    /// There may be something to do.
    Wake,
    /// End the loop before the next model call: the member has agreed to shut down.
    Leave,
    /// End the loop; the turn may continue at the next opening.
    Stop,
    /// End the turn after this round: the member waits for something.
    Pause {
        waits_for: String,
        /// Dropped as soon as the member knows.
        known: oneshot::Sender<()>,
    },
    /// Take back mail that the member has not heard, and end the order of the user that says so.
    Recall {
        id: OrderId,
        mail: MessageId,
        /// Dropped as soon as the member knows.
        known: oneshot::Sender<()>,
    },
    /// Begin a new conversation with the lead, between two turns, and end the order of the user that says so.
    Clear {
        id: OrderId,
        /// Dropped as soon as the lead knows.
        known: oneshot::Sender<()>,
    },
    /// Sum the conversation up as soon as there is a moment for it.
    Compact {
        /// The subject that matters most in the summary.
        focus: Option<String>,
        /// Dropped as soon as the member knows.
        known: oneshot::Sender<()>,
    },
}

/// The giving side.
#[derive(Clone)]
pub(crate) struct OrderSender {
    queue: mpsc::Sender<Order>,
    /// Only one wake-up is kept, so that sending one never waits.
    wake: Arc<Notify>,
}

/// The receiving side.
pub(crate) struct Orders {
    queue: mpsc::Receiver<Order>,
    wake: Arc<Notify>,
}

pub(crate) fn channel() -> (OrderSender, Orders) {
    let (sender, queue) = mpsc::channel(ORDERS_MAX);
    let wake = Arc::new(Notify::new());
    let sender = OrderSender {
        queue: sender,
        wake: wake.clone(),
    };
    (sender, Orders { queue, wake })
}

impl OrderSender {
    /// A task that has ended needs no order. Waits where the queue is full.
    pub(crate) async fn send(&self, order: Order) {
        match order {
            Order::Wake => self.wake(),
            order => drop(self.queue.send(order).await),
        }
    }

    pub(crate) fn wake(&self) {
        self.wake.notify_one();
    }

    /// Whether the task has ended.
    pub(crate) fn is_closed(&self) -> bool {
        self.queue.is_closed()
    }

    /// Resolves when the task has ended.
    pub(crate) async fn closed(&self) {
        self.queue.closed().await;
    }

    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.queue.same_channel(&other.queue)
    }
}

impl Orders {
    /// The next order; a stop, if the sender was dropped.
    pub(crate) async fn next(&mut self) -> Order {
        tokio::select! {
            biased;
            order = self.queue.recv() => order.unwrap_or(Order::Stop),
            () = self.wake.notified() => Order::Wake,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn wake_ups_do_not_fill_the_queue_and_come_after_other_orders() {
        let (sender, mut orders) = channel();
        for _ in 0..=ORDERS_MAX {
            sender.send(Order::Wake).await;
        }
        sender.send(Order::Interrupt).await;
        assert!(matches!(orders.next().await, Order::Interrupt));
        assert!(matches!(orders.next().await, Order::Wake));
        drop(sender);
        assert!(matches!(orders.next().await, Order::Stop));
    }
}
