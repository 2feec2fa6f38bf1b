//! The team's objects as the rest of the program knows them.

use teammate_core::port::{BoxFuture, ObjectError as Refusal, Objects as ObjectsPort};

use super::{ObjectError, Objects};

impl From<ObjectError> for Refusal {
    fn from(error: ObjectError) -> Self {
        Self(error.to_string())
    }
}

impl ObjectsPort for Objects {
    fn put<'a>(&'a self, name: &'a str, bytes: Vec<u8>) -> BoxFuture<'a, Result<(), Refusal>> {
        Box::pin(async move { Ok(Self::put(self, name, bytes.into()).await?) })
    }

    fn get<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<Vec<u8>>, Refusal>> {
        Box::pin(async move { Ok(Self::get(self, name).await?.map(Into::into)) })
    }

    fn names<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Vec<String>, Refusal>> {
        Box::pin(async move {
            let infos = self.infos().await?.into_iter();
            let names = infos.map(|info| info.name);
            Ok(names.filter(|name| name.starts_with(prefix)).collect())
        })
    }

    fn remove<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), Refusal>> {
        Box::pin(async move {
            Self::remove(self, name).await?;
            Ok(())
        })
    }
}
