#!/bin/sh
# ajv.sh [DIR]: prints what ajv says (ajv.mjs) of the seeds, of the tools of the demo server and of the servers that
# install.sh puts into DIR (build/interop), and of the corpora in JSON_SCHEMA_CORPORA or ../shared/data where they are.
# Exits 77 where ajv cannot be had; then the reason is all that is printed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-build/interop}
mcpane=${MCPANE:-build/mcpane}
packages=$dir/node_modules/@modelcontextprotocol
corpora=${JSON_SCHEMA_CORPORA:-../shared/data/json-schema-corpora}

sh "$here/install.sh" "$dir" || exit $?
mkdir -p "$dir/tools" "$dir/files"
list() { # list NAME SERVER...: the tools of a server, once
	name=$1
	shift
	[ -s "$dir/tools/$name.jsonl" ] || "$mcpane" list --json "$@" >"$dir/tools/$name.jsonl" 2>/dev/null </dev/null ||
		rm -f "$dir/tools/$name.jsonl"
}
rm -f "$dir/tools/demo.jsonl"
list demo --demo
list everything -- "$dir/run-node" "$packages/server-everything/dist/index.js" stdio
list filesystem -- "$dir/run-node" "$packages/server-filesystem/dist/index.js" "$dir/files"
list memory -- "$dir/run-node" "$packages/server-memory/dist/index.js"
list modern -- "$dir/run-node" "$dir/modern-server.mjs"
for call in list_users bad_rows search_orders nested array_result "get_weather_data location=Porto" \
	"update_order order_id=ORD-1007 status=paid"; do
	# shellcheck disable=SC2086  # a tool and its arguments
	"$mcpane" call --json $call --demo 2>/dev/null </dev/null
done >>"$dir/tools/demo.jsonl"

set -- "$here/seeds.tsv" "$dir"/tools/*.jsonl
[ -d "$corpora" ] && set -- "$@" --corpora "$corpora"
exec "$dir/run-node" "$here/ajv.mjs" "$dir" "$@"
