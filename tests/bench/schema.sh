#!/bin/sh
# schema.sh PROGRAM: bench_schema beside others in the same run: ajv and Blaze (npm), and the crate jsonschema (cargo),
# each installed by name under build/bench if its installer is there. The data lies beside the project: ../shared/data, or
# where SCHEMA_DATA says; JSON_SCHEMA_CORPORA names another folder of corpora. The shapes are made by shapes.py.
set -u
here=$(dirname "$0")
data=${SCHEMA_DATA:-../shared/data}
corpora=${JSON_SCHEMA_CORPORA:-$data/json-schema-corpora}
work=build/bench
rows=$work/rows
peers=$work/peers.txt

mkdir -p "$rows" || exit 1
if command -v python3 >/dev/null; then
	python3 "$here/shapes.py" "$work/shapes" || exit 1
	if [ -d "$data/mcp-rows" ] && [ ! -e "$rows/rich.200000.json" ]; then
		make=$(cd "$data/mcp-rows" && pwd)/make.py
		cp "$data"/mcp-rows/*.schema.json "$rows/" && chmod u+w "$rows"/* && (cd "$rows" && python3 "$make") || exit 1
	fi
else
	echo "shapes and rows: SKIPPED, no python3"
fi
[ -d "$corpora" ] || echo "corpora: SKIPPED, no folder $corpora (set JSON_SCHEMA_CORPORA)"
set -- "$1" "$work"/shapes/*/ "$corpora"/*/
program=$1
shift
for folder in "$@"; do # the cases that are there
	shift
	[ -e "$folder/schema-noformat.json" ] && set -- "$@" "${folder%/}"
done

npm_package() { # npm_package NAME@VERSION
	[ -d "$work/node_modules/${1%@*}" ] && return
	command -v npm >/dev/null || { echo "$1: SKIPPED, no npm"; return 1; }
	npm install --prefix "$work" --ignore-scripts --no-audit --no-fund --loglevel=error "$1" >"$work/npm.log" 2>&1 ||
		{ echo "$1: SKIPPED, npm could not install it"; return 1; }
}

: >"$peers"
cp "$here/ajv.mjs" "$work/"
npm_package ajv@8.20.0 && node "$work/ajv.mjs" "$rows" "$@" >>"$peers"
if why=$(sh tests/interop/install-rust.sh "$work/rust" ../bench/jsonschema-rs release); then
	"$work/rust/server" "$@" >>"$peers"
else
	echo "jsonschema (crates.io): SKIPPED, $why"
fi
# Blaze says for each document how long it took on average, looked at 50 times.
case $(uname -m) in aarch64) cpu=arm64 ;; *) cpu=x86_64 ;; esac
blaze=$work/node_modules/@sourcemeta/jsonschema/build/github-releases/jsonschema-linux-$cpu
if npm_package @sourcemeta/jsonschema@16.11.0; then
	chmod +x "$blaze"
	for folder in "$@"; do
		"$blaze" validate "$folder/schema-noformat.json" "$folder/instances.jsonl" --fast --benchmark --loop 50 2>&1 |
			awk -v name="$(basename "$folder")" '
				match($0, /(PASS|FAIL) [0-9.]+ \+-/) { split(substr($0, RSTART), w, " "); sum += w[2]; count++ }
				END { if (count) printf "%s blaze_ns %.1f\n", name, sum * 1000 / count }'
	done >>"$peers"
fi
grep refused "$peers"
exec "$program" "$rows" "$peers" "$@"
