//! Git's subcommands with the options that are harmless, as [`Known`](super::Known) reads them.

/// Subcommands with the options that are harmless. Others are not covered, and neither are abbreviations.
pub(super) const SUBCOMMANDS: &[(&str, &[&str])] = &[
    (
        "add",
        &[
            "-A -f -n -N -u -v --all --chmod? --dry-run --force --ignore-errors --ignore-missing --ignore-removal --intent-to-add \
          --no-all --no-ignore-removal --pathspec-file-nul --pathspec-from-file? --refresh --renormalize --sparse --update --verbose",
        ],
    ),
    (
        "apply",
        &[
            "-3 -C? -p? -q -R -v --3way --allow-empty --cached --check --directory? --exclude? --ignore-whitespace --include? --index \
          --intent-to-add --numstat --quiet --recount --reject --reverse --stat --summary --unidiff-zero --verbose --whitespace?",
        ],
    ),
    (
        "archive",
        &["-# -l -v --list --prefix? --verbose --worktree-attributes"],
    ),
    ("bisect bad", &[]),
    ("bisect good", &[]),
    ("bisect log", &[]),
    ("bisect new", &[]),
    ("bisect old", &[]),
    ("bisect reset", &[]),
    ("bisect skip", &[]),
    (
        "bisect start",
        &["--first-parent --no-checkout --term-bad? --term-good? --term-new? --term-old?"],
    ),
    (
        "blame",
        &[
            "-b -c -C? -e -f -l -L? -M? -n -p -s -t -w --abbrev? --color-by-age --color-lines --date? --first-parent --ignore-rev? \
          --ignore-revs-file? --incremental --line-porcelain --porcelain --root --show-email --show-name --show-number \
          --show-stats --since?",
        ],
    ),
    (
        "branch",
        &[
            LIST_REFS,
            "-a -c -C -d -D -f -l -m -M -q -r -t -u? -v --abbrev? --all --copy --create-reflog --delete --force --list --move \
          --no-abbrev --no-track --quiet --remotes --set-upstream-to? --show-current --track? --unset-upstream --verbose",
        ],
    ),
    ("bundle list-heads", &[]),
    ("bundle verify", &["-q --quiet"]),
    (
        "cat-file",
        &[
            "-e -p -s -t -z -Z --batch? --batch-all-objects --batch-check? --buffer --follow-symlinks --unordered",
        ],
    ),
    ("check-attr", &["-a -z --all --cached --source? --stdin"]),
    (
        "check-ignore",
        &["-n -q -v -z --no-index --non-matching --quiet --stdin --verbose"],
    ),
    (
        "checkout",
        &[
            "-2 -3 -b? -B? -d -f -l -m -q -t --conflict? --detach --force --guess --ignore-skip-worktree-bits --merge --no-guess \
          --no-overlay --no-overwrite-ignore --no-progress --no-recurse-submodules --no-track --orphan? --ours --overlay \
          --overwrite-ignore --pathspec-file-nul --pathspec-from-file? --progress --quiet --theirs --track?",
        ],
    ),
    ("cherry", &["-v --abbrev?"]),
    ("cherry-pick", &[PICK]),
    (
        "clean",
        &["-d -e? -f -n -q -x -X --dry-run --exclude? --force --quiet"],
    ),
    (
        "clone",
        &[
            "-4 -6 -b? -j? -l -n -o? -q -v --bare --branch? --depth? --filter? --jobs? --local --mirror --no-checkout --no-hardlinks \
          --no-local --no-single-branch --no-tags --origin? --progress --quiet --shallow-exclude? --shallow-since? \
          --single-branch --sparse --tags --verbose",
        ],
    ),
    (
        "commit",
        &[
            "-a -C? -F= -i -m= -n -o -q -s -u? -v -z --ahead-behind --all --allow-empty --allow-empty-message --amend --author= --branch \
          --cleanup? --date= --dry-run --file= --include --long --message= --no-edit --no-gpg-sign --no-post-rewrite --no-signoff \
          --no-status --no-verify --only --pathspec-file-nul --pathspec-from-file? --porcelain --quiet --reset-author \
          --reuse-message? --short --signoff --status --trailer= --untracked-files? --verbose",
        ],
    ),
    ("config --get", &[CONFIG]),
    ("config --get-all", &[CONFIG]),
    ("config --get-regexp", &[CONFIG]),
    ("config --list", &[CONFIG]),
    ("config -l", &[CONFIG]),
    ("config get", &[CONFIG]),
    ("config list", &[CONFIG]),
    ("count-objects", &["-H -v --human-readable --verbose"]),
    (
        "describe",
        &[
            "--abbrev? --all --always --broken? --candidates? --contains --debug --dirty? --exact-match --exclude? --first-parent \
          --long --match? --tags",
        ],
    ),
    ("diff", &[DIFF]),
    ("diff-files", &[DIFF, "-q"]),
    ("diff-index", &[DIFF, "-m"]),
    (
        "diff-tree",
        &[DIFF, LOG, "-r -v --no-commit-id --root --stdin"],
    ),
    (
        "fetch",
        &[
            FETCH,
            "-m -n -q -u -v --no-progress --progress --quiet --verbose",
        ],
    ),
    (
        "for-each-ref",
        &[
            LIST_REFS,
            "--count? --exclude? --include-root-refs --perl --python --shell --stdin --tcl",
        ],
    ),
    (
        "format-patch",
        &[
            DIFF,
            LOG,
            "-k -N -v? --cover-letter --no-numbered --numbered --signoff --stdout --subject-prefix? --zero-commit",
        ],
    ),
    (
        "fsck",
        &[
            "-v --cache --connectivity-only --dangling --full --name-objects --no-dangling --no-progress --no-reflogs --progress \
          --root --strict --tags --unreachable --verbose",
        ],
    ),
    (
        "gc",
        &["-q --aggressive --auto --force --no-prune --prune? --quiet"],
    ),
    (
        "grep",
        &[
            "-a -A? -B? -c -C? -e= -E -F -G -h -H -i -I -l -L -m? -n -o -p -P -q -r -v -w -W -z -# --after-context? --all-match --and \
          --basic-regexp --before-context? --break --cached --color? --column --context? --count --exclude-standard \
          --extended-regexp --files-with-matches --files-without-match --fixed-strings --full-name --function-context \
          --heading --ignore-case --invert-match --line-number --max-count? --max-depth? --name-only --no-color \
          --no-exclude-standard --no-index --no-recursive --no-textconv --not --null --only-matching --or --perl-regexp --quiet \
          --recurse-submodules --recursive --show-function --text --threads? --untracked --word-regexp",
        ],
    ),
    (
        "init",
        &["-b? -q --bare --initial-branch? --object-format? --quiet --ref-format?"],
    ),
    ("log", &[DIFF, LOG]),
    (
        "ls-files",
        &[
            "-c -d -f -i -k -m -o -s -t -u -v -x? -X? -z --abbrev? --cached --deduplicate --deleted --directory --eol --error-unmatch \
          --exclude-from? --exclude-standard --exclude? --format? --full-name --ignored --killed --modified \
          --no-empty-directory --others --recurse-submodules --stage --unmerged",
        ],
    ),
    (
        "ls-remote",
        &[
            "-b -h -q -t --branches --exit-code --get-url --heads --quiet --refs --sort? --symref --tags",
        ],
    ),
    (
        "ls-tree",
        &[
            "-d -l -r -t -z --abbrev? --format? --full-name --full-tree --long --name-only --name-status --object-only",
        ],
    ),
    ("merge", &[MERGE, "-F= -m= --file= --into-name? --message="]),
    (
        "merge-base",
        &["-a --all --fork-point --independent --is-ancestor --octopus"],
    ),
    ("mv", &["-f -k -n -v --dry-run --force --verbose"]),
    (
        "name-rev",
        &["--all --always --exclude? --name-only --no-undefined --refs? --tags"],
    ),
    ("notes list", &[]),
    ("notes show", &[]),
    ("pull", &[FETCH, MERGE, "-r"]),
    (
        "push",
        &[
            "-4 -6 -d -f -n -o? -q -u -v --all --atomic --branches --delete --dry-run --follow-tags --force --force-if-includes \
          --force-with-lease? --ipv4 --ipv6 --mirror --no-force-with-lease --no-progress --no-recurse-submodules --no-signed \
          --no-thin --no-verify --porcelain --progress --prune --push-option? --quiet --set-upstream --tags --thin --verbose",
        ],
    ),
    (
        "range-diff",
        &[
            DIFF,
            "--creation-factor? --left-only --no-dual-color --right-only",
        ],
    ),
    (
        "rebase",
        &[
            "-f -m -n -q -r? -v --abort --apply --autostash --committer-date-is-author-date --force-rebase --fork-point --ignore-date \
          --keep-base --merge --no-autostash --no-ff --no-fork-point --no-gpg-sign --no-stat --no-update-refs --no-verify --onto? \
          --quiet --quit --reapply-cherry-picks --rebase-merges? --root --signoff --skip --stat --update-refs --verbose --verify",
        ],
    ),
    ("reflog", &[LOG]),
    ("remote", &["-n -v --verbose"]),
    (
        "reset",
        &[
            "-N -q --hard --intent-to-add --keep --merge --mixed --no-quiet --no-refresh --pathspec-file-nul --pathspec-from-file? \
          --quiet --refresh --soft",
        ],
    ),
    (
        "restore",
        &[
            "-2 -3 -m -q -s? -S -W --conflict? --ignore-unmerged --merge --no-overlay --no-progress --ours --overlay \
          --pathspec-file-nul --pathspec-from-file? --progress --quiet --source? --staged --theirs --worktree",
        ],
    ),
    (
        "rev-list",
        &[
            LOG,
            "--disk-usage? --objects --objects-edge --use-bitmap-index",
        ],
    ),
    (
        "rev-parse",
        &[
            "-q --abbrev-ref? --absolute-git-dir --all --branches? --default= --end-of-options --git-common-dir --git-dir --git-path \
          --is-bare-repository --is-inside-git-dir --is-inside-work-tree --is-shallow-repository --local-env-vars --not \
          --path-format? --quiet --remotes? --short? --show-cdup --show-object-format? --show-prefix \
          --show-superproject-working-tree --show-toplevel --sq --symbolic --symbolic-full-name --tags? --verify",
        ],
    ),
    ("revert", &[PICK]),
    (
        "rm",
        &["-f -n -q -r --cached --dry-run --force --ignore-unmatch --quiet --sparse"],
    ),
    (
        "shortlog",
        &[LOG, "-c -e -s --email --group? --numbered --summary"],
    ),
    ("show", &[DIFF, LOG]),
    (
        "show-ref",
        &[
            "-d -q -s --abbrev? --branches --dereference --exclude-existing? --exists --hash? --head --heads --quiet --tags --verify",
        ],
    ),
    (
        "stash",
        &[
            "-a -k -m= -q -u --all --include-untracked --index --keep-index --message= --no-keep-index --only-untracked",
            DIFF,
        ],
    ),
    (
        "status",
        &[
            "-b -s -u? -v -z --ahead-behind --branch --column? --find-renames? --ignore-submodules? --ignored? --long --no-ahead-behind \
          --no-column --no-renames --porcelain? --renames --short --show-stash --untracked-files? --verbose",
        ],
    ),
    ("submodule status", &["-q --cached --quiet --recursive"]),
    (
        "submodule summary",
        &["-n? --cached --files --summary-limit?"],
    ),
    (
        "switch",
        &[
            "-c? -C? -d -f -m -q -t --conflict? --create? --detach --discard-changes --force --force-create? --guess --merge --no-guess \
          --no-progress --no-recurse-submodules --no-track --orphan? --progress --quiet --track?",
        ],
    ),
    (
        "tag",
        &[
            LIST_REFS,
            "-a -d -f -F= -l -m= -n? --annotate --cleanup? --create-reflog --delete --file= --force --list --message=",
        ],
    ),
    ("version", &["--build-options"]),
    ("whatchanged", &[DIFF, LOG]),
    (
        "worktree",
        &[
            "-b? -B? -d -f -n -q -v -z --checkout --detach --dry-run --expire? --force --guess-remote --lock --no-checkout \
          --no-guess-remote --no-track --orphan --porcelain --quiet --reason? --track --verbose",
        ],
    ),
];

