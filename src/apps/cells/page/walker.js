/*
 * Finds out which text is where in a page. Runs in an isolated world of an app's frame, so the app
 * neither sees nor changes it. `__begin(options)` is called once, `__collect()` then returns JSON:
 *
 *   width, height   of the viewport in CSS pixels, like all that follows
 *   text            [x, y, width, height, text, color, opacity, flags] for each piece of a line that
 *                   can be seen; color is 0xrrggbb, opacity 0 to 255
 *   boxes           [x, y, width, height, "canvas" | "img" | "svg" | "video"]
 *   frames          [x, y, width, height, flags, color, opacity]: boxes with borders or a ground of their
 *                   own around text; the style sheet keeps their borders from being drawn
 *   targets         [x, y, width, height, role, name, flags]: what a click does something on
 *   caret           [x, y, height] or null
 *   page            [width, height, left, top]: of all that can be scrolled, and how far it is
 *   more            is there more than the limits allow?
 *
 * It is asked for every frame, so an answer is kept until something may have changed.
 */
(() => {
'use strict';

const MOST = { text: 8000, characters: 200000, boxes: 500, frames: 3000, targets: 1500, nodes: 100000, tiles: 1000, name: 80, ms: 200 };
const TEXT = { bold: 1, italic: 2, underline: 4, strike: 8, centered: 32, right: 64, upright: 128 };
const FRAME = { top: 1, right: 2, bottom: 4, left: 8, control: 16, ground: 32, focused: 64, field: 128 };
const TARGET = { disabled: 1, checked: 2, focused: 4, editable: 8 };
const KEPT_MS = 400, UNSETTLED_MS = 300; /* an answer; after a key or the mouse */

let line = 16, column = 8; /* the size of a cell */
let sheet = null, answer = '', dirty = true, collected_at = 0, unsettled_until = 0;
let fields = []; /* of the last answer: their values change unseen */
let now; /* all that one collection knows */
const observed = new WeakSet();

/* ---- is the last answer still true? ---- */

/* Text leaves no ink, so the browser may draw no new picture for it: the host hears of a change, once
   for each answer. */
const change = () => {
	if (!dirty && globalThis.__mcpane_changed)
		globalThis.__mcpane_changed('');
	dirty = true;
};
const stir = () => { change(); unsettled_until = performance.now() + UNSETTLED_MS; };
const observer = new MutationObserver(change);

const watch = root => {
	if (observed.has(root))
		return;
	observed.add(root);
	observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
	for (const type of ['scroll', 'input', 'change', 'load', 'toggle', 'slotchange'])
		root.addEventListener(type, change, true);
	for (const type of ['mouseover', 'mouseout', 'mousedown', 'mouseup', 'keydown', 'keyup', 'focusin', 'focusout'])
		root.addEventListener(type, stir, true);
	if (root !== document && sheet) {
		root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
		dirty = true; /* what was found before may have moved */
	}
};

const field_state = f => `${f.value}|${f.checked}|${f.selectionEnd}|${f.scrollLeft}|${f.scrollTop}`;
const is_current = () => {
	const t = performance.now();
	return !dirty && t > unsettled_until && t < collected_at + KEPT_MS &&
		fields.every(([f, state]) => field_state(f) === state) &&
		!document.getAnimations().some(a => a.playState === 'running');
};

/* ---- colors, widths ---- */

const pad = document.createElement('canvas');
pad.width = pad.height = 1;
const ink = pad.getContext('2d', { willReadFrequently: true });
const colors = new Map();

/* Any CSS color as [0xrrggbb, opacity]. */
const color_of = css => {
	let found = colors.get(css);
	if (!found) {
		const m = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(css);
		if (m) {
			found = [(m[1] << 16) | (m[2] << 8) | +m[3], m[4] === undefined ? 1 : +m[4]];
		} else {
			ink.clearRect(0, 0, 1, 1);
			ink.fillStyle = '#808080';
			ink.fillStyle = css;
			ink.fillRect(0, 0, 1, 1);
			const [r, g, b, a] = ink.getImageData(0, 0, 1, 1).data;
			found = [(r << 16) | (g << 8) | b, a / 255];
		}
		if (colors.size > 2000)
			colors.clear();
		colors.set(css, found);
	}
	return found;
};

const measure = (text, c) => {
	ink.font = c.font || `${c.fontWeight} ${c.fontSize} ${c.fontFamily}`;
	return ink.measureText(text).width;
};

/* ---- what an element gives to its text ---- */

const parent_of = e => e.assignedSlot || e.parentElement || e.getRootNode().host || null;
const px = s => parseFloat(s) || 0;
const EVERYWHERE = { left: -1e6, top: -1e6, right: 1e6, bottom: 1e6 };
const meet = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
	right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const style_of = e => {
	let s = now.styles.get(e);
	if (s)
		return s;
	const c = getComputedStyle(e), parent = parent_of(e), above = parent ? style_of(parent) : null;
	const svg = e.namespaceURI === 'http://www.w3.org/2000/svg';
	const line = c.textDecorationLine;
	s = { c, svg,
		pre: /pre|break-spaces/.test(c.whiteSpace),
		bold: +c.fontWeight >= 600, italic: c.fontStyle !== 'normal',
		underline: (above && above.underline && c.display !== 'inline-block') || line.includes('underline'),
		strike: (above && above.strike) || line.includes('line-through'),
		opacity: (above ? above.opacity : 1) * +c.opacity,
		pointer: c.cursor === 'pointer',
		color: svg && c.fill !== 'none' ? c.fill : c.color,
		visible: e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) };
	/* Text may be cut by each box around it that scrolls; what is positioned, by those it stands in. */
	const positioned = c.position !== 'static' || c.transform !== 'none';
	const outside = c.position === 'fixed' ? EVERYWHERE : !above ? EVERYWHERE :
		c.position === 'absolute' ? above.clip_positioned : above.clip;
	s.clip = outside;
	s.clip_self = outside;
	if (e !== document.body && e !== document.documentElement && (c.overflowX !== 'visible' || c.overflowY !== 'visible')) {
		const r = e.getBoundingClientRect();
		s.clip = meet(outside, { left: r.left + e.clientLeft, top: r.top + e.clientTop,
			right: r.right - px(c.borderRightWidth), bottom: r.bottom - px(c.borderBottomWidth) });
	}
	s.clip_positioned = positioned ? s.clip : above ? above.clip_positioned : EVERYWHERE;
	now.styles.set(e, s);
	return s;
};

const flags_of = s => (s.bold ? TEXT.bold : 0) | (s.italic ? TEXT.italic : 0) |
	(s.underline ? TEXT.underline : 0) | (s.strike ? TEXT.strike : 0);

/* ---- is anything in front of it? ---- */

const contains = (outer, e) => {
	for (; e; e = parent_of(e))
		if (e === outer)
			return true;
	return false;
};

/* Everything at a point, the front first, also in open shadow roots. */
const stack_at = (x, y, root, out = []) => {
	for (const e of root.elementsFromPoint(x, y)) {
		if (e.getRootNode() !== root)
			continue;
		if (e.shadowRoot)
			stack_at(x, y, e.shadowRoot, out);
		out.push(e);
	}
	return out;
};

/* What the style sheet draws no ink of: it is told as text. */
const INKLESS = /^(progress|meter|input (range|checkbox|radio))\b/;
const REPLACED = /^(img|video|iframe|object|embed|input|textarea|select)$/;
const is_opaque_at = (e, x, y) => {
	const s = style_of(e), r = e.getBoundingClientRect();
	if (e.localName === 'select' && e.matches(':open'))
		return true; /* its list, which hangs out of its box */
	if (s.opacity < 0.5 || x < r.left || x > r.right || y < r.top || y > r.bottom)
		return false;
	return REPLACED.test(e.localName) || color_of(s.c.backgroundColor)[1] > 0.5 || s.c.backgroundImage !== 'none';
};

/* Asking the page what is at a point is slow: an answer holds for a cell or so. */
const near = (known, x, y, ask) => {
	const key = (y >> 3) * 65536 + (x >> 3);
	let found = known.get(key);
	if (found === undefined)
		known.set(key, found = ask());
	return found;
};

const is_seen_at = (e, x, y) => {
	const front = near(now.fronts, x, y, () => document.elementFromPoint(x, y));
	if (!front || front === e || (!front.shadowRoot && contains(front, e)))
		return true;
	for (const hit of near(now.stacks, x, y, () => stack_at(x, y, document))) {
		if (hit === e || contains(hit, e))
			return true;
		if (is_opaque_at(hit, x, y))
			return false;
	}
	return true;
};

/* What of a row of r can be seen: "all", "none" or "part". */
const seen = (e, r) => {
	if (style_of(e).c.pointerEvents === 'none')
		return 'all';
	const y = Math.min(now.height - 1, Math.max(0, (r.top + r.bottom) / 2));
	const left = Math.max(0, r.left), right = Math.min(now.width, r.right), width = right - left, inset = Math.min(3, width / 2);
	const steps = Math.ceil(width / 100);
	if (width <= 24)
		return is_seen_at(e, left + width / 2, y) ? 'all' : 'none';
	let yes = 0, no = 0;
	for (let i = 0; i <= steps; i++)
		is_seen_at(e, left + inset + (width - 2 * inset) * i / steps, y) ? yes++ : no++;
	return no === 0 ? 'all' : yes === 0 ? 'none' : 'part';
};

/* The same for something to click, which may have its label in front. */
const can_be_hit = (e, r) => {
	const x = (r.left + r.right) / 2, y = (r.top + r.bottom) / 2;
	const front = near(now.fronts, x, y, () => document.elementFromPoint(x, y));
	return contains(e, front) || seen(e, r) !== 'none';
};

/* ---- pieces of text ---- */

const round = v => Math.round(v * 10) / 10;
const HIGH = /[\ud800-\udbff]/, LOW = /[\udc00-\udfff]/;

const put = (r, text, s, more_flags = 0, css = s.color) => {
	const [rgb, opacity] = color_of(css), o = Math.round(opacity * s.opacity * 255);
	if (!/\S/.test(text) || o < 13 || r.right <= 0 || r.left >= now.width || r.bottom <= 0 || r.top >= now.height)
		return;
	if (now.text.length >= MOST.text || (now.characters += text.length) > MOST.characters) {
		now.more = true;
		return;
	}
	now.text.push([round(r.left), round(r.top), round(r.right - r.left), round(r.bottom - r.top), text, rgb, o,
		flags_of(s) | more_flags]);
};

/* The same for what an element shows that is no text of the document. */
const put_extra = (e, r, text, s, more_flags, css) => {
	const c = meet(r, s.clip), middle = (r.top + r.bottom) / 2;
	if (s.visible && middle > c.top && middle < c.bottom && c.left < c.right && seen(e, c) !== 'none')
		put(r, text, s, more_flags, css);
};

const transformed = (text, c) => {
	switch (c.textTransform) {
	case 'uppercase': return text.toUpperCase();
	case 'lowercase': return text.toLowerCase();
	case 'capitalize': return text.replace(/(^|[^\p{L}\p{N}'’])(\p{L})/gu, (all, before, letter) => before + letter.toUpperCase());
	}
	return text;
};

const range = document.createRange();
/* The box of node's text from..to, and whether it is all on one line. */
const box_of = (node, from, to) => {
	range.setStart(node, from);
	range.setEnd(node, to);
	let box = null, lines = 1;
	for (const r of range.getClientRects()) {
		if (r.width === 0 && box)
			continue;
		if (!box || box.right === box.left)
			box = { left: r.left, top: r.top, right: r.right, bottom: r.bottom };
		else if (Math.abs((r.top + r.bottom) - (box.top + box.bottom)) > Math.min(r.height, box.bottom - box.top))
			lines++;
		else
			box = { left: Math.min(box.left, r.left), top: box.top, right: Math.max(box.right, r.right), bottom: box.bottom };
	}
	return box && { ...box, lines };
};

/* The first offset in from..to for which a test that turns true once is true. */
const first_offset = (from, to, test) => {
	while (from < to) {
		const middle = (from + to) >> 1;
		if (test(middle))
			to = middle;
		else
			from = middle + 1;
	}
	return from;
};

const whole_character = (data, at) => at > 0 && LOW.test(data[at] || '') && HIGH.test(data[at - 1]) ? at + 1 : at;

/* The part from..to that lies in left..right: half a character counts as one. */
const cut = (node, from, to, left, right) => {
	const middle = i => {
		const b = box_of(node, i, Math.min(to, i + 1));
		return b ? (b.left + b.right) / 2 : null;
	};
	const at = x => first_offset(from, to, i => {
		for (let k = i; k < to; k++) {
			const m = middle(k);
			if (m !== null)
				return m >= x;
		}
		return true;
	});
	return [whole_character(node.data, at(left)), whole_character(node.data, at(right))];
};

const shown = (node, from, to, s) => {
	const text = node.data.slice(from, to);
	return transformed(s.pre ? text : text.replace(/[ \t\r\n\f]+/g, ' '), s.c);
};

const flags_of_place = (s, box) => {
	let flags = s.svg ? { middle: TEXT.centered, end: TEXT.right }[s.c.textAnchor] || 0 : 0;
	if (box.bottom - box.top > 2 * (box.right - box.left) && box.bottom - box.top > 24)
		flags |= TEXT.upright;
	return flags;
};

/* A piece of one line: cut to what is seen of it. */
const put_piece = (node, e, from, to, s) => {
	let box = box_of(node, from, to);
	if (!box)
		return;
	const clip = s.clip, y = (box.top + box.bottom) / 2;
	if (y <= clip.top || y >= clip.bottom || box.right <= clip.left || box.left >= clip.right)
		return;
	let dots = '';
	if (box.left < clip.left - 1 || box.right > clip.right + 1) {
		const end = to;
		[from, to] = cut(node, from, to, clip.left, clip.right);
		if (to < end && to > from && s.c.textOverflow === 'ellipsis') {
			to--;
			dots = '…';
		}
		box = to > from && box_of(node, from, to);
		if (!box)
			return;
	}
	const how = seen(e, box);
	if (how === 'all')
		put(dots ? { ...box, right: Math.min(clip.right, box.right + column) } : box, shown(node, from, to, s) + dots, s, flags_of_place(s, box));
	else if (how === 'part')
		put_seen(node, e, from, to, s);
};

/* Something covers a part: character for character. */
const put_seen = (node, e, from, to, s) => {
	let start = -1;
	for (let i = from; i <= to && i < from + 500; i++) {
		const b = i < to && box_of(node, i, i + 1);
		const yes = b && is_seen_at(e, (b.left + b.right) / 2, (b.top + b.bottom) / 2);
		if (yes && start < 0)
			start = i;
		if (!yes && start >= 0) {
			const box = box_of(node, start, i);
			put(box, shown(node, start, i, s), s, flags_of_place(s, box));
			start = -1;
		}
	}
};

/* A line is in pieces if what is between its words is not one space. */
const put_line = (node, e, from, to, s) => {
	const separator = s.c.textAlign === 'justify' ? /\s+/g : s.pre ? /\t+/g : null;
	if (!separator || !separator.test(node.data.slice(from, to)))
		return put_piece(node, e, from, to, s);
	let at = from;
	for (const word of node.data.slice(from, to).split(separator)) {
		const start = node.data.indexOf(word, at);
		if (/\S/.test(word))
			put_piece(node, e, start, start + word.length, s);
		at = start + word.length;
	}
};

const is_white = ch => ch === ' ' || ch === '\n' || ch === '\t' || ch === '\r' || ch === '\f';

const take_text = node => {
	const data = node.data, e = node.parentElement || node.getRootNode().host;
	let from = 0, to = data.length;
	while (from < to && is_white(data[from]))
		from++;
	while (from < to && is_white(data[to - 1]))
		to--;
	if (from === to || !e || /^(script|style|noscript|title|template)$/.test(e.localName))
		return;
	let box = box_of(node, from, to);
	const s = box && style_of(e);
	if (!box || !s.visible || s.opacity < 0.05)
		return;
	if (box.lines === 1)
		return put_line(node, e, from, to, s);
	const top = Math.max(0, s.clip.top), bottom = Math.min(now.height, s.clip.bottom);
	from = first_offset(from, to, i => {
		const b = box_of(node, i, to);
		return !b || b.bottom > top;
	});
	while (from < to && !now.more) {
		const start = from;
		const end = first_offset(start + 1, to, i => {
			const b = box_of(node, start, i + 1);
			return b && b.lines > 1;
		});
		box = box_of(node, start, end);
		if (box && box.top >= bottom)
			break;
		let last = end;
		while (last > start && is_white(data[last - 1]))
			last--;
		if (last > start)
			put_line(node, e, start, last, s);
		for (from = end; from < to && is_white(data[from]);)
			from++;
	}
};

/* ---- text that a style sheet adds ---- */

const content_text = (e, content) => {
	if (!content || content === 'none' || content === 'normal')
		return '';
	let text = '';
	for (const m of content.split(' / ')[0].matchAll(/"((?:[^"\\]|\\.)*)"|attr\(([\w-]+)\)/g))
		text += m[2] ? e.getAttribute(m[2]) || '' : m[1].replace(/\\(.)/g, '$1');
	return text;
};

/* The elements of a root that a rule gives a ::before or ::after: asking each for its style is slow. */
const PSEUDO = /::(before|after)\b/g;
const pseudo_selectors = (rules, out) => {
	for (const rule of rules) {
		const selector = rule.selectorText;
		if (selector && /::(before|after)/.test(selector))
			out.push(selector.includes('&') ? '*' : selector.replace(PSEUDO, ''));
		if (rule.cssRules && rule.cssRules.length > 0)
			pseudo_selectors(selector ? [...rule.cssRules].map(r => (/::(before|after)/.test(r.cssText) ? { selectorText: '&::before' } : {})) :
				rule.cssRules, out);
	}
	return out;
};

const with_pseudo = root => {
	const out = new Set();
	for (const list of [root.styleSheets, root.adoptedStyleSheets]) {
		for (const sheet_of_root of list) {
			if (sheet_of_root === sheet)
				continue;
			let selectors = ['*'];
			try {
				selectors = pseudo_selectors(sheet_of_root.cssRules, []);
			} catch { /* from another origin: any element */ }
			for (const selector of selectors) {
				try {
					/* A selector of nothing but the pseudo-element is one of everything. */
					for (const e of root.querySelectorAll(selector.replace(/(^|[\s>+~,(])(?=$|[\s,)])/g, '$1*')))
						out.add(e);
				} catch {
					root.querySelectorAll('*').forEach(e => out.add(e));
				}
			}
		}
	}
	return out;
};

const positioned_around = e => {
	while (e && style_of(e).c.position === 'static' && style_of(e).c.transform === 'none')
		e = parent_of(e);
	return e || document.documentElement;
};

const inner_box = (e, s) => {
	const r = e.getBoundingClientRect(), c = s.c;
	return { left: r.left + px(c.borderLeftWidth) + px(c.paddingLeft), top: r.top + px(c.borderTopWidth) + px(c.paddingTop),
		right: r.right - px(c.borderRightWidth) - px(c.paddingRight), bottom: r.bottom - px(c.borderBottomWidth) - px(c.paddingBottom) };
};

const pseudo_box = (e, s, c, text, is_first) => {
	const width = measure(text, c), line = px(c.lineHeight) || px(c.fontSize) * 1.2;
	if (c.position === 'absolute' || c.position === 'fixed') {
		const around = c.position === 'fixed' ? null : positioned_around(e), r = around ? around.getBoundingClientRect() : { left: 0, top: 0 };
		const m = new DOMMatrixReadOnly(c.transform === 'none' ? '' : c.transform);
		const w = px(c.width), h = px(c.height), centered = c.textAlign === 'center' || c.justifyContent === 'center';
		const left = r.left + (around ? around.clientLeft : 0) + px(c.left) + px(c.marginLeft) + px(c.borderLeftWidth) + px(c.paddingLeft) + m.e +
			(centered ? Math.max(0, (w - width) / 2) : 0);
		const top = r.top + (around ? around.clientTop : 0) + px(c.top) + px(c.marginTop) + px(c.borderTopWidth) + px(c.paddingTop) + m.f +
			(c.alignItems === 'center' || h < 1.5 * line ? (h - line) / 2 : 0);
		return { left, top, right: left + width, bottom: top + line };
	}
	range.selectNodeContents(e);
	const rects = [...range.getClientRects()].filter(r => r.width > 0), inside = inner_box(e, s);
	const room = (c.display === 'inline' ? width : px(c.width) || width);
	const gap = s.c.display.includes('flex') ? px(s.c.columnGap) : 0;
	const column = s.c.display.includes('flex') && s.c.flexDirection.startsWith('column');
	if (rects.length > 0 && c.display !== 'block' && !column) {
		const near = is_first ? rects[0] : rects[rects.length - 1];
		const left = is_first ? near.left - gap - room - px(c.marginRight) - px(c.paddingRight) : near.right + gap + px(c.marginLeft) + px(c.paddingLeft);
		const middle = (near.top + near.bottom) / 2;
		return { left, top: middle - line / 2, right: left + width, bottom: middle + line / 2 };
	}
	const centered = s.c.textAlign === 'center' || s.c.justifyContent === 'center';
	const left = inside.left + (centered ? Math.max(0, (inside.right - inside.left - width) / 2) : 0);
	const top = is_first || rects.length === 0 ? inside.top : Math.max(inside.top, inside.bottom - line);
	return { left, top, right: left + width, bottom: top + line };
};

const take_pseudo = (e, which) => {
	const c = getComputedStyle(e, which), content = c.content;
	if (content === 'none' || content === 'normal' || content === '""' || c.display === 'none')
		return;
	const text = transformed(content_text(e, content), c);
	if (!/\S/.test(text) || c.visibility !== 'visible')
		return;
	const s = style_of(e);
	put_extra(e, pseudo_box(e, s, c, text, which === '::before'), text,
		{ ...s, opacity: s.opacity * +c.opacity, bold: +c.fontWeight >= 600 }, 0, c.color);
};

/* ---- list markers ---- */

const BULLETS = { disc: '•', circle: '◦', square: '▪', 'disclosure-open': '▾', 'disclosure-closed': '▸' };
const letters = n => (n > 26 ? letters(Math.floor((n - 1) / 26)) : '') + String.fromCharCode(97 + (n - 1) % 26);
const roman = n => [[1000, 'm'], [900, 'cm'], [500, 'd'], [400, 'cd'], [100, 'c'], [90, 'xc'], [50, 'l'], [40, 'xl'], [10, 'x'], [9, 'ix'],
	[5, 'v'], [4, 'iv'], [1, 'i']].reduce((text, [value, digits]) => {
	for (; n >= value; n -= value)
		text += digits;
	return text;
}, '');
const NUMBERS = {
	decimal: String, 'decimal-leading-zero': n => String(n).padStart(2, '0'),
	'lower-alpha': letters, 'lower-latin': letters, 'upper-alpha': n => letters(n).toUpperCase(), 'upper-latin': n => letters(n).toUpperCase(),
	'lower-roman': roman, 'upper-roman': n => roman(n).toUpperCase(),
};

const ordinal = e => {
	const list = e.parentElement;
	let counts = list && now.ordinals.get(list);
	if (list && !counts) {
		const items = [...list.children].filter(i => i.localName === 'li'), step = list.reversed ? -1 : 1;
		let n = list.hasAttribute('start') ? list.start : list.reversed ? items.length : 1;
		counts = new Map();
		for (const i of items) {
			n = i.hasAttribute('value') ? i.value : n;
			counts.set(i, n);
			n += step;
		}
		now.ordinals.set(list, counts);
	}
	return (counts && counts.get(e)) || 1;
};

const take_marker = (e, s) => {
	const type = s.c.listStyleType;
	let text = content_text(e, getComputedStyle(e, '::marker').content);
	if (!text && type.startsWith('"'))
		text = content_text(e, type);
	else if (!text && BULLETS[type])
		text = BULLETS[type] + ' ';
	else if (!text && NUMBERS[type] && Math.abs(ordinal(e)) < 1e6)
		text = NUMBERS[type](ordinal(e)) + '. ';
	if (!text)
		return;
	const r = e.getBoundingClientRect(), inside = inner_box(e, s), width = measure(text, s.c);
	range.selectNodeContents(e);
	const first = range.getClientRects()[0];
	const top = first ? (first.top + first.bottom - line) / 2 : inside.top;
	const left = s.c.listStylePosition === 'inside' ? inside.left : r.left - width;
	/* It stands outside of the item's own box, and only the boxes around that cut it. */
	put_extra(e, { left, top, right: left + width, bottom: top + line }, text, { ...s, clip: s.clip_self });
};

/* ---- fields ---- */

const TYPED = /^(text|search|url|tel|email|number|password|date|time|datetime-local|month|week|file|)$/;

/* Lines of a textarea as the page breaks them: at spaces, or in a word that fills a line. */
const wrapped = (value, width, c) => {
	const lines = [];
	let start = 0;
	for (const line of value.split('\n')) {
		let from = 0;
		while (measure(line.slice(from), c) > width && lines.length < 2000) {
			let to = first_offset(from + 1, line.length, i => measure(line.slice(from, i + 1), c) > width);
			const space = line.lastIndexOf(' ', to);
			if (space > from && line[to] !== ' ')
				to = space + 1;
			else if (line[to] === ' ')
				to++;
			lines.push({ start: start + from, text: line.slice(from, to) });
			from = to;
		}
		lines.push({ start: start + from, text: line.slice(from) });
		start += line.length + 1;
	}
	return lines;
};

const put_field_line = (f, s, text, left, y, inside, css) => {
	const width = measure(text, s.c), from = first_offset(0, text.length, i => left + measure(text.slice(0, i), s.c) >= inside.left - 1);
	const to = left + width <= inside.right + 1 ? text.length :
		first_offset(from, text.length, i => left + measure(text.slice(0, i + 1), s.c) > inside.right + 1);
	const start = left + measure(text.slice(0, from), s.c);
	put_extra(f, { left: start, top: y, right: start + measure(text.slice(from, to), s.c), bottom: y + line }, text.slice(from, to), s, 0, css);
};

const take_typed = (f, s) => {
	const inside = inner_box(f, s), area = f.localName === 'textarea', focused = f.matches(':focus');
	let value = f.type === 'file' ? (f.files.length ? [...f.files].map(x => x.name).join(', ') : 'Choose file') : f.value, css = s.color;
	const end = f.type === 'number' || f.type === 'email' ? value.length : f.selectionDirection === 'backward' ? f.selectionStart : f.selectionEnd;
	if (f.type === 'password')
		value = '•'.repeat([...value].length);
	let text = value;
	if (!value && f.placeholder) {
		text = f.placeholder;
		css = getComputedStyle(f, '::placeholder').color;
	}
	const lines = area ? wrapped(text, inside.right - inside.left, s.c) : [{ start: 0, text: text.replace(/\n/g, ' ') }];
	let y = area ? inside.top - f.scrollTop : (inside.top + inside.bottom - line) / 2;
	const step = area ? px(s.c.lineHeight) || line : line;
	for (const { start, text: part } of lines) {
		const width = measure(part, s.c), spare = Math.max(0, inside.right - inside.left - width);
		const left = inside.left - f.scrollLeft + (s.c.textAlign === 'center' ? spare / 2 : /right|end/.test(s.c.textAlign) ? spare : 0);
		if (y + line > inside.top && y < inside.bottom && part)
			put_field_line(f, s, part, left, y, inside, css);
		if (focused && end !== null && (value ? end >= start && end <= start + part.length : start === 0))
			now.caret = [round(left + (value ? measure(part.slice(0, end - start), s.c) : 0)), round(y), step];
		y += step;
	}
};

const take_select = (f, s) => {
	if (f.multiple || f.size > 1) {
		for (const o of f.options) {
			const r = o.getBoundingClientRect();
			if (r.height > 0)
				put_extra(o, { left: r.left + column / 2, top: (r.top + r.bottom - line) / 2, right: r.right, bottom: (r.top + r.bottom + line) / 2 },
					(o.selected ? '▸ ' : '  ') + o.label, style_of(o));
		}
		return;
	}
	const inside = inner_box(f, s), y = (inside.top + inside.bottom - line) / 2;
	const chosen = f.selectedOptions[0], arrow = { left: inside.right - column, top: y, right: inside.right, bottom: y + line };
	if (s.c.appearance !== 'none')
		put_extra(f, arrow, '▾', s);
	if (chosen)
		put_field_line(f, s, chosen.label, inside.left, y, { ...inside, right: inside.right - (s.c.appearance !== 'none' ? 1.5 * column : 0) });
};

/* A share of a whole as ━━━━●─────: of each column it is known if it is filled. */
const put_bar = (e, s, share, knob) => {
	const r = inner_box(e, s), upright = r.bottom - r.top > 2 * (r.right - r.left);
	const size = upright ? line : column, from = Math.round((upright ? r.top : r.left) / size);
	const count = Math.max(2, Math.round((upright ? r.bottom : r.right) / size) - from);
	const backward = upright || s.c.direction === 'rtl';
	const at = knob ? Math.round(share * (count - 1)) : Math.round(share * count);
	const pieces = [[0, at, upright ? '┃' : '━'], [at, at + knob.length, knob], [at + knob.length, count, upright ? '│' : '─']];
	const accent = s.c.accentColor === 'auto' ? 'Highlight' : s.c.accentColor;
	for (const [i, [start, end, sign]] of pieces.entries()) {
		const first = from + (backward ? count - end : start), css = i < 2 ? accent : s.color;
		const dim = i < 2 ? s : { ...s, opacity: s.opacity * 0.45 };
		const middle = Math.round((r.left + r.right) / 2 / column - 0.5) * column, y = (r.top + r.bottom - line) / 2;
		if (!upright && end > start)
			put_extra(e, { left: first * size, top: y, right: (first + end - start) * size, bottom: y + line }, sign.repeat(end - start), dim, 0, css);
		for (let k = 0; upright && k < end - start; k++)
			put_extra(e, { left: middle, top: (first + k) * size, right: middle + column, bottom: (first + k + 1) * size }, sign, dim, 0, css);
	}
};

const take_meter = e => {
	const least = e.min || 0, share = e.localName === 'progress' ? e.position : (e.value - least) / (e.max - least || 1);
	put_bar(e, style_of(e), Math.min(1, Math.max(0, share)), '');
};

const take_field = f => {
	const s = style_of(f);
	if (!s.visible)
		return;
	now.fields.push([f, field_state(f)]);
	if (f.localName === 'select')
		return take_select(f, s);
	if (f.localName === 'textarea' || TYPED.test(f.type))
		return take_typed(f, s);
	const r = f.getBoundingClientRect(), y = (r.top + r.bottom - line) / 2, inside = inner_box(f, s);
	if (/^(button|submit|reset)$/.test(f.type)) {
		const text = f.value || { submit: 'Submit', reset: 'Reset' }[f.type] || '', width = measure(text, s.c);
		const left = Math.max(inside.left, (r.left + r.right - width) / 2);
		put_field_line(f, s, text, left, y, { ...inside, right: r.right });
	} else if (/^(checkbox|radio)$/.test(f.type)) {
		const marks = f.type === 'radio' ? '◯◉' : f.indeterminate ? '◪◪' : '☐☑';
		put_extra(f, { left: r.left, top: y, right: r.left + column, bottom: y + line }, marks[+f.checked], s);
	} else if (f.type === 'range') {
		const least = px(f.min), most = f.max === '' ? 100 : px(f.max);
		put_bar(f, s, most > least ? (f.value - least) / (most - least) : 0, '●');
	}
};

/* ---- what a click does something on ---- */

const ROLES = { a: 'link', button: 'button', select: 'combobox', textarea: 'textbox', summary: 'button', option: 'option' };
const INPUT_ROLES = { checkbox: 'checkbox', radio: 'radio', range: 'slider', number: 'spinbutton', button: 'button', submit: 'button', reset: 'button',
	image: 'button', color: 'button', file: 'button', search: 'searchbox' };
const ROLE_TAKES_CLICKS = /^(button|link|checkbox|radio|switch|tab|menuitem\w*|option|slider|combobox|textbox|searchbox|spinbutton|treeitem|gridcell)$/;

const role_of = (e, s) => {
	const given = (e.getAttribute('role') || '').split(' ')[0];
	if (ROLE_TAKES_CLICKS.test(given))
		return given;
	if (e.localName === 'input')
		return e.type === 'hidden' ? '' : INPUT_ROLES[e.type] || 'textbox';
	if (e.localName === 'a' && !e.hasAttribute('href') && !s.pointer)
		return '';
	if (ROLES[e.localName])
		return ROLES[e.localName];
	if (e.isContentEditable && !(e.parentElement && e.parentElement.isContentEditable))
		return 'textbox';
	if (e.hasAttribute('onclick') || (e.hasAttribute('tabindex') && e.tabIndex >= 0))
		return 'button';
	const above = parent_of(e);
	return s.pointer && !(above && style_of(above).pointer) ? e.localName === 'label' ? 'label' : 'button' : '';
};

const name_of = e => {
	const by = (e.getAttribute('aria-labelledby') || '').split(' ').map(id => id && e.getRootNode().getElementById(id)).filter(Boolean);
	const label = e.labels && e.labels[0];
	const text = e.getAttribute('aria-label') || by.map(x => x.textContent).join(' ') || (label && label.textContent) ||
		(REPLACED.test(e.localName) ? (/^(button|submit|reset)$/.test(e.type) && e.value) || e.placeholder : e.textContent) ||
		e.title || e.getAttribute('alt') || e.name || '';
	return String(text).slice(0, 4 * MOST.name).replace(/\s+/g, ' ').trim().slice(0, MOST.name);
};

const take_target = (e, s) => {
	const role = role_of(e, s);
	if (!role || !s.visible || s.c.pointerEvents === 'none')
		return;
	const r = e.getClientRects()[0] || e.getBoundingClientRect();
	const c = meet(meet(r, s.clip_self), { left: 0, top: 0, right: now.width, bottom: now.height });
	if (c.right - c.left < 2 || c.bottom - c.top < 2 || !can_be_hit(e, c))
		return;
	if (now.targets.length >= MOST.targets) {
		now.more = true;
		return;
	}
	const is = name => e.getAttribute('aria-' + name) === 'true';
	now.targets.push([round(c.left), round(c.top), round(c.right - c.left), round(c.bottom - c.top), role, name_of(e),
		(e.disabled || is('disabled') ? TARGET.disabled : 0) |
		(e.checked || is('checked') || is('pressed') || is('selected') ? TARGET.checked : 0) |
		(e.matches(':focus') ? TARGET.focused : 0) |
		(/box|spinbutton/.test(role) && role !== 'checkbox' && e.localName !== 'select' ? TARGET.editable : 0)]);
};

/* ---- boxes around text ---- */

const CONTROL = /^(button|input|select|textarea|summary)$/;
const SIDES = ['Top', 'Right', 'Bottom', 'Left'];

const has_own_text = e => {
	for (let n = e.firstChild; n; n = n.nextSibling)
		if (n.nodeType === Node.TEXT_NODE && /\S/.test(n.data))
			return true;
	return false;
};

/* An empty one among others of its height that have text, as in a heat map. */
const is_empty_tile = (e, r) => {
	const parent = e.parentElement;
	if (!parent || e.childElementCount > 0 || r.height <= line)
		return false;
	let heights = now.tiles.get(parent);
	if (!heights) {
		heights = new Set();
		for (const child of [...parent.children].slice(0, MOST.tiles))
			if (has_own_text(child))
				heights.add(Math.round(child.getBoundingClientRect().height));
		now.tiles.set(parent, heights);
	}
	return heights.has(Math.round(r.height));
};

const take_frame = (e, s, tag) => {
	const c = s.c, sides = SIDES.map(side => px(c[`border${side}Width`]) > 0 && color_of(c[`border${side}Color`])[1] > 0.05);
	const focused = e === now.active && e !== document.body && !e.isContentEditable;
	const has_ground = color_of(c.backgroundColor)[1] > 0.05 || c.backgroundImage !== 'none';
	if ((!sides.includes(true) && !has_ground && !focused) || !s.visible || s.opacity < 0.05)
		return;
	const r = e.getBoundingClientRect(), all = meet(r, s.clip_self);
	if (r.width < 4 || !overlap(all, { left: 0, top: 0, right: now.width, bottom: now.height }) || INKLESS.test(`${tag} ${e.type}`) && !focused)
		return;
	const field = /^(select|textarea)$/.test(tag) || (tag === 'input' && !/^(button|submit|reset|checkbox|radio|image)$/.test(e.type));
	const control = CONTROL.test(tag) || /^(button|tab|option|menuitem)$/.test(e.getAttribute('role'));
	const text = field || (control ? tag === 'input' || /\S/.test(e.textContent) : has_own_text(e) || (e.childElementCount > 0 && r.height > line) ||
		(has_ground && is_empty_tile(e, r)));
	if (seen(e, all) === 'none')
		return;
	if (now.frames.length >= MOST.frames) {
		now.more = true;
		return;
	}
	let flags = (control ? FRAME.control : 0) | (text && has_ground ? FRAME.ground : 0) | (focused ? FRAME.focused : 0) | (field ? FRAME.field : 0);
	const kept = [r.top >= all.top, r.right <= all.right, r.bottom <= all.bottom, r.left >= all.left];
	sides.forEach((drawn, i) => { flags |= drawn && kept[i] ? 1 << i : 0; });
	const [rgb, opacity] = color_of(c[`border${SIDES[Math.max(0, sides.indexOf(true))]}Color`]);
	now.frames.push([round(all.left), round(all.top), round(all.right - all.left), round(all.bottom - all.top), flags, rgb,
		Math.round(opacity * s.opacity * 255)]);
};

/* ---- pictures, and the text that a script draws ---- */

let canvas_text = null;
addEventListener('mcpane-canvas-text', event => { canvas_text = String(event.detail); }, true);
addEventListener('mcpane-canvas-changed', change, true);

/* For a screenshot the text becomes pixels, and then they go. */
let canvases = [];
const tell_canvases = what => canvases.forEach(e => e.dispatchEvent(new CustomEvent(what, { composed: true })));
/* A page is drawn by a process of its own: what changes is in the picture two frames later. */
const two_frames = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
globalThis.__undress = async () => {
	await two_frames(); /* with other fonts it may draw its canvases again */
	tell_canvases('mcpane-canvas-draw');
	await two_frames();
};
globalThis.__dress = () => tell_canvases('mcpane-canvas-clear');

const take_canvas_text = (e, s, r) => {
	canvases.push(e);
	canvas_text = null;
	e.dispatchEvent(new CustomEvent('mcpane-canvas-ask', { composed: true }));
	let rows = [];
	try {
		rows = canvas_text ? JSON.parse(canvas_text) : [];
	} catch { /* the app's own world wrote it */ }
	if (!Array.isArray(rows) || !e.width || !e.height)
		return;
	const kx = r.width / e.width, ky = r.height / e.height;
	for (const [x, y, width, text, css, bold, align] of rows.slice(0, MOST.text)) {
		const left = r.left + x * kx, middle = r.top + y * ky;
		put_extra(e, { left, top: middle - line / 2, right: left + width * kx, bottom: middle + line / 2 }, String(text).replace(/\s+/g, ' ').trim(),
			{ ...s, bold: !!bold, italic: false, underline: false, strike: false }, [0, TEXT.centered, TEXT.right][align] || 0,
			typeof css === 'string' ? css : s.color);
	}
};

const take_picture = e => {
	const s = style_of(e), r = e.getBoundingClientRect(), c = meet(r, s.clip_self);
	if (!s.visible || r.width < 4 || r.height < 4 || !overlap(c, { left: 0, top: 0, right: now.width, bottom: now.height }))
		return;
	if (now.boxes.length < MOST.boxes)
		now.boxes.push([round(c.left), round(c.top), round(c.right - c.left), round(c.bottom - c.top), e.localName]);
	if (e.localName === 'canvas')
		take_canvas_text(e, s, r);
	else if (e.localName === 'img' && e.alt && e.complete && !e.naturalWidth)
		put_extra(e, { left: r.left, top: r.top, right: r.left + measure(e.alt, s.c), bottom: r.top + line }, e.alt, s);
};

/* ---- the walk ---- */

/* Items of a long list that are far off the screen are skipped whole. */
const is_far = e => {
	if (!e.parentElement || e.parentElement.childElementCount < 100)
		return false;
	const r = e.getBoundingClientRect();
	return r.height > 0 && (r.bottom < -now.height || r.top > 2 * now.height);
};

const take_element = (e, pseudo) => {
	const tag = e.localName;
	if (/^(script|style|noscript|template|head|title|option)$/.test(tag) && !(tag === 'option' && e.closest('select:open')))
		return false;
	if (is_far(e))
		return false;
	const s = style_of(e);
	if (s.c.display === 'none')
		return false;
	take_target(e, s);
	if (!s.svg && s.c.display !== 'contents')
		take_frame(e, s, tag);
	if (/^(progress|meter)$/.test(tag)) {
		take_meter(e);
		return false;
	}
	if (/^(input|textarea|select)$/.test(tag)) {
		take_field(e);
		return tag === 'select' && e.matches(':open');
	}
	if (/^(canvas|img|video|svg)$/.test(tag))
		take_picture(e);
	if (e.shadowRoot)
		walk_root(e.shadowRoot);
	if (!s.svg) {
		if (s.c.display === 'list-item')
			take_marker(e, s);
		if (pseudo.has(e)) {
			take_pseudo(e, '::before');
			take_pseudo(e, '::after');
		}
	}
	return true;
};

const walk = (node, pseudo) => {
	for (let child = node.firstChild; child; child = child.nextSibling) {
		if (++now.nodes > MOST.nodes || (now.nodes % 256 === 0 && performance.now() > now.until)) {
			now.more = true;
			return;
		}
		if (child.nodeType === Node.TEXT_NODE)
			take_text(child);
		else if (child.nodeType === Node.ELEMENT_NODE && take_element(child, pseudo))
			walk(child, pseudo);
	}
};

const walk_root = root => {
	watch(root);
	walk(root, with_pseudo(root));
};

const take_selection_caret = () => {
	const selection = getSelection(), at = selection.rangeCount && selection.getRangeAt(0);
	if (!at || !at.collapsed || !document.activeElement || !document.activeElement.isContentEditable)
		return;
	const r = at.getClientRects()[0] || document.activeElement.getBoundingClientRect();
	now.caret = [round(r.left), round(r.top), round(r.height)];
};

globalThis.__begin = ({ style, line_height }) => {
	line = line_height;
	column = line / 2;
	if (style && !sheet) {
		sheet = new CSSStyleSheet();
		sheet.replaceSync(style);
	}
	watch(document);
	addEventListener('resize', change);
	document.fonts.addEventListener('loadingdone', change);
	document.addEventListener('selectionchange', change);
	dirty = true;
};

const look = started => {
	now = { width: innerWidth, height: innerHeight, text: [], boxes: [], frames: [], targets: [], active: document.activeElement, fields: [], caret: null, more: false, characters: 0, nodes: 0,
		styles: new Map(), ordinals: new Map(), tiles: new Map(), fronts: new Map(), stacks: new Map(), until: started + MOST.ms };
	dirty = false;
	canvases = [];
	if (document.body)
		walk_root(document);
	if (!now.caret)
		take_selection_caret();
};

globalThis.__collect = () => {
	if (answer && is_current())
		return answer;
	const started = performance.now(), root = document.scrollingElement || document.documentElement;
	look(started);
	if (dirty)
		look(started);
	fields = now.fields;
	collected_at = performance.now();
	const { width, height, text, boxes, frames, targets, caret, more } = now;
	now = null;
	answer = JSON.stringify({ width, height, text, boxes, frames, targets, caret,
		page: root ? [root.scrollWidth, root.scrollHeight, root.scrollLeft, root.scrollTop].map(round) : [width, height, 0, 0], more });
	globalThis.__collect_ms = collected_at - started;
	return answer;
};
})();
