#ifndef WORKBENCH_COMMANDS_COMMANDS_H
#define WORKBENCH_COMMANDS_COMMANDS_H

#include "base/buf.h"
#include "base/err.h"
#include "json/doc.h"
#include "model/table.h"
#include "workbench/state.h"

/* A row: name, default keys, arguments, help, handler. W: deletes, forgets or leaves, so that no
 * beginning of its name will do. */
#define COMMANDS(X, W)                                                                            \
	X("call", "f5", "", "call the tool, read the resource, get the prompt", cmd_call)         \
	X("call!", "", "", "the same, whatever is wrong with the arguments", cmd_call_anyway)     \
	X("fix-arguments", "", "", "go to the first field with a problem", cmd_fix_arguments)     \
	X("cancel", "ctrl-c", "", "cancel the call that is shown, or choose a running one",       \
	    cmd_cancel)                                                                           \
	X("calls", "H", "", "list all calls, to show one again or cancel it", cmd_calls)          \
	X("tool", "", "NAME", "select a tool", cmd_tool)                                          \
	X("resource", "", "URI", "read a resource, listed or not", cmd_resource)                  \
	X("template", "", "NAME", "select a template by its name or text", cmd_template)          \
	X("prompt", "", "NAME", "select a prompt", cmd_prompt)                                    \
	X("next-kind", "]", "", "tools, resources, prompts: the next of these", cmd_next_kind)    \
	X("previous-kind", "[", "", "the one before", cmd_previous_kind)                          \
	X("set", "", "FIELD JSON", "set a form field, by name or JSON Pointer", cmd_set)          \
	X("edit", "ctrl-e", "[FIELD]", "edit the arguments, or one field, in $EDITOR", cmd_edit)  \
	X("file", "", "FIELD [raw|base64] PATH", "put a file into a form field", cmd_file)        \
	X("next-error", "e", "", "go to the next violation", cmd_next_error)                      \
	X("previous-error", "E", "", "go to the violation before", cmd_previous_error)            \
	X("goto", "", "POINTER", "show a node of structuredContent", cmd_goto)                    \
	X("next-pane", "tab", "", "move to the next pane", cmd_next_pane)                         \
	X("previous-pane", "shift-tab", "", "move to the pane before", cmd_previous_pane)         \
	X("pane", "", "NAME", "move to a pane", cmd_pane)                                         \
	X("zoom", "z", "", "give the pane the whole screen, or take it back", cmd_zoom)           \
	X("grow", "ctrl-right", "[N]", "make the pane larger; the mouse drags borders", cmd_grow) \
	X("shrink", "ctrl-left", "[N]", "make the pane smaller", cmd_shrink)                      \
	X("fit", "", "", "all panes as large as is best", cmd_fit)                                \
	X("back", "esc", "", "close what is on top; go back to the list", cmd_back)               \
	X("wire", "w", "", "show or hide the journal of messages", cmd_wire)                      \
	X("logs", "L", "", "show or hide what the server logged", cmd_logs)                       \
	X("log", "", "LEVEL", "ask for log messages of this level and worse; none", cmd_log)      \
	X("watch", "s", "[URI]", "be told when a resource changes; once more: no longer",         \
	    cmd_watch)                                                                            \
	X("tasks", "T", "", "show or hide the tasks of the server", cmd_tasks)                    \
	X("call-task", "", "", "call the tool as a task, where it may be one", cmd_call_task)     \
	X("schema", "f2", "", "show or hide the definition and its schemas", cmd_schema)          \
	X("overview", "f3 i", "", "show or hide what the server is and can", cmd_overview)        \
	X("restart", "R", "[N|NAME]", "connect to the server again", cmd_restart)                 \
	X("connect", "", "[N|NAME]", "connect to a server that is not", cmd_connect)              \
	X("era", "", "auto|modern|legacy", "connect again, and speak as that era does", cmd_era)  \
	W("disconnect", "", "[N|NAME]", "end a server and keep what is known", cmd_disconnect)    \
	X("timeout", "", "TIME", "how long an answer may take from now on", cmd_timeout)          \
	X("relist", "", "", "ask for all lists again", cmd_relist)                                \
	X("server", "S", "[N|NAME]", "list the servers; or show one, starting it", cmd_server)    \
	X("authorization", "A", "", "show or hide how the server is authorized",                  \
	    cmd_authorization)                                                                    \
	X("authorize", "", "[URL]", "agree to what comes next; or where the browser ended",       \
	    cmd_authorize)                                                                        \
	X("authorize-again", "", "", "begin the authorization again", cmd_authorize_again)        \
	X("copy-authorization-url", "", "", "copy the address for the browser",                   \
	    cmd_copy_authorization)                                                               \
	X("client-id", "", "ID [SECRET]", "name a client registered there; @FILE or env:NAME",    \
	    cmd_client_id)                                                                        \
	W("forget-tokens", "", "", "forget the server's tokens and registration",                 \
	    cmd_forget_tokens)                                                                    \
	W("forget-tokens!", "", "", "the same without asking", cmd_forget_tokens_now)             \
	X("add", "", "NAME COMMAND [ARG...]", "add a server to your own file; or [NAME] URL",     \
	    cmd_add)                                                                              \
	X("edit-server", "", "[N|NAME]", "edit its file, or your own, in $EDITOR",                \
	    cmd_edit_server)                                                                      \
	X("disable", "", "[N|NAME]", "mark a server of your file as disabled", cmd_disable)       \
	X("enable", "", "[N|NAME]", "and as not disabled", cmd_enable)                            \
	W("remove-server", "", "[N|NAME]", "take a server out of your file", cmd_remove_server)   \
	W("remove-server!", "", "[N|NAME]", "the same without a question", cmd_remove_server_now) \
	X("copy", "", "[TEXT]", "copy a text, the selected message or the raw reply", cmd_copy)   \
	X("write", "", "FILE", "write to a file what copy would copy", cmd_write)                 \
	X("export", "", "FORMAT FILE", "write structuredContent as json, jsonl, csv, tsv or md",  \
	    cmd_export)                                                                           \
	X("questions", "Q f4", "", "show what the server asks of you, or hide it", cmd_questions) \
	X("answer", "", "", "send the answer to the question shown", cmd_answer)                  \
	X("answer!", "", "", "the same, whatever is wrong with it", cmd_answer_anyway)            \
	X("decline", "", "", "decline the question shown", cmd_decline)                           \
	X("dismiss", "", "", "cancel the question shown", cmd_dismiss)                            \
	X("open-url", "", "", "consent, and open the URL asked for in a browser", cmd_open_url)   \
	X("copy-url", "", "", "copy the URL asked for", cmd_copy_url)                             \
	X("edit-answer", "", "", "edit the answer as JSON in $EDITOR", cmd_edit_answer)           \
	X("edit-request", "", "", "edit what a sampling asks, for a command", cmd_edit_request)   \
	X("sample", "", "", "let --sampling-command answer the sampling shown", cmd_sample)       \
	X("root", "", "[add|remove PATH]", "show or change the roots told to the server",         \
	    cmd_root)                                                                             \
	X("find", "/", "[TEXT]", "filter a list or a table; search everything else", cmd_find)    \
	X("next-match", "", "", "go on searching; n does while a search is on", cmd_next_match)   \
	X("previous-match", "", "", "go back in the search, as N does", cmd_previous_match)       \
	X("clear-find", "", "", "end the filter or the search; Esc does", cmd_clear_find)         \
	X("dump", "", "FILE", "write the screen as text", cmd_dump)                               \
	X("theme", "", "NAME", "use another theme", cmd_theme)                                    \
	X("command", "ctrl-p :", "", "type a command; Tab completes it", cmd_command)             \
	X("help", "f1 ?", "", "show the keys of this pane and all commands", cmd_help)            \
	X("suspend", "ctrl-z", "", "back to the shell for a while; fg returns", cmd_suspend)      \
	W("close", "q", "", "close what is on top; at the workbench quit", cmd_close)             \
	W("quit", "", "", "leave; asks where results would be lost", cmd_quit)                    \
	X("q", "", "", "quit", cmd_quit)                                                          \
	W("quit!", "ctrl-q", "", "leave at once", cmd_quit_now)

#define X(name, keys, args, help, run) bool run(struct workbench *wb, const char *arg);
COMMANDS(X, X)
#undef X

/* commands_question.c: the text that was edited for a question */
void commands_take_edited(struct workbench *wb, const char *text, size_t len);

/* Says why in the bottom bar; returns false. */
bool workbench_refuse(struct workbench *wb, const char *why);

/* The value in a format: json and jsonl, or its best table as csv, tsv or md. Appends to out. */
bool export_write(
    const cJSON *value, const cJSON *schema, const char *format, struct buf *out, struct err *err);
/* A table as csv, tsv, md or jsonl: the rows it shows, in its order. */
bool export_table(const struct table *t, const char *format, struct buf *out, struct err *err);
const char *export_format(size_t index); /* NULL past the end */

#endif
