// sdk-client.mjs COMMAND...: the official client talks to this server, and prints what it got as JSON.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "sdk-client", version: "1" }, { capabilities: {} });
const heard = [];
const onprogress = (p) => heard.push(p);

await client.connect(new StdioClientTransport({ command, args, stderr: "inherit" }));
const { tools } = await client.listTools();
const echo = await client.callTool({ name: "echo", arguments: { message: "hé\u0000 \u{1F600}" } });
const sum = await client.callTool({ name: "get-sum", arguments: { a: 2, b: 40 } });
const slow = await client.callTool({ name: "trigger-long-running-operation", arguments: { duration: 0.2, steps: 2 } }, undefined, { onprogress });
const wrong = await client.callTool({ name: "no-such-tool", arguments: {} }).catch((e) => ({ code: e.code }));
const { prompts } = await client.listPrompts();
console.log(JSON.stringify({ server: client.getServerVersion(), tools, echo, sum, slow, heard: heard[0], wrong, prompts }));
await client.close();
