//! Locks that stay open to others when a holder panics.
//!
//! A panic ends one task and is reported by who supervises it. What it held is changed in single steps here, so it is whole, and
//! a lock that refused everybody from then on would make one bug that of the whole team.

use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Holds a mutex, also after a panic of an earlier holder.
pub trait Hold {
    /// The data behind the lock.
    type Held: ?Sized;

    /// Waits until nobody else holds it.
    fn hold(&self) -> MutexGuard<'_, Self::Held>;
}

/// Holds a lock of many readers or one writer, also after a panic of an earlier holder.
pub trait HoldRw {
    /// The data behind the lock.
    type Held: ?Sized;

    /// Waits until nobody writes.
    fn hold_read(&self) -> RwLockReadGuard<'_, Self::Held>;

    /// Waits until nobody else reads or writes.
    fn hold_write(&self) -> RwLockWriteGuard<'_, Self::Held>;
}

impl<T: ?Sized> Hold for Mutex<T> {
    type Held = T;

    fn hold(&self) -> MutexGuard<'_, T> {
        self.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: ?Sized> HoldRw for RwLock<T> {
    type Held = T;

    fn hold_read(&self) -> RwLockReadGuard<'_, T> {
        self.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn hold_write(&self) -> RwLockWriteGuard<'_, T> {
        self.write().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::{panic::catch_unwind, sync::RwLock};

    use super::*;

    #[test]
    fn a_panic_of_a_holder_leaves_what_it_held_to_others() {
        let mutex = Mutex::new(1);
        let lock = RwLock::new(1);
        let broken = catch_unwind(|| {
            *mutex.hold() = 2;
            *lock.hold_write() = 2;
            let _held = (mutex.hold(), lock.hold_write());
            panic!("while both are held");
        });
        assert!(broken.is_err() && mutex.is_poisoned() && lock.is_poisoned());
        assert_eq!((*mutex.hold(), *lock.hold_read()), (2, 2));
    }
}
