#!/bin/sh
# valgrind.sh PROGRAM/NAME: runs `PROGRAM NAME` under valgrind; its output is shown only when something is wrong.
# 77 means that it skipped itself.
MCPANE_TEST_DEADLINE_MS=${MCPANE_TEST_DEADLINE_MS:-90000} # it is twenty times slower
export MCPANE_TEST_DEADLINE_MS
log=$(mktemp)
trap 'rm -f "$log"' EXIT
valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite \
	--suppressions=tests/lint/valgrind.supp "${1%/*}" "${1##*/}" >"$log" 2>&1
code=$?
if [ $code -eq 0 ] || [ $code -eq 77 ]; then
	printf '  %-6s %s\n' VALG "${1#build/}"
	exit 0
fi
printf '  %-6s %s\n' FAILED "${1#build/}"
cat "$log"
exit 1
