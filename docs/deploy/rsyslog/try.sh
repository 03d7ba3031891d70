#!/bin/sh
# Tries both files of this folder on this machine, with two rsyslogd and certificates of its own: what is said by TLS arrives, what waits
# arrives later, and neither a sender of another name nor one without TLS gets anything in. Needs Debian's rsyslog, rsyslog-gnutls and openssl.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
receiver='' sender=''
stop() { for pid in $sender $receiver; do kill "$pid" 2>/dev/null || true; done; rm -rf "$work"; }
trap stop EXIT
port=16514

certificate() { # <folder> <name>
    mkdir -p "$work/$1"
    openssl req -newkey rsa:2048 -nodes -subj "/CN=$2" -keyout "$work/$1/key.pem" -out "$work/$1/csr.pem" 2>/dev/null
    printf 'subjectAltName=DNS:%s' "$2" >"$work/ext"
    openssl x509 -req -in "$work/$1/csr.pem" -CA "$work/ca.pem" -CAkey "$work/ca.key" -days 2 -extfile "$work/ext" -out "$work/$1/cert.pem" 2>/dev/null
    cp "$work/ca.pem" "$work/$1/ca.pem"
}
start() { # <name> <configuration>; the process id is in $pid
    rsyslogd -n -f "$2" -i "$work/$1.pid" 2>"$work/$1.err" &
    pid=$!
    sleep 2
    kill -0 "$pid" || { cat "$work/$1.err"; exit 1; }
}
start_receiver() { start receiver "$work/receiver.conf"; receiver=$pid; }
start_sender() { # <folder of its certificate>
    {
        printf 'global(workDirectory="%s")\nmodule(load="imuxsock" SysSock.Use="off")\ninput(type="imuxsock" Socket="%s/log")\n' "$work" "$work"
        sed "s#/etc/headrace/logs#$work/$1#; s#target=\"[^\"]*\"#target=\"127.0.0.1\"#; s#6514#$port#; s#resumeInterval=\"10\"#resumeInterval=\"1\"#" "$here/sender.conf"
    } >"$work/sender.conf"
    start sender "$work/sender.conf"; sender=$pid
}
say() { logger -u "$work/log" -t headrace "$1"; }
arrives() { # <text>: within half a minute
    for _ in $(seq 60); do grep -qs "$1" "$work/headrace.log" && { echo "ok: $2"; return; }; sleep 0.5; done
    echo "FAILED: $2"; cat "$work"/*.err; exit 1
}
stays_away() { sleep 5; ! grep -qs "$1" "$work/headrace.log" && echo "ok: $2" || { echo "FAILED: $2"; exit 1; }; }

openssl req -x509 -newkey rsa:2048 -nodes -subj '/CN=Headrace logs' -keyout "$work/ca.key" -out "$work/ca.pem" -days 2 2>/dev/null
certificate receiver logs.example.com
certificate farm farm.example.com
certificate other other.example.com
sed "s#/etc/headrace-logs#$work/receiver#; s#/var/log#$work#; s#6514#$port#" "$here/receiver.conf" >"$work/receiver.conf"

start_receiver
start_sender farm
say '{"msg":"the first"}'
arrives 'the first' 'a line arrives by TLS'
kill "$receiver"; wait "$receiver" 2>/dev/null || true
# What is on its way while a connection breaks may be lost: TCP tells nobody. The next one notices it.
say '{"msg":"on its way"}'; sleep 2
say '{"msg":"while it was away"}'; sleep 2
start_receiver
arrives 'while it was away' 'a line from while the other machine was away arrives later'
printf '<14>1 2026-11-20T21:00:00Z farm headrace - - - in the clear\n' | timeout 3 openssl s_client -quiet -connect "127.0.0.1:$port" >/dev/null 2>&1 || true
python3 -c "import socket,time; s=socket.create_connection((\"127.0.0.1\", $port)); s.sendall(b\"<14>1 2026-11-20T21:00:00Z farm headrace - - - in the clear\\n\"); time.sleep(1)"
stays_away 'in the clear' 'a line without a certificate is refused'
kill "$sender"; wait "$sender" 2>/dev/null || true
start_sender other
say '{"msg":"of another"}'
stays_away 'of another' 'a sender of another name is refused'
