//! Large things of a team that no log holds: bundles of work, long outputs. Each has a name; together they have a quota.
//!
//! An object is uploaded in pieces on subjects of its own, and is there when the list names it, which is replaced under compare.
//! What an upload leaves that was cut off is never read and not counted.

mod list;
mod port;

use std::sync::Arc;

use async_nats::HeaderMap;
use bytes::Bytes;
use ring::digest::{SHA256, digest};
use teammate_core::port::Seal;
use teammate_wire::hex;
use uuid::Uuid;

use self::list::{ListedObject, ObjectList};
use crate::{
    append::{Append, AppendAfter, AppendError},
    parts::{Parts, cut},
    read::{MessageSpan, StreamReadError},
};

/// How many bytes all objects of a team have together.
pub const TEAM_BYTES_MAX: u64 = 1 << 30;

/// How many bytes one object has.
pub const OBJECT_BYTES_MAX: u64 = 256 << 20;

/// How many objects a team has: their list is one message.
pub const OBJECTS_MAX: usize = 2_048;

const NAME_BYTES_MAX: usize = 128;

/// How often the list is tried again that others changed meanwhile.
const ATTEMPTS_MAX: u32 = 64;

/// The objects of one team.
#[derive(Clone)]
pub struct Objects {
    parts: Parts,
    seal: Arc<dyn Seal>,
    bytes_max: u64,
}

/// An object without its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObjectInfo {
    pub name: String,
    /// How many bytes it has.
    pub bytes: u64,
}

/// Why an object is not kept, found or removed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ObjectError {
    #[error("'{0}' is no object's name: use 1-128 characters without spaces and line ends")]
    Name(String),
    #[error("it has {0} bytes, and an object has at most {OBJECT_BYTES_MAX}")]
    TooLarge(u64),
    #[error(
        "the team's objects have {used} of {max} bytes, so {bytes} more do not fit; remove some"
    )]
    Quota {
        /// How many bytes it has.
        bytes: u64,
        /// How many the team's objects have.
        used: u64,
        /// How many they may have.
        max: u64,
    },
    #[error("the team has {OBJECTS_MAX} objects; remove some")]
    TooMany,
    /// The stored bytes are not those that were written.
    #[error("{0}")]
    Broken(String),
    /// The servers do not keep or give it now.
    #[error("it cannot be kept or read now ({0})")]
    Failed(String),
}

impl Objects {
    pub(crate) fn new(parts: Parts, seal: Arc<dyn Seal>) -> Self {
        Self {
            parts,
            seal,
            bytes_max: TEAM_BYTES_MAX,
        }
    }

    /// Sets another quota for the team.
    pub fn with_quota(self, bytes_max: u64) -> Self {
        Self { bytes_max, ..self }
    }

    /// Keeps an object, in place of one of the same name. It is there when this returns.
    pub async fn put(&self, name: &str, bytes: Bytes) -> Result<(), ObjectError> {
        let is_name = (1..=NAME_BYTES_MAX).contains(&name.len())
            && !name.contains(|c: char| c.is_whitespace() || c.is_control());
        if !is_name {
            return Err(ObjectError::Name(name.escape_debug().to_string()));
        }
        let size = bytes.len() as u64;
        if size > OBJECT_BYTES_MAX {
            return Err(ObjectError::TooLarge(size));
        }
        // Refused before anything is sent, and again when it is listed.
        self.require_room(&self.list().await?.list, name, size)?;
        let listed = self.upload(&bytes).await?;
        let put = self
            .change(|list| {
                self.require_room(list, name, size)?;
                Ok(list.objects.insert(name.to_owned(), listed.clone()))
            })
            .await;
        match put {
            Ok(Some(before)) => self.clear(&before).await,
            Ok(None) => {}
            Err(error) => {
                self.clear(&listed).await;
                return Err(error);
            }
        }
        Ok(())
    }

