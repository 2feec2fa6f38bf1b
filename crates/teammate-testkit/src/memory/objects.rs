//! Objects in memory.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use teammate_core::port::{BoxFuture, ObjectError, Objects};

/// The objects of a team. Share one between those who are to see the same.
#[derive(Debug, Default)]
pub struct MemoryObjects {
    kept: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl MemoryObjects {
    fn with<T>(&self, act: impl FnOnce(&mut BTreeMap<String, Vec<u8>>) -> T) -> T {
        act(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Objects for MemoryObjects {
    fn put<'a>(&'a self, name: &'a str, bytes: Vec<u8>) -> BoxFuture<'a, Result<(), ObjectError>> {
        self.with(|kept| kept.insert(name.to_owned(), bytes));
        Box::pin(std::future::ready(Ok(())))
    }

    fn get<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<Option<Vec<u8>>, ObjectError>> {
        let found = self.with(|kept| kept.get(name).cloned());
        Box::pin(std::future::ready(Ok(found)))
    }

    fn names<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Vec<String>, ObjectError>> {
        let named = |kept: &mut BTreeMap<String, _>| {
            let names = kept.keys().filter(|name| name.starts_with(prefix));
            names.cloned().collect()
        };
        Box::pin(std::future::ready(Ok(self.with(named))))
    }

    fn remove<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), ObjectError>> {
        self.with(|kept| kept.remove(name));
        Box::pin(std::future::ready(Ok(())))
    }
}
