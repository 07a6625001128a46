#!/bin/sh
# install.sh [DIR]: puts the servers that package.json names into DIR (build/interop), by name and pinned version,
# once for each state of that file, and links DIR/run-node to the node that runs them: the system's one, or
# where that is older than 22 one from the registry. Where this cannot be done it says why and exits 77.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-build/interop}
skip() { echo "$*"; exit 77; }
has() { command -v "$1" >/dev/null 2>&1; }
npm_install() { # npm_install PREFIX [PACKAGE...]
	prefix=$1
	shift
	timeout "${INTEROP_SECONDS:-600}" npm install --prefix "$prefix" --no-audit --no-fund --no-update-notifier \
		--loglevel=error --fetch-retries=2 --fetch-retry-mintimeout=500 \
		--fetch-retry-maxtimeout=2000 --fetch-timeout=20000 "$@" >"$dir/npm.log" 2>&1 </dev/null
}
why() { sed -n 's/^npm \(error\|ERR!\) //p' "$dir/npm.log" | head -n 1; }

mkdir -p "$dir" || skip "cannot write to $dir"
exec 9>"$dir/lock" # two tests may ask for it at once
has flock && flock 9
cp "$here/modern-server.mjs" "$here/everything-http.mjs" "$here/sdk-client.mjs" "$dir/" || skip "cannot write to $dir"
cmp -s "$here/package.json" "$dir/installed" && [ -x "$dir/run-node" ] && exit 0

has node || skip "node is not installed"
has npm || skip "npm is not installed"
cp "$here/package.json" "$dir/package.json"
npm_install "$dir" --ignore-scripts || skip "npm could not install the servers: $(why)"
node=$(command -v node)
# The conformance suite does not run on anything older, though it does not say so.
if [ "$(node -p 'process.versions.node.split(".")[0]')" -lt 22 ]; then
	npm_install "$dir/newer" node@22 || skip "node is older than 22, and npm could not install one: $(why)"
	node=$(cd "$dir/newer/node_modules/node/bin" && pwd)/node
fi
"$node" -e 0 || skip "$node does not run"
ln -sf "$node" "$dir/run-node"
cp "$here/package.json" "$dir/installed"
