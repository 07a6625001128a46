/* SPDX-License-Identifier: MIT */
#include "base/shared_library.h"

#include <dlfcn.h>
#include <string.h>

bool
shared_library_load(const char *file, const char *const *names, void *api, struct err *err)
{
	void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
	bool ok = library != NULL;

	if (!ok)
		return err_set(err, "the library %s is missing", file);
	for (size_t i = 0; names[i] && ok; i++) {
		void *found = dlsym(library, names[i]);
		ok = found || err_set(err, "%s has no %s", file, names[i]);
		memcpy((char *)api + i * sizeof(found), &found, sizeof(found));
	}
	dlclose(library);
	return ok;
}
