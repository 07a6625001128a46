#!/bin/sh
# run.sh TEST...: runs every test program, prints what failed and a closing count.
# A program that exits 77 was skipped; it says why itself.
passed=0 failed=0 skipped=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for test in "$@"; do
	"$test" >"$log" 2>&1
	case $? in
	0) passed=$((passed + 1)); printf '  %-6s %s\n' ok "${test#build/}"; grep -h SKIPPED "$log" ;;
	77) skipped=$((skipped + 1)); printf '  %-6s %s\n' SKIP "${test#build/}"; grep -h SKIPPED "$log" ;;
	*) failed=$((failed + 1)); printf '  %-6s %s\n' FAILED "${test#build/}"; cat "$log" ;;
	esac
done
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