/// Of everything that shows differences.
const DIFF: &str = "-a -b -B? -c -C? -D -G? -l? -M? -p -R -s -S? -t -u -U? -w -W -z -# --abbrev? --anchored? --base --binary --cached --cc \
    --check --color? --color-moved? --color-words? --combined-all-paths --compact-summary --diff-algorithm? --diff-filter? \
    --dirstat? --dst-prefix? --exit-code --find-copies? --find-copies-harder --find-object? --find-renames? --full-index \
    --function-context --histogram --ignore-all-space --ignore-blank-lines --ignore-cr-at-eol --ignore-space-at-eol \
    --ignore-space-change --ignore-submodules? --indent-heuristic --inter-hunk-context? --merge-base --minimal --name-only \
    --name-status --no-color --no-ext-diff --no-index --no-patch --no-prefix --no-relative --no-renames --no-textconv --numstat \
    --ours --patch --patch-with-stat --patience --pickaxe-all --pickaxe-regex --quiet --raw --relative? --rotate-to? --shortstat \
    --skip-to? --src-prefix? --staged --stat? --stat-count? --stat-graph-width? --stat-width? --submodule? --summary --text \
    --theirs --unified? --word-diff? --word-diff-regex? --ws-error-highlight?";

/// Of everything that goes through history.
const LOG: &str = "-E -F -g -i -L? -m -n? -P --abbrev-commit --after? --all --all-match --ancestry-path? --author? --author-date-order \
    --before? --boundary --branches? --cherry --cherry-mark --cherry-pick --children --committer? --count --date? --date-order \
    --decorate? --decorate-refs? --decorate-refs-exclude? --diff-merges? --encoding? --end-of-options --exclude? --expand-tabs? \
    --extended-regexp --first-parent --fixed-strings --follow --format? --full-history --glob? --graph --grep= --invert-grep \
    --left-only --left-right --log-size --mailmap --max-count? --max-parents? --merge --merges --min-parents? \
    --no-abbrev-commit --no-decorate --no-diff-merges --no-mailmap --no-merges --no-notes --no-walk? --not --notes? --oneline \
    --parents --perl-regexp --pretty? --regexp-ignore-case --relative-date --remerge-diff --remotes? --reverse --right-only \
    --simplify-by-decoration --since? --skip? --source --tags? --topo-order --until? --use-mailmap --walk-reflogs";

