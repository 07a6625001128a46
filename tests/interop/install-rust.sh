#!/bin/sh
# install-rust.sh DIR [SOURCE [release]]: builds SOURCE (rust) as DIR/server, once for each state of it; its crates come
# from crates.io. If this cannot be done, it says why and exits 77.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$1
source=$here/${2:-rust}
profile=${3:-debug}
skip() { echo "$*"; exit 77; }
has() { command -v "$1" >/dev/null 2>&1; }

mkdir -p "$dir" || skip "cannot write to $dir"
dir=$(cd "$dir" && pwd)
exec 9>"$dir/lock" # two tests may ask for it at once
has flock && flock 9
cat "$source"/Cargo.* "$source"/src/* >"$dir/source"
cmp -s "$dir/source" "$dir/built" && exit 0
has cargo || skip "cargo is not installed"
cd "$source" || exit 1
timeout "${INTEROP_SECONDS:-600}" cargo fetch --locked >"$dir/cargo.log" 2>&1 </dev/null ||
	skip "cargo could not get its crates: $(grep -m 1 error "$dir/cargo.log")"
cargo build $([ "$profile" = release ] && echo --release) --locked --offline --target-dir "$dir/target" >"$dir/cargo.log" 2>&1 </dev/null || {
	grep -q "requires rustc" "$dir/cargo.log" && skip "cargo is too old: $(grep -m 1 "requires rustc" "$dir/cargo.log")"
	cat "$dir/cargo.log"
	exit 1
}
cp "$dir/target/$profile/interop" "$dir/server"
rm -rf "$dir/target"
mv "$dir/source" "$dir/built"