    /// An object's bytes, if there is one of the name.
    pub async fn get(&self, name: &str) -> Result<Option<Bytes>, ObjectError> {
        let list = self.list().await?.list;
        let Some(listed) = list.objects.get(name) else {
            return Ok(None);
        };
        let mut bytes = Vec::new();
        for number in 0..listed.pieces {
            bytes.extend_from_slice(&self.piece(listed, number).await?);
        }
        match hex::text(digest(&SHA256, &bytes).as_ref()) == listed.digest {
            true => Ok(Some(bytes.into())),
            false => Err(ObjectError::Broken(format!(
                "object {name} is not as it was written"
            ))),
        }
    }

    /// Removes an object and frees its room. Returns whether there was one.
    pub async fn remove(&self, name: &str) -> Result<bool, ObjectError> {
        let removed = self.change(|list| Ok(list.objects.remove(name))).await?;
        if let Some(listed) = &removed {
            self.clear(listed).await;
        }
        Ok(removed.is_some())
    }

    /// All objects by name.
    pub async fn infos(&self) -> Result<Vec<ObjectInfo>, ObjectError> {
        let objects = self.list().await?.list.objects.into_iter();
        let infos = objects.map(|(name, listed)| ObjectInfo {
            name,
            bytes: listed.bytes,
        });
        Ok(infos.collect())
    }

    fn require_room(&self, list: &ObjectList, name: &str, bytes: u64) -> Result<(), ObjectError> {
        let others = || list.objects.iter().filter(|(other, _)| *other != name);
        let used = others().map(|(_, listed)| listed.bytes).sum();
        if used + bytes > self.bytes_max {
            return Err(ObjectError::Quota {
                bytes,
                used,
                max: self.bytes_max,
            });
        }
        if others().count() >= OBJECTS_MAX {
            return Err(ObjectError::TooMany);
        }
        Ok(())
    }

    /// Stores the pieces; nothing names them yet.
    async fn upload(&self, bytes: &Bytes) -> Result<ListedObject, ObjectError> {
        let upload = Uuid::now_v7().simple().to_string();
        let mut pieces = 0;
        for piece in cut(bytes) {
            let subject = self.parts.place.piece(&upload, pieces);
            self.store(subject, AppendAfter::Last(0), piece)
                .await
                .map_err(|error| ObjectError::Failed(error.to_string()))?;
            pieces += 1;
        }
        Ok(ListedObject {
            upload,
            pieces,
            bytes: bytes.len() as u64,
            digest: hex::text(digest(&SHA256, bytes).as_ref()),
        })
    }

    async fn piece(&self, listed: &ListedObject, number: usize) -> Result<Bytes, ObjectError> {
        let subject = self.parts.place.piece(&listed.upload, number);
        let found = self.last(subject).await?;
        Ok(found.map_or_else(Bytes::new, |(_, body)| body))
    }

    /// Frees the room of an object that nothing names. What fails here only takes room.
    async fn clear(&self, listed: &ListedObject) {
        for number in 0..listed.pieces {
            let subject = self.parts.place.piece(&listed.upload, number);
            let _ = self.store(subject, AppendAfter::Any, Bytes::new()).await;
        }
    }

    /// The last message of a subject, with its sequence.
    async fn last(&self, subject: String) -> Result<Option<(u64, Bytes)>, ObjectError> {
        let failed = |error: StreamReadError| ObjectError::Failed(error.to_string());
        let engine = &self.parts.engine;
        let last = engine.last(&subject).await.map_err(failed)?;
        let span = MessageSpan {
            stream: self.parts.place.partition.objects(),
            subject,
            from: last,
            through: last,
        };
        let found = engine.read(span).await.map_err(failed)?.pop();
        Ok(found.map(|message| (message.sequence, message.body)))
    }

    async fn store(
        &self,
        subject: String,
        after: AppendAfter,
        body: Bytes,
    ) -> Result<u64, AppendError> {
        let append = Append {
            stream: self.parts.place.partition.objects(),
            subject,
            id: Uuid::now_v7().to_string(),
            after,
            headers: HeaderMap::new(),
            body,
        };
        self.parts.engine.append(&append).await
    }
}
