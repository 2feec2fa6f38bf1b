//! Which settings of git name a program.

/// A setting as git lists it: section and last word in lower case, what is between as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GitSetting<'a> {
    pub(super) key: &'a str,
    /// Nothing if it is only named, which means true.
    pub(super) value: Option<&'a [u8]>,
}

/// Last words of keys whose value is a command line, a program or a directory of programs, in whatever section.
/// New ones of git tend to end like these.
const ENDINGS: [&str; 14] = [
    "askpass",
    "browser",
    "clean",
    "cmd",
    "command",
    "driver",
    "editor",
    "helper",
    "hook",
    "hookspath",
    "program",
    "smudge",
    "textconv",
    "tunnel",
];

/// Others, as section and last word.
const NAMED: [(&str, &str); 18] = [
    ("browser", "path"),
    ("core", "gitproxy"),
    ("core", "pager"),
    ("diff", "external"),
    ("difftool", "path"),
    ("filter", "process"),
    ("gitcvs", "dbdriver"),
    ("init", "templatedir"),
    ("interactive", "difffilter"),
    ("lfs", "path"),
    ("lfs", "standalonetransferagent"),
    ("man", "path"),
    ("mergetool", "path"),
    ("remote", "receivepack"),
    ("remote", "uploadpack"),
    ("remote", "vcs"),
    ("sendemail", "smtpserver"),
    // Settings of a kind that cannot be seen here count as one that names a program.
    ("includeif", "path"),
];

impl<'a> GitSetting<'a> {
    /// Whether git runs something because of it.
    pub(super) fn is_program(&self) -> bool {
        if self.is_switch() {
            return false;
        }
        let (section, name) = self.ends();
        match section {
            // An alias is a program, or options that name one.
            "alias" | "pager" => true,
            "core" if name == "fsmonitor" => true,
            "protocol" => name == "allow" && self.value != Some(b"never"),
            "submodule" => name == "update" && self.value.is_some_and(|v| v.starts_with(b"!")),
            "remote" | "url"
                if matches!(name, "url" | "pushurl" | "insteadof" | "pushinsteadof") =>
            {
                self.has_foreign_transport()
            }
            _ => {
                ENDINGS.iter().any(|ending| name.ends_with(ending))
                    || NAMED.contains(&(section, name))
            }
        }
    }

    /// The section and the last word.
    fn ends(&self) -> (&str, &str) {
        let (section, rest) = self.key.split_once('.').unwrap_or((self.key, ""));
        (section, rest.rsplit('.').next().unwrap_or(rest))
    }

    /// The words between them, if there are any.
    pub(super) fn middle(&self) -> Option<&'a str> {
        let (_, rest) = self.key.split_once('.')?;
        Some(rest.rsplit_once('.')?.0)
    }

    /// Nothing at all, or a yes or no where git takes it for one.
    fn is_switch(&self) -> bool {
        let Some(value) = self.value.filter(|value| !value.is_empty()) else {
            return true;
        };
        let words: [&[u8]; 8] = [b"true", b"yes", b"on", b"1", b"false", b"no", b"off", b"0"];
        let may_be = match self.ends() {
            ("advice" | "color" | "pager", _) => true,
            (section, name) => (section, name) == ("core", "fsmonitor"),
        };
        may_be && words.iter().any(|word| value.eq_ignore_ascii_case(word))
    }

    /// `ext::sh -c ...`: what is before the colons is a program `git-remote-ext`.
    fn has_foreign_transport(&self) -> bool {
        let is_one = |text: &[u8]| {
            let name = text.split(|byte| *byte == b':').next().unwrap_or_default();
            text[name.len()..].starts_with(b"::") && !name.contains(&b'/')
        };
        self.value.is_some_and(is_one)
            || self
                .middle()
                .is_some_and(|middle| is_one(middle.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_program(key: &str, value: &str) -> bool {
        let value = Some(value.as_bytes());
        GitSetting { key, value }.is_program()
    }

    #[test]
    fn what_names_a_program_is_known() {
        for key in [
            "alias.st",
            "browser.x.cmd",
            "browser.x.path",
            "core.alternaterefscommand",
            "core.askpass",
            "core.editor",
            "core.fsmonitor",
            "core.gitproxy",
            "core.hookspath",
            "core.pager",
            "core.sshcommand",
            "credential.helper",
            "credential.https://a.b/c.helper",
            "diff.external",
            "diff.x.command",
            "diff.x.textconv",
            "difftool.x.cmd",
            "filter.a.b=c d.clean",
            "filter.x.process",
            "filter.x.smudge",
            "gc.recentobjectshook",
            "gpg.program",
            "gpg.ssh.defaultkeycommand",
            "gpg.ssh.program",
            "guitool.x.cmd",
            "hook.x.command",
            "imap.tunnel",
            "includeif.gitdir:/x/.path",
            "init.templatedir",
            "interactive.difffilter",
            "lfs.customtransfer.x.path",
            "lfs.extension.x.clean",
            "merge.x.driver",
            "mergetool.x.path",
            "pager.status",
            "remote.x.receivepack",
            "remote.x.uploadpack",
            "remote.x.vcs",
            "sendemail.tocmd",
            "sequence.editor",
            "tar.x.command",
            "trailer.x.cmd",
            "uploadpack.packobjectshook",
            "web.browser",
        ] {
            assert!(is_program(key, "x"), "{key}");
        }
        // The program `yes`.
        assert!(is_program("filter.x.clean", "yes"));
        assert!(is_program("protocol.ext.allow", "always"));
        assert!(is_program("submodule.x.update", "!x"));
        assert!(is_program("remote.x.url", "ext::sh -c x"));
        assert!(is_program("url.ext::sh -c x.insteadof", "https://"));
    }

    #[test]
    fn what_names_none_passes() {
        for (key, value) in [
            ("user.name", "x"),
            ("core.fsmonitor", "true"),
            ("pager.log", "false"),
            ("credential.helper", ""),
            ("advice.ignoredhook", "false"),
            ("filter.lfs.required", "true"),
            ("remote.origin.url", "https://a.b/c.git"),
            ("remote.origin.url", "git@a.b:c.git"),
            ("remote.origin.url", "/a/b::c"),
            ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"),
            ("submodule.x.update", "rebase"),
            ("submodule.x.path", "x"),
            ("branch.main.remote", "origin"),
            ("core.attributesfile", "x"),
            ("merge.x.name", "x"),
            ("protocol.ext.allow", "never"),
        ] {
            assert!(!is_program(key, value), "{key}={value}");
        }
        let key = "core.fsmonitor";
        assert!(!GitSetting { key, value: None }.is_program());
    }
}
