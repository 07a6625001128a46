# A .c file stops at 1,000 lines, a header at 400, a function at 60. Functions are told by their closing brace in column one.
FNR == 1 {
	limit = FILENAME ~ /\.h$/ ? 400 : 1000
	start = 0
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
END { exit bad }
