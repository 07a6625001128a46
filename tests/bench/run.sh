#!/bin/sh
# run.sh: every figure with its unit, medians of BENCH_RUNS runs (7), ratios to a floor measured in the
# same run. Wants MCPANE, FIXTURES and BENCH (the folder of the programs) in the environment.
# "quoted" figures of other programs were measured earlier, on another day, on a machine of this class.
set -u
everything=build/interop/node_modules/@modelcontextprotocol/server-everything/dist/index.js
failed=0

bench() { # bench PROGRAM ARG...
	program=$1
	shift
	"$BENCH/$program" "$@" && return
	echo "NOT MEASURED: $program $*"
	failed=1
}

cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
echo "$("$MCPANE" --version 2>/dev/null || echo mcpane), ${cpu:-unknown processor}, $(nproc) processors, $(uname -sr)"
echo "quoted: inspector 2.12.0, mcp-tui 0.8.3 and others, measured earlier with server-everything"

bench bench_start "the demo server" list_users
if [ -e "$everything" ] && command -v node >/dev/null; then
	bench bench_start "server-everything (npm)" echo node "$everything" stdio
else
	echo
	echo "server-everything (npm): SKIPPED, not installed; make test installs it"
fi
bench bench_frames "$FIXTURES/badserver"
bench bench_rows 5000 true
MCPANE_TEST_DEADLINE_MS=${MCPANE_TEST_DEADLINE_MS:-60000} bench bench_rows 1000000 false
bench bench_turns 1000000
bench bench_turns 5000000
sh tests/bench/visidata.sh
bench bench_calls "stdio, a server that does no work" "$FIXTURES/streamserver" good
bench bench_calls "stdio, the demo server" "$MCPANE" --serve-demo
url=$(mktemp)
"$FIXTURES/webserver" >"$url" &
while [ ! -s "$url" ]; do sleep 0.1; done
bench bench_calls "HTTP, a server that does no work" "$(cat "$url")"
server=$!
tapped=$(mktemp)
"$MCPANE" tap --listen 127.0.0.1:0 "$(cat "$url")" >"$tapped" 2>/dev/null &
tap=$!
while [ ! -s "$tapped" ]; do sleep 0.1; done
bench bench_calls "HTTP, the same server through mcpane tap" "$(cat "$tapped")"
kill "$tap" "$server"
rm -f "$url" "$tapped"
bench bench_servers
bench bench_apps
bench bench_history
# Ten seconds of 1 000 notifications a second; how long keys take meanwhile.
echo
FLOOD_S=10 "$BENCH/../e2e" stdio_faults 2>/dev/null | sed -n 's/^\([0-9]* keys: .*\)/  1 000 notifications a second, \1/p'
exit "$failed"
