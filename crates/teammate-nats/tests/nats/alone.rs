//! The stories of a store, on one server.

use teammate_testkit::tell;

use crate::world::{crashing_worlds, worlds};

tell! { in worlds:
    journal::{
        appends_are_decided_by_length,
        processes_go_on_where_others_have_ended,
        of_several_who_append_at_the_same_length_one_wins,
        old_records_are_found_again_wherever_one_begins,
        a_long_journal_is_handed_over_record_by_record,
        an_append_that_is_given_up_is_there_once_or_never,
    },
    mailbox::{
        what_is_sent_is_taken_in_order_until_it_is_settled,
        too_much_is_refused_with_a_reason,
        many_senders_at_once_lose_nothing_and_one_that_gives_up_harms_nobody,
        mail_of_several_processes_is_heard_while_they_send,
        a_new_process_finds_what_the_last_one_took,
        mail_that_is_sent_again_is_the_same_mail,
        attachments_are_heard_as_they_were_sent_and_two_full_messages_fit,
    },
    transcript::{
        every_entry_reads_back_as_it_was,
        a_transcript_gives_attachments_back,
        others_read_along_and_a_successor_goes_on,
        of_two_owners_only_one_appends,
    },
    archive::{what_is_archived_is_out_of_the_way},
    doorbell::{
        a_doorbell_rings_for_what_came_before_it_was_listened_to,
        mail_of_another_process_rings,
        records_of_another_process_ring,
    },
}

tell! { in crashing_worlds:
    journal::{what_was_synced_survives_a_crash},
    mailbox::{mail_that_was_sent_survives_a_crash},
    transcript::{what_was_appended_survives_a_crash},
}
