//! The seal of a circle: the writer's signature of a line, with the owner's certificate of its key.
//!
//! A seal proves itself: no list of keys has to be fetched or kept. It counts for one team only.

use std::{
    collections::BTreeSet,
    fmt,
    sync::{Arc, Mutex},
};

use ring::signature::Ed25519KeyPair;
use teammate_core::{
    lock::Hold,
    port::{RecordWriter, Seal},
};
use teammate_wire::hex;

use super::{
    CircleKey, CircleRole, Holdings,
    certificate::{Certificate, SIGNATURE_BYTES, is_signed},
    warrant,
};
use crate::layout::{TeamId, is_subject};

const DOMAIN: &str = "teammate seal 1";

/// Seals what one person or worker writes for one team, and believes what others of the circle were allowed to write.
pub struct CertifiedSeal {
    team: TeamId,
    circle: CircleKey,
    pair: Ed25519KeyPair,
    certificate: Certificate,
    holdings: Arc<Holdings>,
    /// Certificates that were looked at: a circle has few.
    proven: Mutex<BTreeSet<Certificate>>,
}

impl CertifiedSeal {
    pub(super) fn new(
        team: TeamId,
        circle: CircleKey,
        pair: Ed25519KeyPair,
        certificate: Certificate,
        holdings: Arc<Holdings>,
    ) -> Self {
        Self {
            team,
            circle,
            pair,
            certificate,
            holdings,
            proven: Mutex::default(),
        }
    }

    fn is_certified(&self, certificate: &Certificate) -> bool {
        let mut proven = self.proven.hold();
        if proven.contains(certificate) {
            return true;
        }
        let is_ours = certificate.is_of(&self.circle);
        if is_ours {
            proven.insert(certificate.clone());
        }
        is_ours
    }

    /// A log's name has no line end, so different teams, logs or bytes never give the same input.
    fn covered(&self, log: &str, bytes: &[u8]) -> Vec<u8> {
        let team = match is_subject(log) {
            true => String::new(),
            false => self.team.to_string(),
        };
        let head = format!("{DOMAIN}\n{team}\n{log}\n");
        [head.as_bytes(), bytes].concat()
    }
}

impl Seal for CertifiedSeal {
    fn sign(&self, log: &str, bytes: &[u8]) -> String {
        let signature = self.pair.sign(&self.covered(log, bytes));
        hex::text(&[signature.as_ref(), &self.certificate.bytes()].concat())
    }

    fn verifies(&self, log: &str, bytes: &[u8], seal: &str) -> bool {
        let Some((signature, certificate)) = parts(seal) else {
            return false;
        };
        self.is_certified(&certificate)
            && is_signed(&certificate.key, &self.covered(log, bytes), &signature)
            && warrant::allows(&self.holdings, &certificate.signer, log, bytes)
    }

    /// As certified by the owner: a worker cannot say that it is a person.
    fn writer(&self, seal: &str) -> Option<RecordWriter> {
        parts(seal).map(|(_, certificate)| writer_of(&certificate))
    }

    fn own_writer(&self) -> RecordWriter {
        writer_of(&self.certificate)
    }
}

fn writer_of(certificate: &Certificate) -> RecordWriter {
    match certificate.signer.role {
        CircleRole::Person => RecordWriter::User,
        CircleRole::Worker => RecordWriter::Worker(certificate.signer.name.clone()),
    }
}

/// The signature, and the certificate of the key that made it.
fn parts(seal: &str) -> Option<(Vec<u8>, Certificate)> {
    let bytes = hex::bytes(seal)?;
    let (signature, certificate) = bytes.split_at_checked(SIGNATURE_BYTES)?;
    Some((signature.to_vec(), Certificate::read(certificate)?))
}

impl fmt::Debug for CertifiedSeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CertifiedSeal").finish_non_exhaustive()
    }
}
