#ifndef NET_HTTP_TELL_PRIV_H
#define NET_HTTP_TELL_PRIV_H

#include "rpc/frame.h"
#include "rpc/lost.h"

struct http;

/* What the transport's owner is told; nothing any more once it has closed it. */
bool http_is_mute(const struct http *h);
void http_tell_line(struct http *h, struct frame_line line); /* takes */
void http_tell_lost(struct http *h, const struct lost *lost);
void http_tell_reach(struct http *h, const char *trouble);
void http_note(struct http *h, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same of more than one line. */
void http_tell_note(struct http *h, const char *text);
/* For what is no message and yet has to be seen: 64 KiB of it at most. */
void http_note_bytes(struct http *h, const char *what, const char *bytes, size_t len);

#endif
