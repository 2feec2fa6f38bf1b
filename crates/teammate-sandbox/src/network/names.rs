//! The name server of one network: each name that a command asks for gets an address of that network, behind which the host
//! connects it. No question leaves the machine.

use std::{collections::HashMap, net::Ipv4Addr, sync::Mutex};

use teammate_core::{lock::Hold, permission::HostName};

/// How many names one command may ask for.
const NAMES_MAX: usize = 4_096;
/// How long an answer may be kept, in seconds.
const KEPT: u32 = 60;
/// The type of a question for an address of four bytes.
const ADDRESS: u16 = 1;
/// The class of the Internet.
const INTERNET: u16 = 1;

/// Names and the addresses they got.
#[derive(Debug, Default)]
pub(super) struct Names {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    names: Vec<HostName>,
    numbers: HashMap<HostName, usize>,
}

impl Names {
    /// The name behind an address that this network gave out.
    pub(super) fn behind(&self, address: Ipv4Addr) -> Option<HostName> {
        let [127, 1, high, low] = address.octets() else {
            return None;
        };
        let number = usize::from(u16::from_be_bytes([high, low])).checked_sub(1)?;
        let known = self.known.hold();
        known.names.get(number).cloned()
    }

    fn address(&self, name: HostName) -> Option<Ipv4Addr> {
        let mut known = self.known.hold();
        let number = match known.numbers.get(&name) {
            Some(number) => *number,
            None if known.names.len() >= NAMES_MAX => return None,
            None => {
                let number = known.names.len();
                known.names.push(name.clone());
                known.numbers.insert(name, number);
                number
            }
        };
        let [high, low] = u16::try_from(number + 1).ok()?.to_be_bytes();
        Some(Ipv4Addr::new(127, 1, high, low))
    }

    /// The answer to one datagram. `None` for what is no question.
    pub(super) fn answer(&self, datagram: &[u8]) -> Option<Vec<u8>> {
        let question = Question::read(datagram)?;
        let is_known = question.name.is_some();
        let address = match (question.kind, question.class) {
            (ADDRESS, INTERNET) => question.name.and_then(|name| self.address(name)),
            _ => None,
        };
        let code: u16 = if is_known { 0 } else { 3 };
        // An answer, with the recursion that was wanted.
        let flags = 0x8180 | code;
        let mut answer = question.id.to_be_bytes().to_vec();
        for number in [flags, 1, u16::from(address.is_some()), 0, 0] {
            answer.extend(number.to_be_bytes());
        }
        answer.extend(question.text);
        if let Some(address) = address {
            // The name stands at byte 12.
            answer.extend([0xC0, 12]);
            answer.extend(ADDRESS.to_be_bytes());
            answer.extend(INTERNET.to_be_bytes());
            answer.extend(KEPT.to_be_bytes());
            answer.extend(4u16.to_be_bytes());
            answer.extend(address.octets());
        }
        Some(answer)
    }
}

/// The name whose address a datagram asks for.
pub(super) fn asked_for(datagram: &[u8]) -> Option<HostName> {
    let question = Question::read(datagram)?;
    let is_for_address = (question.kind, question.class) == (ADDRESS, INTERNET);
    question.name.filter(|_| is_for_address)
}

/// The one question of a datagram (RFC 1035, section 4.1).
struct Question<'a> {
    id: u16,
    /// The name, if it is one that may be asked for.
    name: Option<HostName>,
    kind: u16,
    class: u16,
    /// As it stands.
    text: &'a [u8],
}

impl<'a> Question<'a> {
    fn read(datagram: &'a [u8]) -> Option<Self> {
        let number = |at: usize| {
            Some(u16::from_be_bytes(
                datagram.get(at..at + 2)?.try_into().ok()?,
            ))
        };
        let is_query = number(2)? & 0x8000 == 0;
        if !is_query || number(4)? != 1 {
            return None;
        }
        let mut name = String::new();
        let mut at = 12;
        loop {
            let length = usize::from(*datagram.get(at)?);
            at += 1;
            match length {
                0 => break,
                // Nothing stands before it to point to.
                64.. => return None,
                _ => {
                    let label = datagram.get(at..at + length)?;
                    // A byte that no name has makes it none.
                    name.push_str(&String::from_utf8_lossy(label));
                    name.push('.');
                    at += length;
                }
            }
        }
        Some(Self {
            id: number(0)?,
            name: HostName::parse(&name),
            kind: number(at)?,
            class: number(at + 2)?,
            text: datagram.get(12..at + 4)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(name: &str, kind: u16) -> Vec<u8> {
        let mut datagram = vec![7, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        for label in name.split('.') {
            datagram.push(u8::try_from(label.len()).unwrap());
            datagram.extend(label.as_bytes());
        }
        datagram.push(0);
        datagram.extend(kind.to_be_bytes());
        datagram.extend(INTERNET.to_be_bytes());
        datagram
    }

    fn address(answer: &[u8]) -> Option<Ipv4Addr> {
        (answer[7] == 1).then(|| {
            let bytes: [u8; 4] = answer[answer.len() - 4..].try_into().unwrap();
            Ipv4Addr::from(bytes)
        })
    }

    #[test]
    fn a_name_keeps_its_address_and_an_address_its_name() {
        let names = Names::default();
        let first = address(&names.answer(&query("crates.io", 1)).unwrap());
        let second = address(&names.answer(&query("pypi.org", 1)).unwrap());
        let again = address(&names.answer(&query("CRATES.io", 1)).unwrap());
        assert_eq!(first, Some(Ipv4Addr::new(127, 1, 0, 1)));
        assert_eq!(second, Some(Ipv4Addr::new(127, 1, 0, 2)));
        assert_eq!(again, first);
        let behind = names.behind(Ipv4Addr::new(127, 1, 0, 2));
        assert_eq!(behind, HostName::parse("pypi.org"));
        assert_eq!(names.behind(Ipv4Addr::new(127, 1, 0, 3)), None);
        assert_eq!(names.behind(Ipv4Addr::LOCALHOST), None);
    }

    #[test]
    fn other_questions_have_no_answer_and_what_is_no_name_does_not_exist() {
        let names = Names::default();
        assert_eq!(asked_for(&query("crates.io", 28)), None);
        assert_eq!(
            asked_for(&query("crates.io", 1)),
            HostName::parse("crates.io")
        );
        let six = names.answer(&query("crates.io", 28)).unwrap();
        assert_eq!((six[3] & 15, address(&six)), (0, None));
        let address_as_name = names.answer(&query("127.1", 1)).unwrap();
        assert_eq!(
            (address_as_name[3] & 15, address(&address_as_name)),
            (3, None)
        );
    }

    #[test]
    fn what_is_no_question_is_passed_over() {
        let names = Names::default();
        let sound = query("crates.io", 1);
        for length in 0..sound.len() {
            assert_eq!(names.answer(&sound[..length]), None, "{length}");
        }
        let mut answer = sound.clone();
        answer[2] |= 0x80;
        assert_eq!(names.answer(&answer), None);
        let mut pointer = sound;
        pointer[12] = 0xC0;
        assert_eq!(names.answer(&pointer), None);
    }
}
