// The app's end of MCP Apps (2026-01-26) without a library: JSON-RPC by postMessage.
const mcp = (() => {
  const waiting = new Map();
  const handlers = {};
  let last = 0;

  const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const notify = (method, params = {}) => post({ method, params });
  const request = (method, params = {}) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      post({ id: last, method, params });
    });

  function takeAnswer({ id, result, error }) {
    const promise = waiting.get(id);
    waiting.delete(id);
    if (error) promise?.reject(new Error(error.message));
    else promise?.resolve(result);
  }

  function applyContext(context) {
    const root = document.documentElement;
    if (context.theme) root.style.colorScheme = context.theme;
    for (const [name, value] of Object.entries(context.styles?.variables ?? {}))
      root.style.setProperty(name, value);
  }

  addEventListener("message", (event) => {
    if (event.source !== parent || event.data?.jsonrpc !== "2.0") return;
    const { id, method, params } = event.data;
    if (method === undefined) return takeAnswer(event.data);
    if (method === "ui/notifications/host-context-changed") applyContext(params);
    handlers[method]?.(params);
    if (id === undefined) return;
    if (method === "ping" || method === "ui/resource-teardown") post({ id, result: {} });
    else post({ id, error: { code: -32601, message: `${method} is not supported` } });
  });

  return {
    notify,
    request,
    on: (method, handler) => (handlers[method] = handler),
    // A tool's result; a result with isError is an error like any other.
    async call(name, args = {}) {
      const result = await request("tools/call", { name, arguments: args });
      if (result.isError) throw new Error(result.content?.[0]?.text ?? `${name} failed`);
      return result;
    },
    async start(name) {
      const reply = await request("ui/initialize", {
        appInfo: { name, version: "1.0.0" },
        appCapabilities: { availableDisplayModes: ["inline", "fullscreen", "pip"] },
        protocolVersion: "2026-01-26",
      });
      applyContext(reply.hostContext ?? {});
      notify("ui/notifications/initialized");
      const report = () =>
        notify("ui/notifications/size-changed", {
          width: document.documentElement.scrollWidth,
          height: Math.ceil(document.body.getBoundingClientRect().height),
        });
      new ResizeObserver(report).observe(document.body);
      return reply;
    },
  };
})();
