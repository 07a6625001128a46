#ifndef WORKBENCH_COMMANDS_COMMANDS_H
#define WORKBENCH_COMMANDS_COMMANDS_H

#include "base/buf.h"
#include "base/err.h"
#include "json/doc.h"
#include "data/table.h"
#include "workbench/state.h"
#include "recipe_commands.h"

/* A row: name, default keys, arguments, help, handler. W: deletes, forgets or ends things, so the
 * name cannot be abbreviated. P() stands for the commands of PANES. */
#define COMMANDS(X, W, P)                                                                          \
	X("call", "ctrl-r r f5", "", "call the tool, read the resource, get the prompt", cmd_call) \
	X("call!", "", "", "call without confirmation, whatever the arguments", cmd_call_anyway)   \
	X("call-legacy", "O", "",                                                                  \
	    "repeat the failed call in the legacy era, in which servers can send requests",        \
	    cmd_call_legacy)                                                                       \
	X("fix-arguments", "", "", "go to the first field with a problem", cmd_fix_arguments)      \
	X("cancel", "ctrl-c", "", "cancel the call shown, or choose a running call", cmd_cancel)   \
	X("app", "alt-v", "[NAME|HOW]",                                                            \
	    "go between app and result, or to a tool's app; full, pip or close it", cmd_app)       \
	X("app-allow", "", "[DOMAIN]", "let apps reach a domain they declare", cmd_app_allow)      \
	X("app-allow!", "", "[DOMAIN]", "the same without confirmation", cmd_app_allow_now)        \
	X("app-forbid", "alt-n", "", "keep apps off the network again", cmd_app_forbid)            \
	X("tool", "", "NAME", "select a tool", cmd_tool)                                           \
	X("resource", "", "URI", "read a resource, even if it is not listed", cmd_resource)        \
	X("template", "", "NAME", "select a template by name or URI", cmd_template)                \
	X("prompt", "", "NAME", "select a prompt", cmd_prompt)                                     \
	X("next-kind", "]", "", "go to the next list: tools, resources, prompts", cmd_next_kind)   \
	X("previous-kind", "[", "", "go to the previous list", cmd_previous_kind)                  \
	X("set", "", "NAME [VALUE]", "set a form field, by name or JSON Pointer, or a setting",    \
	    cmd_set)                                                                               \
	X("argument", "", "NAME JSON", "set an argument that the schema may lack", cmd_argument)   \
	X("edit", "ctrl-e", "[FIELD]", "edit the arguments or one field in $EDITOR", cmd_edit)     \
	X("file", "", "FIELD [raw|base64] PATH", "put a file into a form field", cmd_file)         \
	X("save-call", "ctrl-s", "[NAME]",                                                         \
	    "save the arguments in the project, under a name or as GROUP/NAME", cmd_save_call)     \
	X("save-call!", "", "NAME", "save them over those of that name", cmd_save_call_over)       \
	X("saved", "ctrl-o", "[NAME]", "open a call that the project has saved", cmd_saved)        \
	X("rename-saved", "", "NAME NEW", "rename a saved call", cmd_rename_saved)                 \
	W("delete-saved", "", "NAME", "delete a saved call, after a question", cmd_delete_saved)   \
	W("delete-saved!", "", "NAME", "delete a saved call", cmd_delete_saved_now)                \
	X("environment", "", "[NAME]",                                                             \
	    "give ${name} the values of an environment of the project; - of none",                 \
	    cmd_environment)                                                                       \
	X("next-error", "e", "", "go to the next violation", cmd_next_error)                       \
	X("previous-error", "E", "", "go to the previous violation", cmd_previous_error)           \
	X("goto", "", "POINTER", "show a node of structuredContent", cmd_goto)                     \
	X("next-pane", "tab", "", "move to the next pane", cmd_next_pane)                          \
	X("previous-pane", "shift-tab", "", "move to the previous pane", cmd_previous_pane)        \
	X("pane", "", "NAME", "move to a pane", cmd_pane)                                          \
	X("pick", "alt-; ;", "", "put a letter on every control, to click it by", cmd_pick)        \
	X("zoom", "z", "", "show the pane on the whole screen, or undo that", cmd_zoom)            \
	X("grow", "ctrl-right", "[N]", "make the pane larger; the mouse drags borders", cmd_grow)  \
	X("shrink", "ctrl-left", "[N]", "make the pane smaller", cmd_shrink)                       \
	X("fit", "", "", "reset the size of all panes", cmd_fit)                                   \
	X("layout", "", "auto|one|two",                                                            \
	    "stack the panes beside the list in one column or two; auto: by the width",            \
	    cmd_layout)                                                                            \
	X("strip", "", "", "show or hide the journal's strip on a high screen", cmd_strip)         \
	X("back", "esc", "", "close the top overlay, or go back to the list", cmd_back)            \
	P()                                                                                        \
	RECIPE_COMMANDS(X) X("log", "", "LEVEL",                                                   \
	    "ask for log messages of this level or above; none", cmd_log) X("watch", "W", "[URI]", \
	    "subscribe to changes of a resource, or unsubscribe", cmd_watch) X("call-task", "",    \
	    "", "call the tool as a task, if it supports that", cmd_call_task) X("call-task!", "", \
	    "", "call as a task without confirmation", cmd_call_task_anyway) W("restart", "R",     \
	    "[N|NAME]", "reconnect to the server", cmd_restart) X("connect", "", "[N|NAME]",       \
	    "connect to a disconnected server", cmd_connect) X("era", "", "auto|modern|legacy",    \
	    "reconnect with the protocol of that era", cmd_era) W("disconnect", "", "[N|NAME]",    \
	    "disconnect, keep the results", cmd_disconnect) X("meta", "", "[KEY=VALUE... | JSON]", \
	    "send these members of _meta with each call, KEY:=JSON too; {} for none",              \
	    cmd_meta) X("trace", "", "", "send a traceparent with each call, or no longer",        \
	    cmd_trace) X("timeout", "", "TIME", "set the timeout of new requests",                 \
	    cmd_timeout) X("send", "", "JSON",                                                     \
	    "send a message as typed; the journal shows it and the reply", cmd_send) X("send!",    \
	    "", "JSON", "send a message without confirmation", cmd_send_now) X("send-again!", "",  \
	    "JSON", "send a request under a new id, without confirmation",                         \
	    cmd_send_again_now) X("time-line", "", "[N|+N|-N|start|end|play [SPEED]|pause]",       \
	    "move in a recording", cmd_time_line) X("earlier", "alt-,", "[N]",                     \
	    "go back a line of an open recording, or N",                                           \
	    cmd_earlier) X("later", "alt-.", "[N]", "go on a line of an open recording, or N",     \
	    cmd_later) X("relist", "", "", "ask for all lists again", cmd_relist) X("server", "S", \
	    "[N|NAME]", "list the servers, or start and show one", cmd_server) X("authorize", "",  \
	    "[URL]", "agree to the next step, or give the redirect URL",                           \
	    cmd_authorize) X("authorize-again", "", "", "start the authorization over",            \
	    cmd_authorize_again) X("copy-authorization-url", "", "",                               \
	    "copy the URL for the browser", cmd_copy_authorization) X("client-id", "",             \
	    "ID [SECRET]", "use a registered client; @FILE or env:NAME",                           \
	    cmd_client_id) W("forget-tokens", "", "", "delete its tokens and registration",        \
	    cmd_forget_tokens) W("forget-tokens!", "", "", "delete them without confirmation",     \
	    cmd_forget_tokens_now) X("add", "", "[NAME] COMMAND [ARG...]",                         \
	    "add a server to your configuration; or [NAME] URL, another client's JSON, or its "    \
	    "`mcp add` command",                                                                   \
	    cmd_add) X("add!", "", "JSON", "add what was pasted without confirmation",             \
	    cmd_add_now) X("edit-server", "", "[N|NAME]", "edit its file, or yours, in $EDITOR",   \
	    cmd_edit_server) X("disable", "", "[N|NAME]",                                          \
	    "disable a server in your configuration", cmd_disable) X("enable", "", "[N|NAME]",     \
	    "enable a server in your configuration", cmd_enable) W("remove-server", "",            \
	    "[N|NAME]", "remove a server from your configuration",                                 \
	    cmd_remove_server) W("remove-server!", "", "[N|NAME]", "remove without confirmation",  \
	    cmd_remove_server_now) X("terminal", "", "[COMMAND]",                                  \
	    "show the terminal pane; open a shell or run a command in it",                         \
	    cmd_terminal) X("pager", "alt-p", "", "show what copy would copy in your pager",       \
	    cmd_pager) X("copy", "", "[TEXT]",                                                     \
	    "copy text, the selected message, the content block or the raw response", cmd_copy) X("write", "",        \
	    "FILE", "like copy, but write to a file", cmd_write) X("copy-as", "y",                 \
	    "[FORMAT] [ID]", "copy the call as json, a command, curl, python or typescript",       \
	    cmd_copy_as) X("pass", ">", "[value|rows|column|items] [TOOL FIELD]",                  \
	    "pass the value, the column or the selected rows on to a field of another call",       \
	    cmd_pass) X("call-each", "", "[failed]",                                               \
	    "call the tool once for each value passed on, or again where that failed",             \
	    cmd_call_each) X("call-each!", "", "[failed]", "the same without confirmation",        \
	    cmd_call_each_now) X("each", "", "FIELD ARRAY",                                        \
	    "put the first item into a field; the call then asks to call for each",                \
	    cmd_each) X("export", "", "FORMAT [FILE]",                                             \
	    "write the data as shown, or the selected rows, as json, jsonl, csv, tsv or md, "      \
	    "without a file copy it; write its chart as svg, png or txt",                          \
	    cmd_export) X("export!", "", "FORMAT FILE",                                            \
	    "the same, over a file that is already there", cmd_export_over) X("replace-file!", "", \
	    "", "replace the file that was asked about", cmd_replace_file_now) X("questions", "Q f4", "", "show or hide the requests of the server",      \
	    cmd_questions) X("answer", "", "", "answer the question shown",                        \
	    cmd_answer) X("answer!", "", "", "answer even if the answer has problems",             \
	    cmd_answer_anyway) X("decline", "", "[now]", "decline the question shown",                                      \
	    cmd_decline) X("dismiss", "", "[now]",                                                 \
	    "cancel the question shown", cmd_dismiss) X("open-url", "", "", "consent, and open the requested URL in a browser", \
	    cmd_open_url) X("browse", "", "URL", "ask, then open a web page in the browser",       \
	    cmd_browse) X("browse!", "", "URL", "open a web page in the browser",                  \
	    cmd_browse_now) X("open-file!", "", "", "open the block that open-block asked about",  \
	    cmd_open_file_now) X("copy-url", "", "", "copy the requested URL",                     \
	    cmd_copy_url) X("edit-answer", "", "", "edit the answer as JSON in $EDITOR",           \
	    cmd_edit_answer) X("edit-request", "", "", "edit the sampling request, for a command", \
	    cmd_edit_request) X("sample", "", "",                                                  \
	    "answer the sampling request by --sampling-command", cmd_sample) X("root", "",         \
	    "[add|remove PATH]", "show or change the roots sent to the server",                    \
	    cmd_root) X("diff", "d", "[CALL [CALL]]",                                              \
	    "compare the result with the one before, or two", cmd_diff) X("show-call", "", "ID",   \
	    "show a call of the history in all its views", cmd_show_call) W("delete-call", "",     \
	    "ID", "delete a call from the history, after a question",                              \
	    cmd_delete_call) W("delete-call!", "", "ID", "delete a call from the history",         \
	    cmd_delete_call_now) X("find", "/", "[TEXT]",                                          \
	    "filter a list or a table; search everything else",                                    \
	    cmd_find) X("search", "'", "[TEXT]", "search the cells of a table: all rows stay",     \
	    cmd_search) X("next-match", "", "", "go to the next match; n during a search",         \
	    cmd_next_match) X("previous-match", "", "",                                            \
	    "go to the previous match; N during a search",                                         \
	    cmd_previous_match) X("clear-find", "", "", "clear the filter or search, as Esc does", \
	    cmd_clear_find) X("dump", "", "FILE", "write the screen to a file as text",            \
	    cmd_dump) X("theme", "", "NAME", "use another theme, and keep it",                    \
	    cmd_theme) X("pictures", "", "auto|cells|kitty|sixel",                                 \
	    "how pictures are drawn: by the terminal's graphics, or in cells",                     \
	    cmd_pictures) X("bind", "", "CONTEXT KEY COMMAND",                                     \
	    "let a key run a command, in a pane or in global", cmd_bind) X("unbind", "",           \
	    "CONTEXT KEY", "let a key do nothing", cmd_unbind) X("palette", "ctrl-p", "[TEXT]",    \
	    "find a command, tool, skill, pane, past call, setting, theme and so on",              \
	    cmd_palette) X("command", "alt-x :", "", "type a command; Tab completes it",           \
	    cmd_command) X("help", "f1 ?", "", "show the keys of this pane and all commands",      \
	    cmd_help) X("suspend", "ctrl-z", "", "suspend to the shell; fg returns", cmd_suspend)  \
	    W("close", "q", "", "close the top overlay; on the workbench, quit", cmd_close)        \
		W("quit", "", "", "quit; asks first if anything would be lost", cmd_quit)           \
		    W("quit!", "ctrl-q", "", "quit without confirmation", cmd_quit_now)

