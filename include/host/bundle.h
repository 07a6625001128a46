/* SPDX-License-Identifier: MIT */
#ifndef HOST_BUNDLE_H
#define HOST_BUNDLE_H

#include "base/buf.h"
#include "base/job.h"
#include "host/target.h"
#include "json/doc.h"

/*
 * Bundles (.mcpb, .dxt): a zip with a server and a manifest.json that says how to run it. libzip,
 * loaded for the first bundle, reads the zip, which may be hostile: it is refused as a whole if an
 * entry leaves the folder, comes twice or is not a regular file or a folder, or if there is too
 * much.
 */
bool bundle_is_named(const char *path);
/* Appends the manifest, or that libzip is missing, as a server file (server_file.h). Its paths are
 * those of the folder <cache>/bundles/DIGEST, so approval covers the content; nothing is unpacked.
 */
bool bundle_read(const char *path, struct buf *out, struct err *err);
/* Returns whether bundle_read() would be slow. Then a job reads the bundle ahead, while no other
 * thread reads one; bundle_read() returns that result or error at once. */
bool bundle_is_slow(const char *path);
void bundle_read_ahead(const char *path, const struct job *job);
/* Returns whether it has to be unpacked before it runs. False if it cannot run, because no user
 * has approved it. */
bool bundle_is_packed(const struct target *t);
/* Unpacks the bundle of t into t->cwd, unless that is there; does nothing for any other target.
 * Only after t was approved. Ends early, and fails, if the job (NULL: none) is stopped. */
bool bundle_unpack(const struct target *t, const struct job *job, struct err *err);

/* A manifest.json (manifest_version 0.1 to 0.4) as a server file with one server and its inputs.
 * folder: the value of ${__dirname}. A server that cannot be run says why. */
void bundle_manifest_to_servers(const cJSON *manifest, const char *folder, struct buf *out);

#endif
