# A .c file stops at 1,000 lines, a header at 400, a function at 60 and at six parameters. Functions are told by their
# closing brace in column one. on_access() is a callback of libmicrohttpd.
FNR == 1 {
	limit = FILENAME ~ /\.h$/ ? 400 : 1000
	start = 0
	head = ""
}
FNR == limit + 1 {
	printf "%s: more than %d lines\n", FILENAME, limit
	bad = 1
}
/^{/ { start = FNR }
/^}/ {
	if (start && FNR - start - 1 > 60) {
		printf "%s:%d: function of %d lines (at most 60)\n", FILENAME, start, FNR - start - 1
		bad = 1
	}
	start = 0
}
# The head of a function or of a pointer to one, on any number of lines, up to its body or semicolon.
head == "" && (/^[a-z][^=;]*\(/ || /\(\*[a-z_]*\)\(/) && !/^on_access\(/ { head_at = FNR }
head_at {
	line = $0
	gsub(/\/\*[^*]*\*\/|"([^"\\]|\\.)*"/, "", line)
	head = head line
	if (line ~ /[;{]|\)$/) {
		sub(/, *\.\.\..*/, "", head)
		while (match(head, /[,(][^,()]*\(\*[a-z_]*\)\([^()]*\)/)) # a parameter that is a function
			head = substr(head, 1, RSTART) substr(head, RSTART + RLENGTH)
		if (gsub(/,/, ",", head) > 5) {
			printf "%s:%d: function of more than six parameters\n", FILENAME, head_at
			bad = 1
		}
		head = ""
		head_at = 0
	}
}
END { exit bad }
