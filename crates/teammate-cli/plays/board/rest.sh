#!/bin/sh
# A shop's API over REST: sh rest.sh "GET /users/1"
case "$1" in
    "GET /users") echo '[{"id":1,"name":"Ada"},{"id":2,"name":"Lin"}]' ;;
    "GET /users/1") echo '{"id":1,"name":"Ada"}' ;;
    "GET /users/1/orders") echo '[{"id":7,"total":12}]' ;;
    *) echo '{"error":"not found"}' && exit 1 ;;
esac
