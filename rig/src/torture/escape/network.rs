//! What the machine listens on, and the world outside.

use super::attempt::{Attempt, exits, prints, tells};

pub(super) const ATTEMPTS: &[Attempt] = &[
    prints("connect to the machine", "exec 3<>/dev/tcp/127.0.0.1/$PORT; cat <&3"),
    prints("connect to the machine by its name", "exec 3<>/dev/tcp/localhost/$PORT; cat <&3"),
    prints("connect to the machine by another address of loopback", "exec 3<>/dev/tcp/127.8.8.8/$PORT; cat <&3"),
    prints("connect to the machine by the address of nobody", "exec 3<>/dev/tcp/0.0.0.0/$PORT; cat <&3"),
    prints("connect to the machine by IPv6", "exec 3<>/dev/tcp/::ffff:127.0.0.1/$PORT; cat <&3"),
    prints("connect with curl past the proxy", "curl -s --max-time 10 --noproxy '*' http://127.0.0.1:$PORT/"),
    prints("connect with curl through the proxy", "curl -s --max-time 10 http://127.0.0.1:$PORT/"),
    prints("connect by an address in hexadecimal", "curl -s --max-time 10 http://0x7f000001:$PORT/"),
    prints("connect by an address as a number", "curl -s --max-time 10 http://2130706433:$PORT/"),
    prints("connect by a short address", "curl -s --max-time 10 http://127.1:$PORT/"),
    prints("connect with a user name before the host", "curl -s --max-time 10 http://example.org@127.0.0.1:$PORT/"),
    prints("connect to a name that means the machine", "curl -s --max-time 10 --resolve inside.example:$PORT:127.0.0.1 http://inside.example:$PORT/"),
    prints("ask the proxy for a tunnel to the machine", "curl -s --max-time 10 -p http://127.0.0.1:$PORT/"),
    prints("ask a SOCKS proxy for the machine", "curl -s --max-time 10 ${ALL_PROXY:+-x socks5h://127.0.0.1:3128} http://localhost:$PORT/"),
    tells("send a datagram to the machine", "echo $WORD > /dev/udp/127.0.0.1/$PORT").open_at_landlock(),
    prints("connect from an own user and network namespace", "unshare -Ur sh -c 'bash -c \"exec 3<>/dev/tcp/127.0.0.1/$PORT; cat <&3\"'"),
    prints("enter the host's network", "nsenter -t $HOST -n bash -c 'exec 3<>/dev/tcp/127.0.0.1/$PORT; cat <&3'").by_root(),
    exits("see the machine's interfaces", "test $(ls /sys/class/net /proc/sys/net/ipv4/conf 2>/dev/null | wc -l) -gt 4 && grep -vq ' lo:' <(tail -n +3 /proc/net/dev)").open_at_landlock(),
    exits("see the machine's connections", "grep -qi \"$(printf %04X $PORT)\" /proc/net/tcp").open_at_landlock(),
    exits("see the machine's routes", "test $(wc -l < /proc/net/route) -gt 1").open_at_landlock(),
];
