"""A server behind the authorization server that the official Python package has built in.

auth.py: by Streamable HTTP on a port that the first line of output names. Everybody who asks is authorized. Clients
register themselves, or are one of CLIENTS; a client may also get a token by its credentials alone, which the package
leaves to others: that grant is added here, with the package's own check of the client.
"""
import secrets
import socket
import time

import uvicorn
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.middleware.client_auth import AuthenticationError, ClientAuthenticator
from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    RefreshToken,
    construct_redirect_uri,
)
from mcp.server.auth.settings import AuthSettings, ClientRegistrationOptions
from mcp.server.mcpserver import MCPServer
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

SCOPES = ["cities"]
CLIENTS = {
    name: OAuthClientInformationFull(
        client_id=name,
        client_secret=secret,
        token_endpoint_auth_method=method,
        redirect_uris=["http://127.0.0.1/callback"],
        grant_types=["authorization_code", "refresh_token", "client_credentials"],
        scope="cities",
    )
    for name, secret, method in [
        ("header", "s3cret of header", "client_secret_basic"),
        ("body", "s3cret of body", "client_secret_post"),
        ("public", None, "none"),
    ]
}


class AnyPort(OAuthClientInformationFull):
    """A loopback address is good with any port (RFC 8252, 7.3)."""

    def validate_redirect_uri(self, redirect_uri):
        if redirect_uri and redirect_uri.host == "127.0.0.1" and redirect_uri.path == "/callback":
            return redirect_uri
        return super().validate_redirect_uri(redirect_uri)


class Provider:
    def __init__(self):
        self.clients = {name: AnyPort(**c.model_dump()) for name, c in CLIENTS.items()}
        self.codes, self.access, self.refresh = {}, {}, {}

    async def get_client(self, client_id):
        return self.clients.get(client_id)

    async def register_client(self, client_info):
        self.clients[client_info.client_id] = client_info

    async def authorize(self, client, params):
        code = AuthorizationCode(
            code=secrets.token_urlsafe(20),
            scopes=params.scopes or SCOPES,
            expires_at=time.time() + 60,
            client_id=client.client_id,
            code_challenge=params.code_challenge,
            redirect_uri=params.redirect_uri,
            redirect_uri_provided_explicitly=params.redirect_uri_provided_explicitly,
            resource=params.resource,
        )
        self.codes[code.code] = code
        return construct_redirect_uri(str(params.redirect_uri), code=code.code, state=params.state)

    async def load_authorization_code(self, client, authorization_code):
        return self.codes.get(authorization_code)

    async def exchange_authorization_code(self, client, authorization_code):
        del self.codes[authorization_code.code]
        return self.issue(client.client_id, authorization_code.scopes, authorization_code.resource, True)

    async def load_refresh_token(self, client, refresh_token):
        return self.refresh.get(refresh_token)

    async def exchange_refresh_token(self, client, refresh_token, scopes):
        del self.refresh[refresh_token.token]
        return self.issue(client.client_id, scopes, None, True)

    async def load_access_token(self, token):
        return self.access.get(token)

    async def revoke_token(self, token):
        self.access.pop(token.token, None)

    def issue(self, client_id, scopes, resource, renewable):
        token, again = secrets.token_urlsafe(20), secrets.token_urlsafe(20)
        self.access[token] = AccessToken(
            token=token, client_id=client_id, scopes=scopes, expires_at=int(time.time()) + 600, resource=resource
        )
        if renewable:
            self.refresh[again] = RefreshToken(token=again, client_id=client_id, scopes=scopes)
        return OAuthToken(
            access_token=token,
            expires_in=600,
            scope=" ".join(scopes),
            refresh_token=again if renewable else None,
        )


class City(BaseModel):
    name: str
    population: int


listener = socket.create_server(("127.0.0.1", 0))
origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
provider = Provider()
server = MCPServer(
    "authorized",
    auth_server_provider=provider,
    auth=AuthSettings(
        issuer_url=origin,
        resource_server_url=f"{origin}/mcp",
        required_scopes=SCOPES,
        validate_token_resource=True,
        client_registration_options=ClientRegistrationOptions(
            enabled=True, valid_scopes=SCOPES, default_scopes=SCOPES
        ),
    ),
)


@server.tool()
def cities() -> list[City]:
    """Only for those who may"""
    return [City(name="Lisbon", population=545796)]


async def token(request: Request):
    form = await request.form()
    authenticator = ClientAuthenticator(provider)
    if form.get("grant_type") != "client_credentials":
        return await TokenHandler(provider, authenticator).handle(request)
    try:
        client = await authenticator.authenticate_request(request)
    except AuthenticationError as e:
        return JSONResponse({"error": "invalid_client", "error_description": e.message}, status_code=401)
    if not client.client_secret:
        return JSONResponse({"error": "unauthorized_client"}, status_code=400)
    answer = provider.issue(client.client_id, SCOPES, form.get("resource"), False)
    return JSONResponse(answer.model_dump(exclude_none=True), headers={"Cache-Control": "no-store"})


app = server.streamable_http_app()
app.router.routes.insert(0, Route("/token", token, methods=["POST"]))
print(f"{origin}/mcp", flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])
