# A .c file stops at 600 lines, a header at 200, a function at 60. Functions are told by their closing brace in column one.
FNR == 1 {
	limit = FILENAME ~ /\.h$/ ? 200 : 600
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
