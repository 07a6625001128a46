// A small server of the 2026-07-28 era on the official TypeScript package: what a careful author would write,
// and a few results that such an author could get wrong. On standard input and output, or with the argument http on a
// port of loopback, whose URL it prints. The package is found from the current directory's node_modules.
import { createServer } from 'node:http';
import { McpServer, acceptedContent, createMcpHandler, fromJsonSchema, inputRequired } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const cities = [
	{ id: 1, city: 'Lisbon', population: 545796, coastal: true, river: 'Tagus' },
	{ id: 2, city: 'Madrid', population: 3223334, coastal: false, river: null },
	{ id: 3, city: 'Porto', population: 231800, coastal: true, river: 'Douro' },
];
const cityTable = {
	type: 'object',
	properties: {
		cities: {
			type: 'array',
			items: {
				type: 'object',
				properties: {
					id: { type: 'integer' },
					city: { type: 'string' },
					population: { type: 'integer', minimum: 0 },
					coastal: { type: 'boolean' },
					river: { type: ['string', 'null'] },
				},
				required: ['id', 'city', 'population'],
			},
		},
	},
	required: ['cities'],
};

// The package checks results before it sends them; this lets a wrong one through, as other servers do.
const unchecked = schema => fromJsonSchema(schema, { getValidator: () => data => ({ valid: true, data }) });
const text = message => [{ type: 'text', text: message }];

function tables(server) {
	server.registerTool('cities', {
		title: 'Cities',
		description: 'A table that keeps its promise',
		annotations: { readOnlyHint: true },
		inputSchema: z.object({ limit: z.number().int().min(1).max(3).default(3) }),
		outputSchema: fromJsonSchema(cityTable),
	}, async ({ limit }) => ({
		content: text(`${limit} cities`),
		structuredContent: { cities: cities.slice(0, limit) },
	}));
	server.registerTool('broken_cities', {
		description: 'The same table with a string for an integer and a city that is missing',
		outputSchema: unchecked(cityTable),
	}, async () => ({
		content: text('2 cities'),
		structuredContent: { cities: [{ id: '1', city: 'Lisbon', population: 545796 }, { id: 2, population: 3223334 }] },
	}));
}

function shapes(server) {
	server.registerTool('numbers', {
		description: 'An array as the whole result',
		outputSchema: fromJsonSchema({ type: 'array', items: { type: 'number' } }),
	}, async () => ({ content: text('1, 2, 3'), structuredContent: [1, 2, 3] }));
	server.registerTool('nothing', {
		description: 'null as the whole result, which is not the same as none',
		outputSchema: fromJsonSchema({ type: ['null', 'string'] }),
	}, async () => ({ content: text('nothing'), structuredContent: null }));
}

function runs(server) {
	server.registerTool('count', {
		description: 'Counts with progress',
		inputSchema: z.object({ to: z.number().int().min(1).max(100).default(3) }),
	}, async ({ to }, ctx) => {
		const progressToken = ctx.mcpReq._meta?.progressToken;
		for (let i = 1; i <= to && progressToken !== undefined; i++)
			await ctx.mcpReq.notify({
				method: 'notifications/progress',
				params: { progressToken, progress: i, total: to, message: `at ${i}` },
			});
		return { content: text(`counted to ${to}`) };
	});
	server.registerTool('fails', {
		description: 'A tool error',
		outputSchema: fromJsonSchema(cityTable),
	}, async () => ({ content: text('the map is out of print'), isError: true }));
	server.registerTool('deploy', {
		description: 'Asks for a confirmation by input_required',
	}, async ctx => {
		const schema = z.object({ confirm: z.boolean() });
		const answer = acceptedContent(ctx.mcpReq.inputResponses, 'confirm', schema);
		if (answer?.confirm !== true)
			return inputRequired({
				inputRequests: { confirm: inputRequired.elicit({ message: 'Deploy?', requestedSchema: schema }) },
			});
		return { content: text('deployed') };
	});
}

function create() {
	const server = new McpServer({ name: 'modern', title: 'A modern server', version: '1.0.0' });
	for (const register of [tables, shapes, runs])
		register(server);
	return server;
}

async function answer(handler, incoming, outgoing) {
	const gone = new AbortController();
	outgoing.on('close', () => gone.abort());
	const { method, headers } = incoming;
	const body = method === 'POST' ? { body: incoming, duplex: 'half' } : {};
	const request = new Request(`http://${headers.host}${incoming.url}`, { method, headers, signal: gone.signal, ...body });
	const response = await handler.fetch(request);
	outgoing.writeHead(response.status, Object.fromEntries(response.headers));
	outgoing.flushHeaders();
	for await (const chunk of response.body ?? [])
		outgoing.write(chunk);
	outgoing.end();
}

function serveHttp() {
	const handler = createMcpHandler(create);
	const listener = createServer((incoming, outgoing) => answer(handler, incoming, outgoing).catch(() => outgoing.destroy()));
	listener.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${listener.address().port}/mcp`));
}

if (process.argv[2] === 'http')
	serveHttp();
else
	serveStdio(create);
