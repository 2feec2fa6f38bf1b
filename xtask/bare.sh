#!/usr/bin/env bash
# Tries README's two commands on a bare Debian: debootstrap's minbase with Rust and a C compiler, in bubblewrap.
# Not part of `cargo xtask test`: it needs root, debootstrap, bwrap, the network and up to an hour for each machine.
#
#   xtask/bare.sh poor      without git and Python: the demo runs, the tests name what is missing and stop
#   xtask/bare.sh root      with what the tests name: all of them, as root
#   xtask/bare.sh user      the same as an ordinary user
#   xtask/bare.sh walled    the same where nobody may make namespaces, as in most containers
#
# What it makes is below target/bare and is used again; RELEASE= in the environment tries the demo without --release.
set -euo pipefail

repository=$(cd "$(dirname "$0")/.." && pwd)
bare=${BARE:-$repository/target/bare}
toolchain=$(rustc --print sysroot)
suite=${SUITE:-bookworm}
release=${RELEASE---release}

# A Debian with these packages besides, made once.
machine() {
    local root=$bare/$1 packages=gcc,libc6-dev,ca-certificates${2:+,$2}
    [ -e "$root/whole" ] && return
    rm -rf "$root"
    debootstrap --variant=minbase --include="$packages" "$suite" "$root"
    touch "$root/whole"
}

# Runs a command in the clone on that machine: inside MACHINE USER [bwrap options] -- COMMAND
inside() {
    local root=$bare/$1 user=$2 home=$bare/home-$2
    shift 2
    local walls=()
    while [ "$1" != -- ]; do
        walls+=("$1")
        shift
    done
    shift
    mkdir -p "$home"
    [ -e "$home/clone" ] || git clone -q "$repository" "$home/clone"
    git -C "$home/clone" -c safe.directory="*" pull -q "$repository" HEAD
    local as=()
    if [ "$user" = user ]; then
        chown -R 1000:1000 "$home"
        as=(setpriv --reuid 1000 --regid 1000 --clear-groups --)
    fi
    bwrap --bind "$root" / --proc /proc --dev /dev --perms 1777 --tmpfs /tmp --bind "$home" /home/it --ro-bind "$toolchain" /opt/rust \
        --ro-bind /etc/resolv.conf /etc/resolv.conf --ro-bind /etc/ssl/certs /etc/ssl/certs \
        --unshare-pid --die-with-parent --chdir /home/it/clone \
        --clearenv --setenv HOME /home/it --setenv PATH /opt/rust/bin:/usr/bin:/bin:/usr/sbin:/sbin \
        "${walls[@]}" "${as[@]}" "$@"
}

poor() {
    machine poor ""
    inside poor root -- cargo run $release -- demo
    if inside poor root -- cargo xtask test --full | tee "$bare/poor.log"; then
        echo "the tests passed without git and Python?" >&2
        exit 1
    fi
    grep "apt-get install git python3-venv" "$bare/poor.log"
}

whole() {
    machine whole git,python3-venv
    inside whole "$@" -- cargo run $release -- demo
    inside whole "$@" -- cargo xtask test --full
}

mkdir -p "$bare"
case ${1-} in
    poor) poor ;;
    root) whole root ;;
    user) whole user ;;
    walled) whole root --unshare-user --disable-userns ;;
    *)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0"
        exit 2
        ;;
esac