const LIST_REFS: &str = "-i --color? --column? --contains? --format? --ignore-case --merged? --no-color --no-column --no-contains? \
    --no-merged? --omit-empty --points-at? --sort?";

const CONFIG: &str = "-l -z --all --bool --default? --get --get-all --get-regexp --get-urlmatch --global --includes --int --list --local \
    --name-only --no-includes --null --path --regexp --show-origin --show-scope --system --type? --worktree";

const PICK: &str = "-m? -n -s -x -X? --abort --allow-empty --allow-empty-message --empty? --ff --keep-redundant-commits --mainline? \
    --no-commit --no-edit --no-gpg-sign --no-rerere-autoupdate --quit --signoff --skip --strategy-option?";

const MERGE: &str = "-n -q -v -X? --abort --allow-unrelated-histories --autostash --commit --ff --ff-only --log? --no-autostash \
    --no-commit --no-edit --no-ff --no-gpg-sign --no-log --no-progress --no-rebase --no-signoff --no-squash --no-stat --no-verify \
    --progress --quiet --quit --rebase --signoff --squash --stat --strategy-option? --verbose";

const FETCH: &str = "-4 -6 -a -f -j? -k -p -P -t --all --append --atomic --deepen? --depth? --dry-run --filter? --force --ipv4 --ipv6 \
    --jobs? --keep --multiple --no-auto-gc --no-auto-maintenance --no-recurse-submodules --no-show-forced-updates --no-tags \
    --no-write-fetch-head --porcelain --prune --prune-tags --refetch --refmap? --set-upstream --shallow-exclude? \
    --shallow-since? --show-forced-updates --tags --unshallow --update-head-ok --update-shallow --write-fetch-head";
