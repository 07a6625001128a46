#!/bin/sh
# schema.sh PROGRAM: bench_schema side by side with ajv, which is installed by name under build/bench where npm
# is there. The data lies beside the project: ../shared/data, or where SCHEMA_DATA says.
set -u
data=${SCHEMA_DATA:-../shared/data}
work=build/bench
rows=$work/rows

[ -d "$data/json-schema-corpora" ] || { echo "SKIPPED: no corpora in $data (set SCHEMA_DATA)"; exit 77; }
mkdir -p "$rows" || exit 1
if [ ! -e "$rows/rich.200000.json" ] && command -v python3 >/dev/null; then
	cp "$data"/mcp-rows/*.schema.json "$rows/"
	chmod u+w "$rows"/*
	make=$(cd "$data/mcp-rows" && pwd)/make.py
	(cd "$rows" && python3 "$make") || exit 1
fi
for name in plain rich unique; do cp -f "$data/mcp-rows/$name.schema.json" "$rows/"; done
if [ ! -e "$work/ajv.txt" ] && command -v npm >/dev/null; then
	cp tests/bench/ajv.mjs "$work/"
	if npm install --prefix "$work" --ignore-scripts --no-audit --no-fund --loglevel=error ajv@8 >"$work/npm.log" 2>&1; then
		echo "measuring ajv $(node -p "require('./$work/node_modules/ajv/package.json').version")"
		node "$work/ajv.mjs" "$data" "$rows" >"$work/ajv.part" && mv "$work/ajv.part" "$work/ajv.txt"
	else
		echo "ajv: SKIPPED, npm could not install it"
	fi
fi
[ -e "$work/ajv.txt" ] && grep refused "$work/ajv.txt"
exec "$1" "$data" "$rows" "$work/ajv.txt"
