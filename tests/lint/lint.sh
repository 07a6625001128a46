#!/bin/sh
# lint.sh COMPILER: layers, sizes, banned calls, functions without a caller, names of tests, links of documents,
# headers that compile alone. Prints what is wrong; exit 1.
set -u
compiler=$1
bad=0
sources=$(find src -name "*.c" | sort)
headers=$(ls include/*/*.h)
private=$(find src -name "*.h" | sort)

# shellcheck disable=SC2086  # lists of files
awk -f tests/lint/layers.awk tests/lint/layers.txt $sources $headers $private || bad=1
# shellcheck disable=SC2086
awk -f tests/lint/size.awk $sources $headers $private || bad=1
# shellcheck disable=SC2086
awk -f tests/lint/banned.awk $sources $headers $private || bad=1
# shellcheck disable=SC2086
awk -f tests/lint/unused.awk tests/lint/unused.txt $sources $headers $private tests/*/*.[ch] || bad=1
# shellcheck disable=SC2086
awk -f tests/lint/figures.awk tests/lint/figures.txt $sources $headers $private || bad=1
awk -f tests/lint/tests.awk tests/*/test_*.c || bad=1
for h in $headers; do
	echo "#include \"${h#include/}\"" | $compiler -fsyntax-only -x c - || { echo "$h: does not compile alone"; bad=1; }
done
# Files that comments name, as file.c or layer/file.h, and that the documents name, as layer/file or layer/room.
# series.c is a member of a struct.
# shellcheck disable=SC2086
for n in $(grep -v '^#include' $sources $headers $private | grep -ohE '(^|[^a-z_0-9./<])[a-z_0-9]{2,}\.c([^a-z_]|$)' |
	grep -oE '[a-z_0-9]+\.c' | sort -u); do
	[ "$n" = series.c ] || find src tests/unit tests/lint -name "$n" | grep -q . || { echo "a comment names $n, which does not exist"; bad=1; }
done
layers=$(ls src | paste -sd '|')
# shellcheck disable=SC2086
for n in $(grep -v '^#include' $sources $headers $private |
	grep -ohE "(^|[^a-z_0-9./<])($layers)/[a-z_0-9/]+\.h" | grep -oE '[a-z].*' | sort -u); do
	[ -f "include/$n" ] || [ -f "src/$n" ] || { echo "a comment names $n, which does not exist"; bad=1; }
done
# ui/... are methods of MCP Apps, auth/dpop is a scenario of the conformance suite.
for n in $(cat docs/ARCHITECTURE.md docs/PROTOCOL.md docs/APPS.md docs/decisions/*.md |
	grep -ohE "(^|[ (|\`])($layers)/[a-z_0-9]+(/[a-z_0-9]+)*([^a-z_0-9/:-]|$)" | grep -oE '[a-z][a-z_0-9/]*' |
	grep -vE '^ui/|^auth/dpop$' | sort -u); do
	[ -e "src/$n" ] || [ -f "include/$n.h" ] || ls "src/$n".* >/dev/null 2>&1 ||
		{ echo "docs name $n, which does not exist"; bad=1; }
done
# Tests that the documents name.
for t in $(grep -o '[a-z_0-9]*[a-z_0-9*]\.mcp' docs/PROTOCOL.md | sort -u); do
	# shellcheck disable=SC2086  # a pattern
	ls tests/transcript/$t >/dev/null 2>&1 || { echo "docs/PROTOCOL.md: no test $t"; bad=1; }
done
for t in $(grep -ohE '(unit|e2e)-[a-z_0-9]+' docs/*.md docs/decisions/*.md | sort -u); do
	[ -f "tests/${t%%-*}/test_${t#*-}.c" ] || { echo "docs: no test $t"; bad=1; }
done
for t in $(grep -ohE '`test_[a-z_0-9]+`' docs/SECURITY.md | tr -d '`' | sort -u); do
	grep -qE "^$t\(" tests/unit/*.c tests/e2e/*.c || { echo "docs/SECURITY.md: no test function $t"; bad=1; }
done
# Relative links of the documents.
for f in README.md docs/*.md docs/decisions/*.md; do
	for to in $(grep -o '](\([^)#]*\)' "$f" | sed 's/](//; /:/d' | sort -u); do
		[ -e "$(dirname "$f")/$to" ] || { echo "$f: no file $to"; bad=1; }
	done
done
exit $bad
