//! What a store promises, told on its files, in memory and on simulated disks.
#![allow(clippy::unwrap_used, reason = "a test may")]

mod attached;
mod chain;
mod common;
mod crash;
mod damage;
mod forgery;
mod golden;
mod heads;
mod host_lock;
mod journal;
mod mailbox;
mod second_copy;
mod stories;
mod team_dir;
mod team_disk;
mod transcript;
mod unproven;
mod worlds;
