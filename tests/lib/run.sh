#!/bin/sh
# run.sh PROGRAM/NAME...: runs each as `PROGRAM NAME`, one more at a time than there are processors (TEST_JOBS), because
# many wait; each at most TEST_SECONDS long. Prints the outcomes in the order of the arguments, each as soon as it may,
# what the failed ones said, and a closing count. A failed test runs again alone, and is FLAKY if it passes then: it
# depends on what runs beside it, which is a defect to mend, but none of this change. A test that exits 77 was skipped;
# it says why itself.
set -u
jobs=${TEST_JOBS:-$(($(nproc 2>/dev/null || echo 2) + 1))}
TEST_SECONDS=${TEST_SECONDS:-600}
TEST_LOGS=$(mktemp -d)
export TEST_SECONDS TEST_LOGS
trap 'rm -rf "$TEST_LOGS"' EXIT
trap 'trap - TERM; kill 0' INT TERM

# Runs one test; its number and exit code go down the pipe in one write.
# shellcheck disable=SC2016  # for the inner shell
one='timeout --foreground -k 5 "$TEST_SECONDS" "${2%/*}" "${2##*/}" >"$TEST_LOGS/$1.log" 2>&1 </dev/null; echo "$1 $?"'
number() { n=0; for test in "$@"; do n=$((n + 1)); printf '%s\n%s\n' "$n" "$test"; done; }

passed=0 failed=0 skipped=0 done=0 again=
tell() { # tell CODE TEST LOG
	case $1 in
	0) passed=$((passed + 1)) word=ok ;;
	77) skipped=$((skipped + 1)) word=SKIP ;;
	*) again="$again $2" word=FAILED ;;
	esac
	printf '  %-6s %s\n' "$word" "${2#build/}"
	[ "$1" = 124 ] && echo "         stopped after $TEST_SECONDS s"
	if [ "$word" = FAILED ]; then cat "$3"; else grep SKIPPED "$3"; fi
}
mkfifo "$TEST_LOGS/pipe"
number "$@" | xargs -n 2 -P "$jobs" sh -c "$one" sh >"$TEST_LOGS/pipe" 2>/dev/null &
while read -r number code; do
	echo "$code" >"$TEST_LOGS/$number.code"
	while [ -e "$TEST_LOGS/$((done + 1)).code" ]; do
		done=$((done + 1))
		read -r code <"$TEST_LOGS/$done.code"
		tell "$code" "$1" "$TEST_LOGS/$done.log"
		shift
	done
done <"$TEST_LOGS/pipe"
wait
for test in $again; do
	timeout --foreground -k 5 "$TEST_SECONDS" "${test%/*}" "${test##*/}" >"$TEST_LOGS/alone.log" 2>&1 </dev/null
	code=$?
	if [ "$code" -eq 0 ]; then
		passed=$((passed + 1))
		printf '  FLAKY  %s passes alone\n' "${test#build/}"
	else
		failed=$((failed + 1))
		printf '  FAILED %s alone, too (%s)\n' "${test#build/}" "$code"
		tail -n 40 "$TEST_LOGS/alone.log"
	fi
done
printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ] && [ $# -eq 0 ]
