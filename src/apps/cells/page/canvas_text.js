/*
 * Keeps the text that an app draws on a canvas from becoming pixels: it is remembered instead, and
 * given to the walker, which lives in another world, by events. Runs in the app's own world before
 * its scripts. measureText() gives the widths that the text has in cells, so charts make room for it.
 * column: the width of a cell in CSS pixels.
 */
(column => {
'use strict';

const MOST = 3000; /* pieces of text on one canvas */
const LEFT = 0, CENTER = 1, RIGHT = 2;
const prototype = CanvasRenderingContext2D.prototype;
const texts = new WeakMap(), scales = new WeakMap();
const shots = new WeakMap(); /* what was on a canvas before its text was drawn for a screenshot */
const { fillText, strokeText, clearRect, fillRect, measureText, reset, save, restore, setTransform, drawImage } = prototype;
let told = false;

const tell = () => {
	if (told)
		return;
	told = true;
	queueMicrotask(() => {
		told = false;
		dispatchEvent(new CustomEvent('mcpane-canvas-changed'));
	});
};

const NONE = /[\p{Mn}\p{Me}\p{Cf}]/u;
const WIDE = /[\u1100-\u115e\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const columns = text => {
	let sum = 0;
	for (const ch of text)
		sum += ch < '\u0300' ? 1 : NONE.test(ch) ? 0 : WIDE.test(ch) ? 2 : 1;
	return sum;
};

/* CSS pixels for one of the canvas; asking the page each time would lay it out each time. */
const scale_of = canvas => {
	const known = scales.get(canvas), t = performance.now();
	if (known && t < known.until && known.width === canvas.width)
		return known.scale;
	const r = canvas.isConnected ? canvas.getBoundingClientRect() : { width: 0 };
	const scale = r.width > 0 && canvas.width > 0 ? r.width / canvas.width : 1 / devicePixelRatio;
	scales.set(canvas, { scale, width: canvas.width, until: t + 200 });
	return scale;
};

const cell_width = (context, text) => {
	const m = context.getTransform(), zoom = Math.hypot(m.a, m.b) * scale_of(context.canvas);
	return zoom > 0 ? columns(text) * column / zoom : 0;
};

const shift_x = (context, width) => {
	const rtl = context.direction === 'rtl';
	switch (context.textAlign) {
	case 'center': return [-width / 2, CENTER];
	case 'right': return [-width, RIGHT];
	case 'end': return rtl ? [0, LEFT] : [-width, RIGHT];
	case 'start': return rtl ? [-width, RIGHT] : [0, LEFT];
	}
	return [0, LEFT];
};

const shift_y = context => {
	const size = parseFloat((/([\d.]+)px/.exec(context.font) || [0, 12])[1]);
	return { alphabetic: -0.35, ideographic: -0.35, top: 0.5, hanging: 0.5, bottom: -0.5 }[context.textBaseline] * size || 0;
};

/* What draws the text after all. */
const drawer = (context, text, x, y, most, style, outline) => {
	const m = context.getTransform(), font = context.font.replace(/MCPCell/g, 'sans-serif');
	const { textAlign, textBaseline, direction, globalAlpha, lineWidth } = context;
	return () => {
		save.call(context);
		setTransform.call(context, m);
		Object.assign(context, { font, textAlign, textBaseline, direction, globalAlpha, lineWidth,
			globalCompositeOperation: 'source-over', shadowColor: 'transparent', [outline ? 'strokeStyle' : 'fillStyle']: style });
		(outline ? strokeText : fillText).call(context, text, x, y, ...most);
		restore.call(context);
	};
};

/* Text that is turned stands level around its middle. */
const remember = (context, what, x, y, most, style, outline) => {
	const canvas = context.canvas, text = String(what);
	if (!(canvas instanceof HTMLCanvasElement) || !/\S/.test(text) || !Number.isFinite(+x) || !Number.isFinite(+y))
		return false;
	if (context.globalAlpha < 0.05)
		return true;
	const m = context.getTransform(), zoom = Math.hypot(m.a, m.b), width = cell_width(context, text);
	let [dx, align] = shift_x(context, width);
	const place = (px, py) => [m.a * px + m.c * py + m.e, m.b * px + m.d * py + m.f];
	let [left, middle] = place(+x + dx, +y + shift_y(context));
	if (Math.abs(Math.atan2(m.b, m.a)) > 0.05) {
		[left, middle] = place(+x + dx + width / 2, +y + shift_y(context));
		left -= width * zoom / 2;
		align = CENTER;
	}
	const list = texts.get(canvas) || [];
	const same = list.findIndex(t => t[3] === text && Math.abs(t[0] - left) < 3 && Math.abs(t[1] - middle) < 3);
	if (same >= 0 && outline)
		return true;
	if (same >= 0)
		list.splice(same, 1);
	if (list.length < MOST) {
		const piece = [left, middle, width * zoom, text.slice(0, 500), typeof style === 'string' ? style : null,
			/bold|[6-9]00/.test(context.font) ? 1 : 0, align];
		piece.draw = drawer(context, text, x, y, most, style, outline); /* JSON leaves it out */
		list.push(piece);
	}
	texts.set(canvas, list);
	tell();
	return true;
};

const forget = (context, x, y, width, height) => {
	const list = texts.get(context.canvas);
	if (!list || list.length === 0)
		return;
	const m = context.getTransform(), x0 = m.a * x + m.e, x1 = m.a * (x + width) + m.e, y0 = m.d * y + m.f, y1 = m.d * (y + height) + m.f;
	const inside = (at, a, b) => at >= Math.min(a, b) && at <= Math.max(a, b);
	texts.set(context.canvas, list.filter(t => !(inside(t[0] + t[2] / 2, x0, x1) && inside(t[1], y0, y1))));
	tell();
};

const forget_all = canvas => {
	texts.delete(canvas);
	tell();
};

/* Opaque paint covers text. */
const covers = context => context.globalAlpha > 0.9 && typeof context.fillStyle === 'string' && context.fillStyle.startsWith('#');

prototype.fillText = function (text, x, y, ...most) {
	if (!remember(this, text, x, y, most, this.fillStyle))
		fillText.call(this, text, x, y, ...most);
};
prototype.strokeText = function (text, x, y, ...most) {
	if (!remember(this, text, x, y, most, this.strokeStyle, true))
		strokeText.call(this, text, x, y, ...most);
};
prototype.clearRect = function (x, y, width, height) {
	forget(this, x, y, width, height);
	clearRect.call(this, x, y, width, height);
};
prototype.fillRect = function (x, y, width, height) {
	if (covers(this))
		forget(this, x, y, width, height);
	fillRect.call(this, x, y, width, height);
};
prototype.reset = function () {
	forget_all(this.canvas);
	reset.call(this);
};
prototype.measureText = function (text) {
	const metrics = measureText.call(this, text);
	if (this.canvas instanceof HTMLCanvasElement) {
		const width = cell_width(this, String(text)), [dx] = shift_x(this, width);
		for (const [name, value] of [['width', width], ['actualBoundingBoxLeft', -dx], ['actualBoundingBoxRight', width + dx]])
			Object.defineProperty(metrics, name, { value });
	}
	return metrics;
};
for (const side of ['width', 'height']) {
	const property = Object.getOwnPropertyDescriptor(HTMLCanvasElement.prototype, side);
	Object.defineProperty(HTMLCanvasElement.prototype, side, { ...property, set(value) {
		forget_all(this);
		property.set.call(this, value);
	} });
}

addEventListener('mcpane-canvas-draw', event => {
	const canvas = event.composedPath()[0], list = texts.get(canvas);
	if (!list || list.length === 0 || shots.has(canvas))
		return;
	const copy = new OffscreenCanvas(canvas.width, canvas.height);
	copy.getContext('2d').drawImage(canvas, 0, 0);
	shots.set(canvas, { copy, list, count: list.length });
	for (const piece of list)
		piece.draw();
}, true);
/* If the app has drawn meanwhile, what it has drawn stays. */
addEventListener('mcpane-canvas-clear', event => {
	const canvas = event.composedPath()[0], shot = shots.get(canvas), context = shot && canvas.getContext('2d');
	shots.delete(canvas);
	if (!context || texts.get(canvas) !== shot.list || shot.list.length !== shot.count)
		return;
	save.call(context);
	setTransform.call(context, 1, 0, 0, 1, 0, 0);
	Object.assign(context, { globalCompositeOperation: 'copy', globalAlpha: 1, shadowColor: 'transparent', filter: 'none' });
	drawImage.call(context, shot.copy, 0, 0);
	restore.call(context);
}, true);

addEventListener('mcpane-canvas-ask', event => {
	const canvas = event.composedPath()[0], list = texts.get(canvas);
	if (list && list.length > 0)
		canvas.dispatchEvent(new CustomEvent('mcpane-canvas-text', { composed: true, detail: JSON.stringify(list) }));
}, true);
})
