//! Lines that are larger than a message: their bytes are stored first, in parts by their digests, and
//! the message names them.
//!
//! A part says by its name what it must be, so it is never changed, and stored twice it is one.

use async_nats::HeaderMap;
use bytes::Bytes;
use ring::digest::{SHA256, digest};
use teammate_wire::hex;

use crate::{
    append::{Append, AppendAfter, AppendError},
    engine::Engine,
    layout::NatsPlace,
    read::{MessageSpan, StoredMessage, StreamReadError},
};

/// The most bytes of a line that a message holds itself, and of one part.
pub(crate) const PART_BYTES: usize = 512 << 10;

/// The digests of a message's parts, in order.
const PARTS: &str = "Teammate-Parts";

/// How many bytes they have together.
const SIZE: &str = "Teammate-Size";

/// A line as a message: headers and body.
pub(crate) struct Packed {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// The parts of one team.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) engine: Engine,
    pub(crate) place: NatsPlace,
}

impl Parts {
    /// The line as a message. What it names is stored when this returns.
    pub(crate) async fn pack(&self, line: String) -> Result<Packed, AppendError> {
        let line = Bytes::from(line);
        let mut headers = HeaderMap::new();
        if line.len() <= PART_BYTES {
            return Ok(Packed {
                headers,
                body: line,
            });
        }
        headers.insert(PARTS, self.store(&line).await?.join(","));
        headers.insert(SIZE, line.len().to_string());
        Ok(Packed {
            headers,
            body: Bytes::new(),
        })
    }

    /// Stores the bytes as parts; returns their digests.
    pub(crate) async fn store(&self, bytes: &Bytes) -> Result<Vec<String>, AppendError> {
        let mut names = Vec::new();
        for part in cut(bytes) {
            let name = name(&part);
            let append = Append {
                stream: self.place.partition.log(),
                subject: self.place.part(&name),
                id: format!("x/{}/{name}", self.place.team),
                after: AppendAfter::Last(0),
                headers: HeaderMap::new(),
                body: part,
            };
            match self.engine.append(&append).await {
                // It is there already.
                Ok(_) | Err(AppendError::Conflict { .. }) => names.push(name),
                Err(error) => return Err(error),
            }
        }
        Ok(names)
    }

    /// The line of a message.
    pub(crate) async fn unpack(&self, message: &StoredMessage) -> Result<Bytes, StreamReadError> {
        let Some(names) = message.headers.get(PARTS) else {
            return Ok(message.body.clone());
        };
        let mut line = Vec::new();
        for name in names.as_str().split(',') {
            line.extend_from_slice(&self.part(name).await?);
        }
        Ok(line.into())
    }

    async fn part(&self, wanted: &str) -> Result<Bytes, StreamReadError> {
        let broken = |what: &str| StreamReadError::Broken(format!("part {wanted} {what}"));
        if wanted.len() != 64 || !wanted.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(broken("has no name of a part"));
        }
        let subject = self.place.part(wanted);
        let through = self.engine.last(&subject).await?;
        let span = MessageSpan {
            stream: self.place.partition.log(),
            subject,
            from: 1,
            through,
        };
        let bodies = self.engine.read(span).await?.into_iter();
        let mut bodies = bodies.map(|message| message.body);
        let found = bodies.find(|body| name(body) == wanted);
        found.ok_or_else(|| broken("is missing or was changed"))
    }
}

/// The bytes in their order, as many at once as a message holds.
pub(crate) fn cut(bytes: &Bytes) -> impl Iterator<Item = Bytes> {
    let starts = (0..bytes.len()).step_by(PART_BYTES);
    starts.map(|start| bytes.slice(start..bytes.len().min(start + PART_BYTES)))
}

/// How many bytes the line of a message has, by its headers alone.
pub(crate) fn size(message: &StoredMessage) -> u64 {
    let number = |name| message.headers.get(name)?.as_str().parse().ok();
    number(SIZE)
        .or_else(|| number("Nats-Msg-Size"))
        .unwrap_or(0)
}

/// The name of a part: the hex digits of its SHA-256.
fn name(part: &[u8]) -> String {
    hex::text(digest(&SHA256, part).as_ref())
}
