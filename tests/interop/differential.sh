#!/bin/sh
# differential.sh [DIR]: prints what others say of many schemas and values: ajv (differential.mjs), and in front of each
# line the crate jsonschema (jsonschema-rs; ? if cargo cannot build it, and a first line that begins with # says why). The
# cases come from the seeds, the tools of the demo server and of the servers that install.sh puts into DIR (build/interop),
# and the corpora and suite in JSON_SCHEMA_CORPORA and JSON_SCHEMA_SUITE or ../shared/data if they are there. Exits 77 if
# ajv cannot be had; then the reason is all that is printed.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-build/interop}
mcpane=${MCPANE:-build/mcpane}
packages=$dir/node_modules/@modelcontextprotocol
suite=${JSON_SCHEMA_SUITE:-../shared/data/json-schema-test-suite}
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
[ -d "$suite/tests" ] && set -- "$@" --suite "$suite"
rust=$dir/jsonschema-rs/server
why=$(sh "$here/install-rust.sh" "$dir/jsonschema-rs" jsonschema-rs) || {
	[ $? -eq 77 ] || { echo "$why"; exit 1; }
	echo "#$why"
	rust='sed s/^/?/'
}
"$dir/run-node" "$here/differential.mjs" "$dir" "$@" | $rust
