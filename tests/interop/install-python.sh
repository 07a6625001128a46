#!/bin/sh
# install-python.sh DIR N...: makes a virtual environment DIR/N for each N, with what python/requirements-N.txt names,
# once for each state of that file. If this cannot be done, it says why and exits 77.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$1
shift
skip() { echo "$*"; exit 77; }
has() { command -v "$1" >/dev/null 2>&1; }

mkdir -p "$dir" || skip "cannot write to $dir"
for name in "$@"; do
	wanted=$here/python/requirements-$name.txt
	exec 9>"$dir/lock-$name" # two tests may ask for it at once
	has flock && flock 9
	cmp -s "$wanted" "$dir/$name/installed" && continue
	has python3 || skip "python3 is not installed"
	rm -rf "${dir:?}/$name"
	python3 -m venv "$dir/$name" >"$dir/pip-$name.log" 2>&1 ||
		skip "python3 cannot make a virtual environment (python3-venv): $(tail -n 1 "$dir/pip-$name.log")"
	timeout "${INTEROP_SECONDS:-600}" "$dir/$name/bin/pip" install --quiet --disable-pip-version-check --retries 2 \
		--timeout 20 -r "$wanted" >"$dir/pip-$name.log" 2>&1 </dev/null ||
		skip "pip could not install $(tr '\n' ' ' <"$wanted"): $(grep -m 1 ERROR "$dir/pip-$name.log")"
	cp "$wanted" "$dir/$name/installed"
done
