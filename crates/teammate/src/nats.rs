//! Teams on NATS servers, for several machines: keys, and whether servers keep what they acknowledge.

pub use teammate_core::name::WorkerName;
pub use teammate_nats::{NatsStore, conditions, connect, doctor, keys, layout};
