#ifndef CONFIG_BUNDLE_H
#define CONFIG_BUNDLE_H

#include "base/buf.h"
#include "config/target.h"

/*
 * Bundles (.mcpb, .dxt): a zip with a server and a manifest.json that says how to run it. The zip
 * is read by libzip, loaded for the first bundle, and what is in it may be hostile: it is refused
 * as a whole if a name leaves the folder, comes twice or is no plain file, or if there is too much.
 */
bool bundle_is_named(const char *path);
/* Appends the manifest as a server file (server_file.h). Its paths are those of the folder
 * <cache>/bundles/DIGEST, so approval covers the content; nothing is unpacked. */
bool bundle_read(const char *path, struct buf *out, struct err *err);
/* Unpacks the bundle that t is of into t->cwd, unless it is there; any other target is left alone.
 * Only after t was approved. */
bool bundle_unpack(const struct target *t, struct err *err);

#endif