/* Other names of commands and panes: NAME stands for the command line. */
#define ALIASES(A)                                \
	A("q", "quit")                            \
	A("wire", "journal")                      \
	A("schema", "definition")                 \
	A("calls", "history")                     \
	A("tools", "pane tools")                  \
	A("form", "pane form")                    \
	A("content", "pane content")              \
	A("structuredContent", "pane structured") \
	A("validation", "pane validation")        \
	A("servers", "pane servers")

/* run.c: appends the aliases of the command line, with blanks between. */
void aliases_add_of(const char *line, struct buf *out);

#define NONE()
#define X(name, keys, args, help, run) bool run(struct workbench *wb, const char *arg);
COMMANDS(X, X, NONE)
#undef X
#undef NONE

void pass_part_finish(struct pass_part *p);
/* Puts JSON into the form, as one step of its undo. */
bool pass_fill_in(struct workbench *wb, const char *pointer, const char *json, struct err *err);
/* cmd_call.c: the arguments of the shown form as they are sent. False: refused, and said why. */
bool call_add_arguments(struct workbench *wb, struct buf *out);
const char *call_secret(const struct workbench *wb); /* to be asked about; NULL: none */
/* cmd_batch.c: the shown form is called once for each, once it is complete. Takes the values. */
bool batch_arm(struct workbench *wb, const char *pointer, struct strings *values);
/* cmd_question.c: takes the text edited for a question, or a recipe */
void commands_take_edited(struct workbench *wb, const char *text, size_t len);

/* cmd_app.c: opens and shows its app, if it has one and apps run here */
void app_open_for_call(struct workbench *wb, uint64_t call);
/* Explains in the bottom bar; returns false. */
bool workbench_refuse(struct workbench *wb, const char *why);

#endif
