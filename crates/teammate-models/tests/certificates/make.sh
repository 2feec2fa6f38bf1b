#!/bin/sh
# Makes the certificates of the tests anew, good for a hundred years. They protect nothing: their keys are public.
set -eu
cd "$(dirname "$0")"
key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }
signed() { # NAME EXTENSIONS
    key "$1.key"
    openssl req -new -key "$1.key" -subj "/CN=teammate test $1" -out "$1.csr"
    printf '%s\n' "$2" > "$1.ext"
    openssl x509 -req -in "$1.csr" -CA ca.pem -CAkey ca.key -CAcreateserial -days 36500 -extfile "$1.ext" -out "$1.pem"
    rm "$1.csr" "$1.ext"
}
key ca.key
openssl req -x509 -new -key ca.key -subj "/CN=teammate test authority" -days 36500 -out ca.pem \
    -addext "keyUsage=critical,keyCertSign,cRLSign"
signed server "subjectAltName=DNS:localhost,IP:127.0.0.1"
signed client "extendedKeyUsage=clientAuth"
key other.key # fits none of them
rm -f ca.key ca.srl
