//! All that was written in one run, for people who look for what went wrong: `TEAMMATE_STORY=1 TEAMMATE_SEED=7`.

use teammate_core::port::Record;

use super::crew::Crew;

/// Prints it, if that is wanted.
pub(crate) fn tell(crew: &Crew, records: &[Record]) {
    if std::env::var_os("TEAMMATE_STORY").is_none() {
        return;
    }
    for (record, writer) in records.iter().zip(crew.engine.writers()) {
        let at = writer.at.duration_since(crew.begun);
        println!(
            "{at:?} record {} by life {} of {}",
            record.number, writer.life, writer.worker
        );
        for event in &record.events {
            println!("    {event:?}");
        }
    }
    for member in crew.engine.members() {
        println!("{member}:");
        for (number, line) in crew.engine.lines(&member).iter().enumerate() {
            let at = line.written.duration_since(crew.begun);
            let shown = format!("{:?}", line.entry);
            let shown: String = shown.chars().take(600).collect();
            println!("  {number} {at:?} by life {}: {shown}", line.life);
        }
    }
}
