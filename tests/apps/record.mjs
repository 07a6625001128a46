// Runs apps of MCP servers (or plain pages) in Chromium and writes down what the host gets of them: FRAME.png, with 4 x 8
// pixels for each cell, and TEXT.json, what the walker says. The files in tests/apps/golden are made with it.
//
//   node tests/apps/record.mjs [--size COLSxROWS] [--mode cell|fit] [--wait MS] [--eval JS] [--out PREFIX] PAGE.html
//   node tests/apps/record.mjs ... --server 'COMMAND ARGS' [--tool NAME] [--args JSON]
//
// Uses the fixture app_cells for the font, the style sheet and the walker.
import { spawn, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const option = { size: '100x35', mode: 'cell', wait: '1500', out: '/tmp/app' };
const files = [];
for (let i = 2; i < process.argv.length; i++)
	if (process.argv[i].startsWith('--'))
		option[process.argv[i].slice(2)] = process.argv[++i];
	else
		files.push(process.argv[i]);
const [cols, rows] = option.size.split('x').map(Number);
const part = (...args) => execFileSync(join(process.env.FIXTURES ?? join(root, 'build/release/tests/fixtures'), 'app_cells'), args, { maxBuffer: 1 << 24 });
const sleep = ms => new Promise(done => setTimeout(done, ms));

// ---- the server: JSON-RPC, a line each ----
class Server {
	constructor(command) {
		this.child = spawn('sh', ['-c', `exec ${command}`], { stdio: ['pipe', 'pipe', 'ignore'] });
		this.waiting = new Map();
		this.last_id = 0;
		let text = '';
		this.child.stdout.on('data', bytes => {
			const lines = (text += bytes).split('\n');
			text = lines.pop();
			for (const line of lines.filter(Boolean)) {
				const message = JSON.parse(line);
				this.waiting.get(message.id)?.(message);
			}
		});
	}
	async request(method, params) {
		const id = ++this.last_id;
		const answer = new Promise(done => this.waiting.set(id, done));
		this.child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id, method, params }) + '\n');
		const { result, error } = await answer;
		if (error)
			throw new Error(`${method}: ${error.message}`);
		return result;
	}
	async start() {
		await this.request('initialize', { protocolVersion: '2025-11-25', clientInfo: { name: 'record', version: '1' },
			capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } } });
		this.child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
		const { tools } = await this.request('tools/list', {});
		this.tool = tools.find(t => (option.tool ? t.name === option.tool : t._meta?.ui?.resourceUri));
		const { contents } = await this.request('resources/read', { uri: this.tool._meta.ui.resourceUri });
		return contents[0].text;
	}
}

