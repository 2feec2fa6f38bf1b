#!/bin/sh
# Prints a title as a file name: "Hello World" becomes hello-world.
printf '%s\n' "$1" | tr 'A-Z ' 'a-z-'
