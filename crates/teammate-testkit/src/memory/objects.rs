//! ObjectStore in memory.

use std::{collections::BTreeMap, sync::Mutex};

use teammate_core::{
    lock::Hold,
    port::{BoxFuture, ObjectStore, ObjectStoreError},
};

/// The objects of a team. Share one between those who are to see the same.
#[derive(Debug, Default)]
pub struct MemoryObjects {
    kept: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl MemoryObjects {
    fn with<T>(&self, act: impl FnOnce(&mut BTreeMap<String, Vec<u8>>) -> T) -> T {
        act(&mut self.kept.hold())
    }
}

impl ObjectStore for MemoryObjects {
    fn put<'a>(
        &'a self,
        name: &'a str,
        bytes: Vec<u8>,
    ) -> BoxFuture<'a, Result<(), ObjectStoreError>> {
        let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
        let put = if is_name {
            self.with(|kept| kept.insert(name.to_owned(), bytes));
            Ok(())
        } else {
            Err(ObjectStoreError(format!("'{name}' is no object's name")))
        };
        Box::pin(std::future::ready(put))
    }

    fn get<'a>(
        &'a self,
        name: &'a str,
    ) -> BoxFuture<'a, Result<Option<Vec<u8>>, ObjectStoreError>> {
        let found = self.with(|kept| kept.get(name).cloned());
        Box::pin(std::future::ready(Ok(found)))
    }

    fn names<'a>(
        &'a self,
        prefix: &'a str,
    ) -> BoxFuture<'a, Result<Vec<String>, ObjectStoreError>> {
        let named = |kept: &mut BTreeMap<String, _>| {
            let names = kept.keys().filter(|name| name.starts_with(prefix));
            names.cloned().collect()
        };
        Box::pin(std::future::ready(Ok(self.with(named))))
    }

    fn remove<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), ObjectStoreError>> {
        self.with(|kept| kept.remove(name));
        Box::pin(std::future::ready(Ok(())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stories::objects;

    #[tokio::test]
    async fn what_is_put_is_got_by_name() {
        let store = MemoryObjects::default();
        objects::what_is_put_is_got_by_name("memory", &store, &store).await;
    }
}
