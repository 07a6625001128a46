#!/bin/sh
# install-java.sh DIR: compiles java/Server.java into DIR/classes, once for each state of java/; what pom.xml names comes
# from Maven Central into DIR/lib. If this cannot be done, it says why and exits 77.
set -u
here=$(cd "$(dirname "$0")" && pwd)
dir=$1
skip() { echo "$*"; exit 77; }
has() { command -v "$1" >/dev/null 2>&1; }

mkdir -p "$dir" || skip "cannot write to $dir"
dir=$(cd "$dir" && pwd)
exec 9>"$dir/lock" # two tests may ask for it at once
has flock && flock 9
cat "$here"/java/* >"$dir/source"
cmp -s "$dir/source" "$dir/built" && exit 0
has javac || skip "javac is not installed"
has mvn || skip "mvn is not installed"
[ "$(javac -version 2>&1 | sed 's/[^0-9]*\([0-9]*\).*/\1/')" -ge 17 ] || skip "javac is older than 17"
timeout "${INTEROP_SECONDS:-600}" mvn --quiet --batch-mode --file "$here/java/pom.xml" \
	dependency:copy-dependencies -DoutputDirectory="$dir/lib" >"$dir/mvn.log" 2>&1 </dev/null ||
	skip "mvn could not get the libraries: $(grep -m 1 ERROR "$dir/mvn.log")"
javac -cp "$dir/lib/*" -d "$dir/classes" "$here/java/Server.java" >"$dir/javac.log" 2>&1 || {
	cat "$dir/javac.log"
	exit 1
}
mv "$dir/source" "$dir/built"
