#!/bin/sh
# Tests slug.sh: a title, and the file name it should give.
failed=0
check() {
    got=$(sh slug.sh "$1")
    if [ "$got" = "$2" ]; then echo "ok    $1"; else echo "FAIL  $1: $got"; failed=1; fi
}
check 'Hello World' hello-world
check 'Two  spaces' two-spaces
exit $failed
