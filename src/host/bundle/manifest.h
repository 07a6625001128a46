#ifndef HOST_BUNDLE_MANIFEST_H
#define HOST_BUNDLE_MANIFEST_H

#include "base/buf.h"
#include "json/doc.h"

/* A manifest.json (manifest_version 0.1 to 0.4) as a server file with one server and its inputs.
 * folder: the value of ${__dirname}. A server that cannot be run says why. */
void bundle_manifest_to_servers(const cJSON *manifest, const char *folder, struct buf *out);

#endif
