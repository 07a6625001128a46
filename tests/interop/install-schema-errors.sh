#!/bin/sh
# install-schema-errors.sh DIR: puts the test suite of hyperjump-io/json-schema-errors, at a pinned commit, into DIR, or
# links it from the folder that JSON_SCHEMA_ERRORS names. The npm package does not contain it. If this cannot be done,
# it says why and exits 77.
set -u
commit=a0b2bcf00caaeeff76a0fd262acb950d0316be22
dir=$1
skip() { echo "$*"; exit 77; }

mkdir -p "$dir" || skip "cannot write to $dir"
if [ -n "${JSON_SCHEMA_ERRORS:-}" ]; then
	[ -d "$JSON_SCHEMA_ERRORS/tests" ] || skip "no folder tests in JSON_SCHEMA_ERRORS ($JSON_SCHEMA_ERRORS)"
	ln -sfn "$(cd "$JSON_SCHEMA_ERRORS" && pwd)" "$dir/suite"
	exit 0
fi
[ -d "$dir/$commit/src/test-suite/tests" ] || {
	command -v git >/dev/null 2>&1 || skip "git is not installed"
	rm -rf "$dir/clone"
	git init -q "$dir/clone" || skip "git cannot write to $dir"
	GIT_TERMINAL_PROMPT=0 timeout "${INTEROP_SECONDS:-60}" git -C "$dir/clone" fetch -q --depth 1 \
		https://github.com/hyperjump-io/json-schema-errors "$commit" 2>"$dir/git.log" ||
		skip "git could not get the suite: $(head -n 1 "$dir/git.log")"
	git -C "$dir/clone" checkout -q "$commit" || skip "the suite is not in the repository any more"
	mv "$dir/clone" "$dir/$commit"
}
ln -sfn "$commit/src/test-suite" "$dir/suite"