// ---- the browser: JSON, each message ended by a NUL ----
class Browser {
	constructor() {
		this.folder = mkdtempSync(join(tmpdir(), 'record-'));
		const flags = ['--remote-debugging-pipe', '--disable-gpu', '--no-first-run', '--hide-scrollbars', '--mute-audio', '--disable-dev-shm-usage',
			'--host-resolver-rules=MAP * ~NOTFOUND', `--user-data-dir=${this.folder}`];
		if (process.getuid() === 0)
			flags.push('--no-sandbox');
		this.child = spawn('chromium-headless-shell', [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
		this.waiting = new Map();
		this.last_id = 0;
		this.on = {};
		let rest = Buffer.alloc(0);
		this.child.stdio[4].on('data', bytes => {
			rest = Buffer.concat([rest, bytes]);
			for (let end; (end = rest.indexOf(0)) >= 0; rest = rest.subarray(end + 1)) {
				const message = JSON.parse(rest.subarray(0, end));
				if (message.id)
					this.waiting.get(message.id)(message);
				else
					this.on[message.method]?.(message.params, message.sessionId);
			}
		});
	}
	send(method, params = {}, sessionId = undefined) {
		const id = ++this.last_id;
		this.child.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + '\0');
		return new Promise((done, failed) => this.waiting.set(id, m => (m.error ? failed(new Error(`${method}: ${m.error.message}`)) : done(m.result))));
	}
	async close() {
		await this.send('Browser.close');
		await new Promise(done => this.child.on('exit', done));
		rmSync(this.folder, { recursive: true, force: true });
	}
}

const server = option.server && new Server(option.server);
const html = server ? await server.start() : readFileSync(files[0], 'utf8');
const browser = new Browser();
const { targetId } = await browser.send('Target.createTarget', { url: 'about:blank' });
const { sessionId } = await browser.send('Target.attachToTarget', { targetId, flatten: true });
const page = (method, params) => browser.send(method, params, sessionId);
const evaluate = async (expression, contextId) => {
	const { result, exceptionDetails } = await page('Runtime.evaluate', { expression, contextId, awaitPromise: true, userGesture: true });
	if (exceptionDetails)
		throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
	return result.value;
};

// The page stands in for the host's: the app is an iframe of the same origin, so one session reaches both.
const answers = { 'ui/initialize': () => ({ protocolVersion: '2026-01-26', hostInfo: { name: 'record', version: '1' },
	hostCapabilities: { openLinks: {}, serverTools: {}, serverResources: {}, logging: {}, updateModelContext: { text: {} }, message: { text: {} } },
	hostContext: { theme: 'dark', displayMode: 'inline', availableDisplayModes: ['inline'], locale: 'en-US', timeZone: 'UTC', platform: 'desktop',
		containerDimensions: { width: cols * 8, height: rows * 16 } } }),
	'ui/request-display-mode': () => ({ mode: 'inline' }), 'ui/open-link': () => ({}), 'ui/message': () => ({}), 'ui/update-model-context': () => ({}), ping: () => ({}) };
const deliver = message => evaluate(`document.querySelector('iframe').contentWindow.postMessage(${JSON.stringify(message)}, '*')`);
browser.on['Runtime.bindingCalled'] = async ({ payload }) => {
	const m = JSON.parse(payload);
	if (m.method === 'ui/notifications/initialized') {
		const args = JSON.parse(option.args ?? '{}');
		await deliver({ jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: args } });
		await deliver({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: await server.request('tools/call', { name: server.tool.name, arguments: args }) });
	} else if (m.method && m.id !== undefined) {
		const result = answers[m.method] ? answers[m.method]() : await server.request(m.method, m.params);
		await deliver({ jsonrpc: '2.0', id: m.id, result });
	}
};
browser.on['Fetch.requestPaused'] = ({ requestId, request }) => {
	const path = new URL(request.url).pathname;
	const [type, body] = path === '/__mcpcell.ttf' ? ['font/ttf', part('font')] : path === '/app' ? ['text/html; charset=utf-8', html] :
		['text/html', '<!doctype html><style>html,body{margin:0;background:#0d1117}iframe{border:0;display:block;width:100vw;height:100vh;color-scheme:dark}' +
			'</style><script>addEventListener("message", e => tell(JSON.stringify(e.data)))</script><iframe src="/app"></iframe>'];
	page('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders: [{ name: 'content-type', value: type }], body: Buffer.from(body).toString('base64') });
};
browser.on['Runtime.exceptionThrown'] = ({ exceptionDetails: d }) => console.error('exception:', d.exception?.description ?? d.text);
for (const name of ['Page.enable', 'Runtime.enable', 'DOM.enable', 'CSS.enable'])
	await page(name);
await page('Fetch.enable', { patterns: [{ urlPattern: 'https://app.invalid/*' }] });
await page('Runtime.addBinding', { name: 'tell' });
await page('Emulation.setDeviceMetricsOverride', { width: cols * 8, height: rows * 16, deviceScaleFactor: 1, mobile: false });
await page('Emulation.setFocusEmulationEnabled', { enabled: true });
await page('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: 'dark' }, { name: 'prefers-reduced-motion', value: 'reduce' }] });
await page('Page.addScriptToEvaluateOnNewDocument', { source: part('hook').toString() });
// The style sheet is there before the app is laid out for the first time.
let world, frame, styled;
browser.on['Page.frameNavigated'] = async ({ frame: f }) => {
	if (!f.url.endsWith('/app'))
		return;
	frame = f.id;
	const { styleSheetId } = await page('CSS.createStyleSheet', { frameId: frame });
	await page('CSS.setStyleSheetText', { styleSheetId, text: part('style', option.mode).toString() });
	styled();
};
const is_styled = new Promise(done => { styled = done; });
await page('Page.navigate', { url: 'https://app.invalid/' });
await is_styled;
await sleep(+option.wait); // for what an app asks its server
world = (await page('Page.createIsolatedWorld', { frameId: frame, worldName: 'walker' })).executionContextId;
await evaluate(part('walker', option.mode).toString(), world);
await evaluate('new Promise(done => document.readyState === "complete" ? done() : addEventListener("load", done))', world);
await evaluate('document.fonts.load("13px MCPCell").then(() => document.fonts.ready).then(() => 0)', world);
await evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))).then(__collect)', world);
if (option.eval) {
	await evaluate(`document.querySelector('iframe').contentWindow.eval(${JSON.stringify(option.eval)})`);
	await evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))', world);
}
const text = await evaluate('__collect()', world);
// An event makes the walker look again: how long that takes the first time, and once its code is warm.
const took = [];
for (let i = 0; i < 6; i++) {
	await evaluate('dispatchEvent(new Event("resize")), __collect()', world);
	took.push(await evaluate('__collect_ms', world));
}
const kept = await evaluate('(() => { const t = performance.now(); for (let i = 0; i < 20; i++) __collect(); return (performance.now() - t) / 20; })()', world);
const { data } = await page('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true,
	clip: { x: 0, y: 0, width: cols * 8, height: rows * 16, scale: 0.5 } });
writeFileSync(`${option.out}.png`, Buffer.from(data, 'base64'));
writeFileSync(`${option.out}.json`, text);
const parsed = JSON.parse(text);
console.log(`${option.out}: ${parsed.text.length} texts, ${parsed.targets.length} targets, ${parsed.boxes.length} boxes, ${text.length} bytes, ` +
	`walker ${took[0].toFixed(1)} then ${took[5].toFixed(1)} ms, kept answer ${kept.toFixed(2)} ms`);
server?.child.kill();
await browser.close();
process.exit(0);
