// server-everything over HTTP on a free port of loopback; prints its URL once it can be reached.
// everything-http.mjs streamableHttp|sse. The package is found from this file's folder.
import { connect, createServer } from 'node:net';

const mode = process.argv[2];
const port = await new Promise(resolve => {
	const probe = createServer().listen(0, '127.0.0.1', () => {
		const { port } = probe.address();
		probe.close(() => resolve(port));
	});
});
const say = console.log;
console.log = console.error = () => {};
process.env.PORT = String(port);
await import(new URL(`./node_modules/@modelcontextprotocol/server-everything/dist/transports/${mode}.js`, import.meta.url).href);

const reachable = () => new Promise(resolve => {
	const socket = connect(port, '127.0.0.1', () => { socket.destroy(); resolve(true); });
	socket.on('error', () => resolve(false));
});
while (!await reachable())
	await new Promise(resolve => setTimeout(resolve, 20));
say(`http://127.0.0.1:${port}/${mode === 'sse' ? 'sse' : 'mcp'}`);
