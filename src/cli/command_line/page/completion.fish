# fish completion of mcpane
function __mcpane_words
	set -l words (commandline -opc)
	command $words[1] __words $words[2..-1] (commandline -ct) 2>/dev/null </dev/null
end
complete -c mcpane -f -k -a '(__mcpane_words)'
