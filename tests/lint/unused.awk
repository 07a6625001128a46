# usage: awk -f unused.awk unused.txt FILE...
# Reports functions that no code of the program calls, and those that only their own file calls and that
# are not static. unused.txt names those that are there for tests. A prototype stands in column one of a
# header, what uses a function is indented or a macro.
FNR == NR {
	if (!/^#/ && NF)
		expected[$1] = 1
	next
}
{
	gsub(/"([^"\\]|\\.)*"|\/\*.*\*\//, "")
	if (/^\t*( \*|\/\*)/ || (FILENAME ~ /\.h$/ && /^( |[a-z])/))
		next
	if (/^[a-z_0-9]+\(/ && FILENAME ~ /^src\//) {
		name = substr($0, 1, index($0, "(") - 1)
		sub(/^[a-z_0-9]+/, "")
		if (before !~ /static/)
			defined[name] = FILENAME
	}
	before = $0
	while (match($0, /[a-z_][a-z_0-9]*/)) {
		word = substr($0, RSTART, RLENGTH)
		$0 = substr($0, RSTART + RLENGTH)
		if (FILENAME ~ /^tests\//)
			tested[word] = 1
		else if (!(word in user) || user[word] == FILENAME)
			user[word] = FILENAME
		else
			user[word] = "many"
	}
}
function complain(file, text) {
	printf "%s: %s\n", file, text
	bad = 1
}
END {
	for (name in defined) {
		if (!(name in user)) {
			if (!(name in expected) && name != "main")
				complain(defined[name], "nobody calls " name)
		} else if (user[name] == defined[name] && !(name in tested)) {
			complain(defined[name], name " should be static")
		}
	}
	for (name in expected)
		if (!(name in defined) || name in user)
			complain("tests/lint/unused.txt", "no function for tests only: " name)
	exit bad
}
