//! Programs that mostly look, but for an option or an operand.

use super::{Known, Operands, Others, Program};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["ag", "ack", "bat", "batcat", "delta"],
        runs: &["--pager --config-file"],
        others: Others::AllBut(&["--paging"]),
    },
    Program {
        names: &["curl"],
        runs: &[],
        others: Others::AllBut(&[
            "-c -D -J -K -o -O -T --alt-svc --config --cookie-jar --create-dirs --dump-header --engine --etag-save --hsts",
            "--libcurl --output --output-dir --remote-header-name --remote-name --remote-name-all --stderr --trace",
            "--trace-ascii --upload-file",
        ]),
    },
    Program {
        names: &["diff3", "sdiff"],
        runs: &["--diff-program"],
        others: Others::AllBut(&["-o --output"]),
    },
    Program {
        names: &["fd", "fdfind"],
        runs: &["-x -X --exec --exec-batch"],
        others: Others::AllBut(&[]),
    },
    Program {
        names: &["file"],
        runs: &[],
        others: Others::AllBut(&["-C --compile"]),
    },
    Program {
        names: &["find", "gfind"],
        runs: &["-exec -execdir -ok -okdir"],
        others: Others::Only(
            Known::Words(&[
                "-H -L -P -O* -E -X -x -s -d -depth -follow -mount -xdev -noleaf -warn -nowarn -daystart -regextype=",
                "-maxdepth= -mindepth= -ignore_readdir_race -noignore_readdir_race",
                "-name= -iname= -path= -ipath= -wholename= -iwholename= -regex= -iregex= -lname= -ilname= -type= -xtype=",
                "-size= -empty -perm= -user= -group= -uid= -gid= -nouser -nogroup -links= -inum= -samefile= -fstype= -used=",
                "-mtime= -mmin= -atime= -amin= -ctime= -cmin= -newer= -anewer= -cnewer= -newermt= -newerat= -newerct= -newermm=",
                "-readable -writable -executable -context= -flags=",
                "-a -and -o -or -not -true -false -prune -quit -print -print0 -printf= -ls",
            ]),
            Operands::Any,
        ),
    },
    Program {
        names: &["history"],
        runs: &[],
        others: Others::Only(Known::Letters(&[]), Operands::Any),
    },
    Program {
        names: &["iconv"],
        runs: &[],
        others: Others::AllBut(&["-o --output"]),
    },
    Program {
        names: &["jobs"],
        runs: &["-x"],
        others: Others::AllBut(&[]),
    },
    Program {
        names: &["less", "more"],
        runs: &[],
        others: Others::Only(
            Known::Letters(&[
                "-c -d -e -E -f -F -g -G -i -I -l -m -M -n -N -p -q -Q -r -R -s -S -u -X -#",
            ]),
            // `+` begins a command of the pager's own, `!` is its shell.
            Operands::Without(&['+', '!']),
        ),
    },
    Program {
        names: &["man"],
        runs: &["-H -P --html --pager"],
        others: Others::Only(
            Known::Letters(&[
                "-a -f -k -w -s= -S= --all --whatis --apropos --where --path --sections=",
            ]),
            Operands::Any,
        ),
    },
    Program {
        names: &["printf"],
        runs: &["-v"],
        others: Others::AllBut(&[]),
    },
    Program {
        names: &["rg"],
        runs: &["--pre --hostname-bin"],
        others: Others::AllBut(&["-z --search-zip"]),
    },
    Program {
        names: &["shuf", "gshuf"],
        runs: &[],
        others: Others::AllBut(&["-o --output"]),
    },
    Program {
        names: &["sort", "gsort"],
        runs: &["--compress-program"],
        others: Others::Only(
            Known::Letters(&[
                "-b -c -C -d -f -g -h -i -k= -m -M -n -r -R -s -S= -t= -u -V -z --batch-size= --buffer-size= --check? --debug",
                "--dictionary-order --field-separator= --general-numeric-sort --human-numeric-sort --ignore-case",
                "--ignore-leading-blanks --ignore-nonprinting --key= --merge --month-sort --numeric-sort --parallel=",
                "--random-sort --reverse --sort= --stable --unique --version-sort --zero-terminated --help --version",
            ]),
            Operands::Any,
        ),
    },
    Program {
        names: &["split", "gsplit"],
        runs: &["--filter"],
        others: Others::AllBut(&[]),
    },
    Program {
        names: &["test", "["],
        // They look a variable up, and its index is computed.
        runs: &["-R -v"],
        others: Others::AllBut(&[]),
    },
    Program {
        names: &["tree"],
        runs: &[],
        others: Others::Only(
            Known::Letters(&[
                "-a -A -c -C -d -D -f -F -g -h -H= -i -I= -J -l -L= -n -N -p -P= -q -Q -r -s -S -t -T= -u -U -v -x -X --charset?",
                "--device --dirsfirst --du --filelimit= --filesfirst --fromfile --gitignore --ignore-case --inodes --matchdirs",
                "--metafirst --nolinks --noreport --prune --si --sort? --timefmt= --help --version",
            ]),
            Operands::Any,
        ),
    },
    Program {
        names: &["uniq", "guniq"],
        runs: &[],
        others: Others::Only(
            Known::Letters(&[
                "-c -d -D -f= -i -s= -u -w= -z --all-repeated? --check-chars= --count --group? --ignore-case --repeated",
                "--skip-chars= --skip-fields= --unique --zero-terminated --help --version",
            ]),
            Operands::One,
        ),
    },
    Program {
        names: &["wait"],
        runs: &["-p"],
        others: Others::AllBut(&[]),
    },
    Program {
        names: &["xxd"],
        runs: &[],
        others: Others::Only(
            Known::Words(&[
                "-a -autoskip -b -bits -c= -cols= -C -capitalize -d -e -E -g= -groupsize= -h -i -include -l= -len= -n= -name=",
                "-o= -p -ps -plain -r -revert -R= -s= -seek= -u -v",
            ]),
            Operands::One,
        ),
    },
];

/// `sed -n 5p FILE` and `sed -n 2,7p FILE`: of all scripts those that certainly only print.
pub(super) fn only_prints(arguments: &[&str]) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match arguments {
        ["-n", script, files @ ..] => {
            files.iter().all(|file| !file.starts_with('-'))
                && script.strip_suffix('p').is_some_and(|lines| {
                    let (from, to) = lines.split_once(',').unwrap_or((lines, lines));
                    is_number(from) && (is_number(to) || to == "$")
                })
        }
        _ => false,
    }
}
