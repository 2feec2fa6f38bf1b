//! What can happen to a file.

use crate::damage::chance::Chance;

/// The file after one to three damages, and what was done to it.
pub(crate) fn harmed(sound: &[u8], chance: &Chance) -> (Vec<u8>, String) {
    let mut bytes = sound.to_vec();
    let mut what = Vec::new();
    for _ in 0..=chance.below(3) {
        what.push(harm(&mut bytes, chance));
    }
    (bytes, what.join(", then "))
}

fn harm(bytes: &mut Vec<u8>, chance: &Chance) -> String {
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|byte| *byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    if lines.is_empty() {
        return "nothing is left to damage".to_owned();
    }
    let (at, other) = (chance.below(lines.len()), chance.below(lines.len()));
    let byte = chance.below(bytes.len());
    let what = match chance.below(11) {
        0 => {
            let bit = chance.below(8);
            bytes[byte] ^= 1 << bit;
            return format!("bit {bit} of byte {byte} flipped");
        }
        1 => {
            bytes.truncate(byte);
            return format!("cut after {byte} bytes");
        }
        2 => {
            let end = bytes.len().min(byte + 1 + chance.below(600));
            bytes[byte..end].fill(0);
            return format!("bytes {byte} to {end} zero");
        }
        3 => {
            let garbage: Vec<u8> = (0..chance.below(80))
                .map(|_| u8::try_from(chance.below(256)).unwrap())
                .collect();
            bytes.splice(byte..byte, garbage);
            return format!("garbage at byte {byte}");
        }
        4 => {
            let line = lines[at].clone();
            lines.insert(other, line);
            format!("line {at} doubled at {other}")
        }
        5 => {
            lines.swap(at, other);
            format!("lines {at} and {other} swapped")
        }
        6 => {
            let next = (at + 1).min(lines.len() - 1);
            lines.swap(at, next);
            format!("line {at} and the next swapped")
        }
        7 => {
            lines.remove(at);
            format!("line {at} missing")
        }
        8 => {
            let end = lines.len().min(at + 1 + chance.below(6));
            lines.drain(at..end);
            format!("lines {at} to {end} missing")
        }
        9 => {
            let half = chance.below(lines[at].len());
            lines[at].truncate(half);
            format!("line {at} cut after {half} bytes, with its line end")
        }
        _ => {
            let line = b"{\"entry\":\"heard\",\"mail\":[]}\n".to_vec();
            lines.insert(at, line);
            format!("a strange line at {at}")
        }
    };
    *bytes = lines.concat();
    what
}
