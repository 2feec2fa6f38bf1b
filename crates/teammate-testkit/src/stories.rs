//! The stories of a store: what must hold for everybody who uses its ports, whatever keeps the data. One file for each port.
//!
//! A story is an async function over a [`World`] and panics where something does not hold. An adapter's tests make the worlds
//! and say with [`tell!`](crate::tell) which stories run in them. What only one adapter promises (files, locks, torn bytes)
//! is a test beside it, not here.
#![allow(
    clippy::unwrap_used,
    clippy::missing_panics_doc,
    reason = "a story is a test: it panics where something does not hold"
)]

pub mod archive;
pub mod doorbell;
pub mod fleet;
pub mod journal;
pub mod mailbox;
mod makers;
pub mod objects;
pub mod transcript;
mod world;

pub use makers::{attached, every_entry, give_up, ids, largest, mail, name, working};
pub use world::{CrashingWorld, Process, World};

/// Makes a test of each story: it runs in every world that the async function gives, a new one each time.
///
/// ```ignore
/// async fn worlds() -> Vec<Box<dyn World>> { .. }
///
/// teammate_testkit::tell! { in worlds: journal::{appends_are_decided_by_length} }
/// ```
#[macro_export]
macro_rules! tell {
    (in $worlds:ident: $($port:ident::{$($story:ident),+ $(,)?}),+ $(,)?) => {
        $($(
            #[tokio::test(flavor = "multi_thread")]
            async fn $story() {
                for world in $worlds().await {
                    $crate::stories::$port::$story(&*world).await;
                }
            }
        )+)+
    };
}

/// The stories of every store, for `tell!` or a macro like it: `stories_of_stores!(tell in worlds);`.
#[macro_export]
macro_rules! stories_of_stores {
    ($tell:ident in $worlds:ident) => {
        $tell! { in $worlds:
            journal::{
                appends_are_decided_by_length,
                processes_go_on_where_others_have_ended,
                of_several_who_append_at_the_same_length_one_wins,
                old_records_are_found_again_wherever_one_begins,
                a_long_journal_is_handed_over_record_by_record,
                an_append_that_is_given_up_is_there_once_or_never,
                the_commands_that_a_record_lists_are_read_back,
            },
            mailbox::{
                what_is_sent_is_taken_in_order_until_it_is_settled,
                too_much_is_refused_with_a_reason,
                many_senders_at_once_lose_nothing_and_one_that_gives_up_harms_nobody,
                mail_of_several_processes_is_heard_while_they_send,
                a_new_process_finds_what_the_last_one_took,
                mail_that_is_sent_again_is_the_same_mail,
                the_end_grows_with_each_message_and_never_shrinks,
                attachments_are_heard_as_they_were_sent_and_two_full_messages_fit,
            },
            transcript::{
                every_entry_reads_back_as_it_was,
                a_transcript_gives_attachments_back,
                others_read_along_and_a_successor_goes_on,
                a_reader_goes_on_where_it_has_stopped,
                of_two_owners_only_one_appends,
            },
            doorbell::{a_doorbell_rings_for_what_came_before_it_was_listened_to},
        }
    };
}

/// The stories of the wire between workers.
#[macro_export]
macro_rules! stories_of_fleets {
    ($tell:ident in $worlds:ident) => {
        $tell! { in $worlds:
            fleet::{
                beats_reach_everybody_and_what_is_new_comes_at_once,
                a_question_names_who_asks_and_is_answered,
                nobody_is_certain_and_silence_is_not,
            },
        }
    };
}

/// The stories of stores that real processes share: an archive, and doorbells that ring for others.
#[macro_export]
macro_rules! stories_of_shared_stores {
    ($tell:ident in $worlds:ident) => {
        $tell! { in $worlds:
            archive::{what_is_archived_is_out_of_the_way},
            doorbell::{
                mail_of_another_process_rings, records_of_another_process_ring,
                who_follows_the_journal_has_each_record_once,
            },
        }
    };
}

/// The stories of stores that crash.
#[macro_export]
macro_rules! stories_of_crashes {
    ($tell:ident in $worlds:ident) => {
        $tell! { in $worlds:
            journal::{what_was_synced_survives_a_crash},
            mailbox::{mail_that_was_sent_survives_a_crash},
            transcript::{what_was_appended_survives_a_crash},
        }
    };
}
