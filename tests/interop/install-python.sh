#!/bin/sh
# install-python.sh [DIR]: makes a virtual environment DIR/N (build/interop-python) for each python/requirements-N.txt,
# once for each state of that file. Where this cannot be done it says why and exits 77.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-build/interop-python}
skip() { echo "$*"; exit 77; }
has() { command -v "$1" >/dev/null 2>&1; }

mkdir -p "$dir" || skip "cannot write to $dir"
exec 9>"$dir/lock" # two tests may ask for it at once
has flock && flock 9
for wanted in "$here"/python/requirements-*.txt; do
	name=${wanted##*-}
	name=${name%.txt}
	cmp -s "$wanted" "$dir/$name/installed" && continue
	has python3 || skip "python3 is not installed"
	rm -rf "${dir:?}/$name"
	python3 -m venv "$dir/$name" >"$dir/pip.log" 2>&1 ||
		skip "python3 cannot make a virtual environment (python3-venv): $(tail -n 1 "$dir/pip.log")"
	timeout "${INTEROP_SECONDS:-240}" "$dir/$name/bin/pip" install --quiet --disable-pip-version-check --retries 2 \
		--timeout 20 -r "$wanted" >"$dir/pip.log" 2>&1 </dev/null ||
		skip "pip could not install $(tr '\n' ' ' <"$wanted"): $(grep -m 1 ERROR "$dir/pip.log")"
	cp "$wanted" "$dir/$name/installed"
done
