//! The list of a team's objects: one sealed message, replaced under compare.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use teammate_wire::chain::{LineDigest, Log};

use super::{ATTEMPTS_MAX, ObjectError, Objects};
use crate::append::{AppendAfter, AppendError};

/// All objects by name.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct ObjectList {
    pub(super) objects: BTreeMap<String, ListedObject>,
}

/// Where an object is, and what it must be.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ListedObject {
    pub(super) upload: String,
    pub(super) pieces: usize,
    pub(super) bytes: u64,
    pub(super) digest: String,
}

/// A list as it was read.
pub(super) struct ReadList {
    pub(super) list: ObjectList,
    /// Its sequence; 0 if there is none yet.
    sequence: u64,
}

impl Objects {
    pub(super) async fn list(&self) -> Result<ReadList, ObjectError> {
        let Some((sequence, line)) = self.last(self.parts.place.objects()).await? else {
            let list = ObjectList::default();
            return Ok(ReadList { list, sequence: 0 });
        };
        let broken = |why: &str| ObjectError::Broken(format!("the list of objects {why}"));
        let log = Log::objects(self.seal.clone());
        log.opened(&line)
            .ok_or_else(|| broken("has no seal of this team's"))?;
        let list = serde_json::from_slice(&line).map_err(|error| broken(&error.to_string()))?;
        Ok(ReadList { list, sequence })
    }

    /// Changes the list. `change` is asked again where others were faster.
    pub(super) async fn change<T>(
        &self,
        mut change: impl FnMut(&mut ObjectList) -> Result<T, ObjectError>,
    ) -> Result<T, ObjectError> {
        let log = Log::objects(self.seal.clone());
        for _ in 0..ATTEMPTS_MAX {
            let ReadList { mut list, sequence } = self.list().await?;
            let changed = change(&mut list)?;
            let object = serde_json::to_string(&list).expect("texts and numbers are JSON");
            let line = log.line(&object, LineDigest::NONE);
            let subject = self.parts.place.objects();
            match self
                .store(subject, AppendAfter::Last(sequence), line.into())
                .await
            {
                Ok(_) => return Ok(changed),
                Err(AppendError::Conflict { .. }) => {}
                Err(error) => return Err(ObjectError::Failed(error.to_string())),
            }
        }
        Err(ObjectError::Failed(
            "others change it all the time".to_owned(),
        ))
    }
}
