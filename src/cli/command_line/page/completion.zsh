#compdef mcpane
_mcpane()
{
	local line word
	local -a plain open plain_told open_told
	for line in "${(@f)$(command "$words[1]" __words "${(@)words[2,CURRENT]}" 2>/dev/null </dev/null)}"; do
		word=${line%%$'\t'*}
		[[ -z $word ]] && continue
		if [[ $word == *[=/] ]]; then
			open+=("$word") open_told+=("${line/$'\t'/  }")
		else
			plain+=("$word") plain_told+=("${line/$'\t'/  }")
		fi
	done
	compadd -l -d plain_told -a plain
	compadd -S '' -l -d open_told -a open
}
if [[ $funcstack[1] == _mcpane ]]; then _mcpane "$@"; else compdef _mcpane mcpane; fi
