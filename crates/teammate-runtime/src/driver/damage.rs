//! One notice about a transcript that was damaged: what is wrong with its file, and what was mended in the conversation.

use teammate_core::transcript::Mended;

/// The most problems of a file that are reported.
const NOTED_MAX: usize = 3;

/// The note for the user; `None` if nothing is wrong.
pub(super) fn notice(salvage: &[String], mended: Mended) -> Option<String> {
    let mut parts = salvage.to_vec();
    if let Some(more) = salvage
        .len()
        .checked_sub(NOTED_MAX)
        .filter(|more| *more > 0)
    {
        // The last line says where they are kept.
        let left_out = NOTED_MAX - 1..salvage.len() - 1;
        parts.splice(left_out, [format!("{more} more lines like that")]);
    }
    if !mended.is_nothing() {
        parts.push(format!(
            "the conversation continues without the lost lines ({mended})"
        ));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_damage_of_a_transcript_is_one_notice() {
        assert_eq!(notice(&[], Mended::default()), None);
        let lines = |count: usize| (1..=count).map(|at| format!("line {at} is bad")).collect();
        let one: Vec<String> = lines(1);
        assert_eq!(
            notice(&one, Mended::default()).as_deref(),
            Some("line 1 is bad")
        );
        let mended = Mended {
            lost_calls: 1,
            doubled: 2,
            ..Mended::default()
        };
        let many: Vec<String> = lines(9);
        assert_eq!(
            notice(&many, mended).as_deref(),
            Some(
                "line 1 is bad; line 2 is bad; 6 more lines like that; line 9 is bad; the conversation continues without the \
                 lost lines (outcomes lost their tool calls: 1; doubled entries count once: 2)"
            )
        );
    }
}
