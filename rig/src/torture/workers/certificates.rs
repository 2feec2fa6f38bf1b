//! Certificates of a rig's servers, by an authority that is thrown away with the rig: off loopback, connections are encrypted.
//! `openssl` makes them. Programs believe the authority by `SSL_CERT_FILE`, as they would believe a company's own.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use crate::torture::processes::run_to_end;

/// The files of them.
#[derive(Clone)]
pub(super) struct Certificates {
    dir: PathBuf,
}

impl Certificates {
    /// Makes them for servers with these addresses.
    pub(super) fn make(dir: &Path, addresses: &[String]) -> io::Result<Self> {
        fs::create_dir_all(dir)?;
        let made = Self {
            dir: dir.to_owned(),
        };
        let names: Vec<String> = addresses.iter().map(|ip| format!("IP:{ip}")).collect();
        fs::write(
            dir.join("names"),
            format!("subjectAltName={}\n", names.join(",")),
        )?;
        let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
        let authority = "-x509 -keyout ca.key -out ca.pem -subj /CN=torture -days 2";
        made.openssl(&format!("req {key} {authority}"))?;
        made.openssl(&format!(
            "req {key} -keyout server.key -out server.csr -subj /CN=servers"
        ))?;
        made.openssl(
            "x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem",
        )?;
        Ok(made)
    }

    /// Those that were made there.
    pub(super) fn at(dir: &Path) -> Self {
        Self {
            dir: dir.to_owned(),
        }
    }

    /// The authority.
    pub(super) fn authority(&self) -> PathBuf {
        self.dir.join("ca.pem")
    }

    /// What a server's configuration says of them.
    pub(super) fn settings(&self) -> String {
        let dir = self.dir.display();
        format!("tls {{ cert_file: \"{dir}/server.pem\", key_file: \"{dir}/server.key\" }}\n")
    }

    fn openssl(&self, words: &str) -> io::Result<()> {
        let mut command = Command::new("openssl");
        command.args(words.split(' ')).current_dir(&self.dir);
        run_to_end(&mut command)
    }
}
