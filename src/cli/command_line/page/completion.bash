# bash completion of mcpane
_mcpane()
{
	local line=${COMP_LINE:0:COMP_POINT} cur cut word words
	read -ra words <<<"$line"
	[[ $line == *[[:space:]] ]] && words+=("")
	cur=${words[-1]}
	cut=${cur%"${cur##*[=:]}"}
	COMPREPLY=()
	while IFS=$'\t' read -r word _; do
		[[ $word == *[=/] ]] && compopt -o nospace
		printf -v word %q "${word#"$cut"}"
		COMPREPLY+=("$word")
	done < <(command "${words[0]}" __words "${words[@]:1}" 2>/dev/null </dev/null)
}
complete -F _mcpane mcpane
