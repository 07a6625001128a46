#!/bin/sh
# visidata.sh: what visidata needs for the work of bench_turns on 100 000 rows in a file, in batch mode and
# in processor time, without its start and reading the file, which have a line of their own. VD names the
# program (vd).
set -u
vd=${VD:-vd}
if ! command -v "$vd" >/dev/null; then
	echo
	echo "visidata: SKIPPED, not installed; VD=/path/to/vd runs another one"
	exit 0
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
awk 'BEGIN {
	split("Lisbon Berlin Osaka Lima Nairobi", city, " ")
	srand(1)
	for (i = 0; i < 100000; i++)
		printf "{\"id\":%d,\"city\":\"%s\",\"name\":\"n%d\",\"temp\":%.1f}\n", i,
		    city[1 + int(rand() * 5)], rand() * 4194304, rand() * 60 - 20
}' >"$folder/rows.jsonl"

step() { # step COMMAND COLUMN INPUT: a line of its command log
	printf '{"longname": "%s", "sheet": "rows", "col": "%s", "row": "", "input": "%s"}\n' "$1" "$2" "$3"
}

# children: processor time of all that this shell has waited for, in ticks
children() {
	set -- $(sed 's/.*) //' /proc/$$/stat)
	echo $((${14} + ${15}))
}

spend() { # spend: sets ms to the processor time of visidata with the log in $folder/log.vdj
	before=$(children)
	"$vd" -b --play "$folder/log.vdj" "$folder/rows.jsonl" </dev/null >/dev/null 2>&1
	ms=$((($(children) - before) * 1000 / $(getconf CLK_TCK)))
}

figure() { # figure WORDS: of the log, without reading the file
	spend
	printf '  %-46s %8d ms\n' "$1" $((ms - read_ms))
}

echo
echo "$("$vd" --version 2>/dev/null | head -n 1), 100000 rows, processor time"
step no-op "" "" >"$folder/log.vdj"
spend
read_ms=$ms
printf '  %-46s %8d ms\n' "starts and reads the file" "$read_ms"
{
	step select-expr "" "temp > 20 and 'Li' in city"
	step dup-selected "" ""
} >"$folder/log.vdj"
figure "filter by an expression"
step sort-asc temp "" >"$folder/log.vdj"
figure "sort by a number"
step sort-asc name "" >"$folder/log.vdj"
figure "sort by text"
step describe-sheet "" "" >"$folder/log.vdj"
figure "statistics of all columns"
