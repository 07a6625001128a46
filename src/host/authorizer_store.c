#include "authorizer_priv.h"

#include "base/mem.h"
#include "host/tokens.h"

#include <stdlib.h>
#include <string.h>

void
authorizer_save(struct authorizer *a)
{
	struct auth_kept kept;
	struct err err = { "" };

	if (!a->tokens_path)
		return;
	auth_flow_keep(a->flow, &kept);
	if (!tokens_save(a->tokens_path, auth_flow_server_url(a->flow), &kept, &err))
		authorizer_note(a, err.text);
}

void
authorizer_forget_kept(struct authorizer *a)
{
	struct err err = { "" };

	if (a->tokens_path &&
	    !tokens_save(a->tokens_path, auth_flow_server_url(a->flow), NULL, &err))
		authorizer_note(a, err.text);
}

void
authorizer_load(struct authorizer *a)
{
	struct auth_kept kept;
	struct err said = { "" };

	if (!a->tokens_path)
		return;
	if (!tokens_load(a->tokens_path, auth_flow_server_url(a->flow), &kept, &said))
		authorizer_note(a, said.text);
	a->registered_uri = mem_strdup(kept.client.redirect_uri);
	auth_flow_restore(a->flow, &kept);
}

bool
authorizer_reload(struct authorizer *a)
{
	const char *held = auth_flow_access_token(a->flow);
	struct auth_kept kept = { 0 };

	if (!a->tokens_path || !held || auth_flow_state(a->flow) != AUTH_AUTHORIZED)
		return false;
	tokens_load(a->tokens_path, auth_flow_server_url(a->flow), &kept, NULL);
	bool newer = kept.token.access && strcmp(kept.token.access, held) != 0;
	if (newer) {
		authorizer_note(a, "authorization: another run of this program has a newer token");
		auth_flow_restore(a->flow, &kept);
	}
	auth_kept_finish(&kept);
	return newer;
}
