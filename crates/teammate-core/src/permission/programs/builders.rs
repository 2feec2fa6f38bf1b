//! Programs that build, run or transport: what they start is the project's, as long as no option says otherwise.

use super::{Known, Operands, Others, Program};

pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: &["cargo"],
        runs: &["--config"],
        others: Others::AllBut(&["-C -Z --manifest-path --artifact-dir --out-dir"]),
    },
    Program {
        names: &["cmake"],
        runs: &["-E"],
        others: Others::AllBut(&["-C -P --toolchain"]),
    },
    Program {
        names: &["gcc", "g++", "cc", "c++", "clang", "clang++"],
        runs: &["-wrapper"],
        others: Others::Only(
            Known::Words(&[
                "-c -S -E -v -w -s -o= -O* -g* -l* -L* -D* -U* -I* -iquote* -isystem* -include= -std=* -x= -m* -M -MD -MMD -MM -MP",
                "-MT= -MQ= -MF= -ansi -pedantic -pedantic-errors -pipe -pthread -shared -static -rdynamic -nostdinc -nostdlib",
                "-dumpversion -dumpmachine -print-search-dirs --version --help --sysroot=*",
                // What goes to another part of the compiler has a comma or another name.
                "-Wall -Wextra -Werror* -Wno-* -Wpedantic -Wshadow* -Wconversion -Wformat* -Wunused* -Wmissing-*",
                "-fPIC -fPIE -fpic -fpie -fsyntax-only -fno-* -fopenmp -flto -fvisibility=* -fsanitize=* -fstack-protector*",
                "-fdiagnostics-color* -fcolor-diagnostics -fomit-frame-pointer -fwrapv -fstrict-aliasing -fcoverage-mapping",
                "-fprofile-instr-generate -fprofile-arcs -ftest-coverage -fshort-enums -fsigned-char -funsigned-char",
                "-ffunction-sections -fdata-sections -ffast-math -funroll-loops",
            ]),
            Operands::Without(&['@']),
        ),
    },
    Program {
        names: &["go"],
        runs: &["-exec -toolexec -vettool --exec --toolexec --vettool"],
        others: Others::Only(
            Known::Words(&[
                "-a -asan -args -bench= -benchmem -benchtime= -c -count= -cover -covermode= -coverpkg= -cpu= -d -deps -e",
                "-f= -failfast -fullpath -fuzztime= -json -list= -m -mod= -msan -n -p= -parallel= -race -run= -short -shuffle=",
                "-skip= -tags= -test -timeout= -trimpath -u -v -vet= -w -x -l",
            ]),
            Operands::Any,
        ),
    },
    Program {
        names: &["gradle", "gradlew"],
        runs: &[],
        others: Others::AllBut(&[
            "-b -c -D -I -p --build-file --init-script --project-dir --settings-file",
        ]),
    },
    Program {
        names: &["just"],
        runs: &["-c --command --shell --shell-arg"],
        others: Others::AllBut(&["-d -f --justfile --working-directory --set --chooser"]),
    },
    Program {
        names: &["make", "gmake"],
        runs: &["-E --eval"],
        others: Others::Only(
            Known::Letters(&[
                "-B -d -i -j? -k -l? -n -O? -p -q -r -R -s -t -w -# --always-make --debug? --dry-run --ignore-errors --jobs?",
                "--just-print --keep-going --load-average? --max-load? --no-builtin-rules --no-builtin-variables",
                "--no-print-directory --output-sync? --print-data-base --print-directory --question --quiet --recon --silent",
                "--touch --trace --warn-undefined-variables --help --version",
            ]),
            // A variable may be the shell, and `$` begins what make runs.
            Operands::Without(&['=', '$']),
        ),
    },
    Program {
        names: &["mvn", "mvnw", "ant"],
        runs: &[],
        others: Others::AllBut(&[
            "-D -f -file -buildfile -gs -lib -s -t --file --global-settings --settings",
        ]),
    },
    Program {
        names: &["ninja"],
        runs: &[],
        others: Others::AllBut(&["-C -f"]),
    },
    Program {
        names: &["node", "bun", "deno"],
        runs: &["-e -p -r --eval --print --require --import --loader --experimental-loader"],
        others: Others::AllBut(&[]),
    },
    Program {
        names: &["npm", "pnpm", "yarn"],
        runs: &["-c --call --script-shell"],
        others: Others::AllBut(&[
            "-C --cwd --dir --global-dir --globalconfig --node-options --prefix --use-yarnrc --userconfig",
        ]),
    },
    Program {
        names: &["perl", "ruby", "lua"],
        runs: &["-e -E"],
        others: Others::AllBut(&["-M -m -I -r -l"]),
    },
    Program {
        names: &["php"],
        runs: &["-r -B -R -E"],
        others: Others::AllBut(&["-c -d -z"]),
    },
    Program {
        names: &["pytest", "py.test"],
        runs: &[],
        others: Others::AllBut(&["-c -o -p --confcutdir --config-file --override-ini --rootdir"]),
    },
    Program {
        names: &["python", "python3"],
        runs: &["-c"],
        others: Others::AllBut(&[]),
    },
    Program {
        names: &["rsync"],
        runs: &["-e --rsh --rsync-path"],
        others: Others::AllBut(&["--config --daemon --log-file --write-batch --only-write-batch"]),
    },
    Program {
        names: &["tar", "gtar", "bsdtar"],
        runs: &[
            "-I -F --checkpoint-action --info-script --new-volume-script --rmt-command --rsh-command --to-command",
            "--use-compress-program",
        ],
        others: Others::Only(
            Known::Letters(&[
                "-a -A -b? -c -C= -d -f= -h -j -J -k -l -m -n -O -p -r -S -t -u -v -w -x -X= -z -Z --append --auto-compress --bzip2",
                "--create --dereference --diff --directory= --exclude= --exclude-from= --exclude-vcs --extract --file= --format=",
                "--get --group= --gunzip --gzip --keep-newer-files --keep-old-files --list --lzma --mtime= --no-recursion",
                "--no-same-owner --no-same-permissions --numeric-owner --one-top-level? --owner= --preserve-permissions",
                "--same-permissions --skip-old-files --sort= --strip-components= --to-stdout --totals --update --verbose",
                "--wildcards --xz --zstd --help --version",
            ]),
            Operands::Any,
        ),
    },
    Program {
        names: &["wget"],
        runs: &["-e --execute --use-askpass"],
        others: Others::AllBut(&[]),
    },
    Program {
        names: &["zip"],
        runs: &["-T -TT --unzip-command"],
        others: Others::AllBut(&[]),
    },
];

/// The first word of `tar` may be letters without a dash; `F` and `I` among them take a command.
pub(super) fn has_command_letters(arguments: &[&str]) -> bool {
    arguments
        .first()
        .is_some_and(|letters| letters.contains(['F', 'I']))
}
