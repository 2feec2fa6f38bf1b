# Who may come in. Every program has its own copy of this check.
login() {
    if [ "$1" = ada ] && [ "$2" = lovelace ]; then echo welcome; else echo no; fi
}
report() {
    if [ "$1" = ada ] && [ "$2" = lovelace ]; then echo "1 visit"; else echo no; fi
}
