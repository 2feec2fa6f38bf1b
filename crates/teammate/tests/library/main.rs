//! Teams through the library: on damaged files, on servers, in a store that is no file.

mod damage;
mod handle;
mod on_servers;
mod shared_store;
