#!/bin/sh
# install-go.sh [DIR [SOURCE]]: builds SOURCE (go) as DIR/server (build/interop-go), once for each state of it; its
# modules come from the module proxy. If this cannot be done, it says why and exits 77.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-build/interop-go}
source=$here/${2:-go}
skip() { echo "$*"; exit 77; }
has() { command -v "$1" >/dev/null 2>&1; }

mkdir -p "$dir" || skip "cannot write to $dir"
dir=$(cd "$dir" && pwd)
exec 9>"$dir/lock" # two tests may ask for it at once
has flock && flock 9
cat "$source"/* >"$dir/source"
cmp -s "$dir/source" "$dir/built" && exit 0
has go || skip "go is not installed"
cd "$source" || exit 1
GOFLAGS=-mod=readonly timeout "${INTEROP_SECONDS:-600}" go mod download >"$dir/go.log" 2>&1 </dev/null ||
	skip "go could not get its modules: $(tail -n 1 "$dir/go.log")"
GOFLAGS=-mod=readonly go build -o "$dir/server" . >"$dir/go.log" 2>&1 || {
	cat "$dir/go.log"
	exit 1
}
mv "$dir/source" "$dir/built"
