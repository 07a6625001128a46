/* SPDX-License-Identifier: MIT */
/* Apps in the real Chromium: what passes between them and us, and that nothing of it goes wrong or
 * stays. */
#include "apps/cells.h"
#include "base/mem.h"
#include "engine/parts.h"
#include "fixture.h"
#include "listeners.h"
#include "real_engine.h"
#include "test.h"

#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The app of most tests: sends the first message, shows messages it receives, and reports
 * events. */
#define APP_BEGIN                                                                                \
	"<!doctype html><meta charset=utf-8><style>body{margin:0}button{position:absolute;"      \
	"left:40px;top:40px;width:160px;height:48px}p{position:absolute;top:200px}</style>"      \
	"<button>press</button><input style='position:absolute;top:120px;left:40px'>"            \
	"<p>waiting</p><script>const tell=(what,more)=>parent.postMessage({jsonrpc:'2.0',"       \
	"method:what,params:more},'*');const p=document.querySelector('p');"                     \
	"document.querySelector('button').onclick=e=>tell('clicked',{x:e.clientX});"             \
	"document.querySelector('input').oninput=e=>tell('typed',e.target.value);"               \
	"document.querySelector('input').onfocus=()=>tell('focused',1);"                         \
	"document.onkeydown=e=>tell('key',e.key+' '+e.ctrlKey);"                                 \
	"onresize=()=>tell('resized',[innerWidth,innerHeight]);"                                 \
	"onmessage=e=>{p.textContent=e.data.text||'-';if(e.data.run)setTimeout(e.data.run,0);};" \
	"tell('hello',{dark:matchMedia('(prefers-color-scheme:dark)').matches});"
#define APP_END "</script>"
#define CSP                                                                                      \
	"default-src 'none'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' " \
	"'unsafe-inline'; img-src data:; font-src 'self'; connect-src 'none'; frame-src 'none'"

struct scene {
	struct loop *loop;
	struct engine *engine;
	struct app_view *view;
	struct buf messages; /* one line each */
	struct buf notes;    /* "KIND|level|text|url|directive" */
	char *text;          /* of the last frame */
	size_t frames;
	int clicks;
	int picture_width, picture_height;
	int red; /* of the last pixel of the picture */
	bool holds_frames;
	struct buf png;
	char problem[128];
	bool answered;
};

static void
on_message(void *user, const char *json, size_t len)
{
	struct scene *s = user;

	buf_add(&s->messages, json, len);
	buf_add_char(&s->messages, '\n');
}

static unsigned
big_endian(const char *at)
{
	const unsigned char *p = (const unsigned char *)at;

	return (unsigned)p[0] << 24 | (unsigned)p[1] << 16 | (unsigned)p[2] << 8 | p[3];
}

static void
on_frame(void *user, const struct app_view_frame *frame)
{
	struct scene *s = user;

	struct picture picture;
	struct err err;

	s->frames++;
	assert_true(app_frame_decode(frame->png, frame->png_len, &picture, &err));
	s->picture_width = picture.width;
	s->picture_height = picture.height;
	s->red = picture.rgba[((size_t)picture.width * (size_t)picture.height - 1) * 4];
	picture_finish(&picture);
	free(s->text);
	s->text = mem_strdup(frame->text);
	if (!s->holds_frames)
		app_view_drawn(s->view);
}

static void
on_note(void *user, const struct app_view_note *note)
{
	struct scene *s = user;

	buf_addf(&s->notes, "%d|%s|%s|%s|%s\n", note->kind, note->level, note->text, note->url,
	    note->directive);
}

static const struct app_view_options *
usual(const char *html)
{
	static struct app_view_options options;

	options = (struct app_view_options){ .html = html,
		.html_len = strlen(html),
		.csp = CSP,
		.size = { 640, 320, 160, 80 },
		.dark = true,
		.world_script = "globalThis.collect=()=>document.body.innerText",
		.collect = "collect()" };
	return &options;
}

static void
scene_init(struct scene *s, const struct engine_options *options)
{
	static const struct engine_options none;

	*s = (struct scene){ .loop = loop_create(NULL, NULL, NULL) };
	s->engine = engine_create(s->loop, options ? options : &none, NULL);
}

static void
scene_open(struct scene *s, const struct app_view_options *options)
{
	struct app_view_events events = {
		.user = s, .on_message = on_message, .on_frame = on_frame, .on_note = on_note
	};

	s->view = app_view_open(s->engine, options, &events);
}

static void
scene_finish(struct scene *s)
{
	pid_t pid = engine_status(s->engine)->pid;

	app_view_close(s->view);
	engine_destroy(s->engine);
	if (pid)
		TURN_UNTIL(s->loop, group_is_gone(pid));
	child_end_all(s->loop);
	loop_destroy(s->loop);
	buf_finish(&s->messages);
	buf_finish(&s->notes);
	buf_finish(&s->png);
	free(s->text);
}

/* Another life of it. */
static void
scene_open_again(struct scene *s)
{
	app_view_close(s->view);
	scene_open(s, usual(APP_BEGIN APP_END));
}

#define heard(s, what) (strstr(buf_text(&(s)->messages), (what)) != NULL)
#define noted(s, what) (strstr(buf_text(&(s)->notes), (what)) != NULL)
#define shows(s, what) ((s)->text && strstr((s)->text, (what)) != NULL)
#define state(s) (app_view_status((s)->view)->state)

static void
post(struct scene *s, const char *json)
{
	app_view_post(s->view, json, strlen(json));
}

/* The usual app, after its hello. */
static void
scene_start(struct scene *s, const struct engine_options *options)
{
	scene_init(s, options);
	scene_open(s, usual(APP_BEGIN APP_END));
	TURN_UNTIL(s->loop,
	    state(s) != APP_VIEW_OPENING && (heard(s, "hello") || state(s) == APP_VIEW_FAILED));
	assert_string_equal(app_view_status(s->view)->reason, "");
	TURN_UNTIL(s->loop, shows(s, "waiting"));
}

static void
test_app_speaks_and_is_answered(void **unused)
{
	struct scene s;

	scene_start(&s, NULL);
	assert_true(
	    heard(&s, "{\"jsonrpc\":\"2.0\",\"method\":\"hello\",\"params\":{\"dark\":true}}"));
	assert_int_equal(s.picture_width, 160);
	assert_int_equal(s.picture_height, 80);
	post(&s, "{\"text\":\"\\u00fc \\ud83d\\ude00 \\\"quoted\\\" \\u2028\"}");
	TURN_UNTIL(s.loop, shows(&s, "\xc3\xbc \xf0\x9f\x98\x80 \"quoted\""));
	if (getenv("TIMES")) {
		const struct app_view_status *v = app_view_status(s.view);
		const struct engine_status *e = engine_status(s.engine);
		fprintf(stderr, "engine %d ms, loaded after %d ms, %lld MiB\n", e->start_took_ms,
		    v->took_ms, (long long)(e->memory_bytes >> 20));
	}
	scene_finish(&s);
}

static void
click(struct scene *s, int x, int y)
{
	static const enum app_view_mouse_kind steps[] = { APP_VIEW_MOVE, APP_VIEW_PRESS,
		APP_VIEW_RELEASE };

	for (size_t i = 0; i < 3; i++)
		app_view_mouse(s->view,
		    &(struct app_view_mouse){
			.kind = steps[i], .x = x, .y = y, .button = i > 0, .clicks = i > 0 });
}

/* Chromium loses clicks until it has composed the page for the first time. */
#define CLICK_UNTIL(s, x, y, condition)                         \
	for (int64_t again_ms = 0, at_ms; !(condition);) {      \
		at_ms = clock_now_ms();                         \
		assert_true(again_ms == 0 || (s)->clicks < 50); \
		if (at_ms >= again_ms) {                        \
			click((s), (x), (y));                   \
			(s)->clicks++;                          \
			again_ms = at_ms + 200;                 \
		}                                               \
		loop_turn((s)->loop, 20);                       \
	}

static void
test_input_reaches_the_app(void **unused)
{
	struct scene s;

	scene_start(&s, NULL);
	CLICK_UNTIL(&s, 100, 64, heard(&s, "\"clicked\",\"params\":{\"x\":100}"));
	click(&s, 60, 128);
	TURN_UNTIL(s.loop, heard(&s, "focused"));
	app_view_text(s.view, "h\xc3\xa9 \xe6\x97\xa5\"", strlen("h\xc3\xa9 \xe6\x97\xa5\""));
	TURN_UNTIL(s.loop, heard(&s, "\"typed\",\"params\":\"h\xc3\xa9 \xe6\x97\xa5\\\"\""));
	assert_true(app_view_key(s.view, "Backspace", 0));
	TURN_UNTIL(s.loop, heard(&s, "\"params\":\"h\xc3\xa9 \xe6\x97\xa5\""));
	assert_true(app_view_key(s.view, "a", APP_VIEW_CTRL));
	TURN_UNTIL(s.loop, heard(&s, "\"a true\""));
	assert_true(app_view_key(s.view, "x", 0));
	TURN_UNTIL(s.loop, heard(&s, "\"typed\",\"params\":\"x\""));
	assert_true(app_view_key(s.view, "ArrowLeft", 0));
	TURN_UNTIL(s.loop, heard(&s, "ArrowLeft false"));
	assert_false(app_view_key(s.view, "NoSuchKey", 0));
	scene_finish(&s);
}

static void
test_resize_and_theme(void **unused)
{
	struct scene s;

	scene_start(&s, NULL);
	app_view_resize(s.view, &(struct app_view_size){ 800, 480, 200, 120 });
	TURN_UNTIL(s.loop, heard(&s, "\"resized\",\"params\":[800,480]"));
	TURN_UNTIL(s.loop, s.picture_width == 200 && s.picture_height == 120);
	app_view_set_dark(s.view, false);
	post(&s, "{\"run\":\"tell('dark',matchMedia('(prefers-color-scheme:dark)').matches)\"}");
	TURN_UNTIL(s.loop, heard(&s, "\"dark\",\"params\":false"));
	scene_finish(&s);
}

/* No frame comes before the last one was drawn, and none without a change. */
static void
test_pictures_wait_for_the_terminal(void **unused)
{
	struct scene s;

	scene_start(&s, NULL);
	s.holds_frames = true;
	size_t before = s.frames;
	post(&s, "{\"run\":\"let n=0;setInterval(()=>{p.textContent='count '+n++},10)\"}");
	TURN_UNTIL(s.loop, s.frames == before + 1);
	int64_t end_ms = clock_now_ms() + 500;
	while (clock_now_ms() < end_ms)
		loop_turn(s.loop, 20);
	assert_int_equal(s.frames, before + 1);
	s.holds_frames = false;
	app_view_drawn(s.view);
	TURN_UNTIL(s.loop, s.frames > before + 5);
	app_view_show(s.view, false);
	post(&s, "{\"run\":\"tell('quiet',1)\"}");
	TURN_UNTIL(s.loop, heard(&s, "quiet"));
	before = s.frames;
	end_ms = clock_now_ms() + 300;
	while (clock_now_ms() < end_ms)
		loop_turn(s.loop, 20);
	assert_int_equal(s.frames, before);
	app_view_show(s.view, true);
	TURN_UNTIL(s.loop, s.frames > before + 3);
	scene_finish(&s);
}

/* Reads until the app says that, as one who is kept from his loop does: nothing is answered. */
static void
feed_at_once(struct scene *s, const char *what)
{
	struct devtools *d = &s->engine->devtools;
	struct buf bytes = { .max = DEVTOOLS_IN_MAX };
	int64_t end_ms = clock_now_ms() + fixture_deadline_ms();
	char part[65536];

	while (bytes.len == 0 || !memmem(bytes.data, bytes.len, what, strlen(what))) {
		ssize_t n = read(d->fd, part, sizeof(part));
		if (n > 0)
			buf_add(&bytes, part, (size_t)n);
		else
			poll(&(struct pollfd){ .fd = d->fd, .events = POLLIN }, 1, 20);
		assert_true(clock_now_ms() < end_ms);
	}
	devtools_feed(d, bytes.data, bytes.len);
	buf_finish(&bytes);
}

/* Chromium drops pictures while three are unconfirmed, even the last. */
static void
test_last_picture_of_many_comes(void **unused)
{
	struct scene s;

	scene_start(&s, NULL);
	post(&s,
	    "{\"run\":\"let n=0;const step=()=>{document.body.style.background="
	    "`rgb(${n*2} 0 0)`;n++<100?requestAnimationFrame(step):tell('moved',1)};step()\"}");
	feed_at_once(&s, "moved");
	TURN_UNTIL(s.loop, s.red == 200);
	scene_finish(&s);
}

/* They wait until the app can take them. */
static void
test_keys_reach_an_app_that_opens(void **unused)
{
	struct scene s;

	scene_init(&s, NULL);
	scene_open(&s, usual(APP_BEGIN APP_END));
	for (const char *const *key = (const char *const[]){ "Tab", "a", "Tab", "b", NULL }; *key;
	     key++)
		assert_true(app_view_key(s.view, *key, 0));
	TURN_UNTIL(s.loop, heard(&s, "\"typed\",\"params\":\"b\""));
	assert_true(heard(&s, "a false"));
	scene_finish(&s);
}

/* In cells mode the engine draws no text, but a change of text is reported as a change of the
 * page. */
static void
test_unseen_text_makes_pictures(void **unused)
{
	struct app_view_options options = *usual(APP_BEGIN APP_END);
	struct scene s;

	options.style = "*{-webkit-text-fill-color:transparent!important;font-size:19px!important}"
			"@font-face{font-family:F;src:url(/f.ttf)}p{font-family:F!important}";
	options.file_path = "/f.ttf";
	options.file_type = "font/ttf";
	options.file = "no font";
	options.file_len = strlen(options.file);
	scene_init(&s, NULL);
	scene_open(&s, &options);
	TURN_UNTIL(s.loop, shows(&s, "waiting"));
	post(&s, "{\"text\":\"other words\"}");
	TURN_UNTIL(s.loop, shows(&s, "other words"));
	post(&s, "{\"run\":\"tell('size',getComputedStyle(p).fontSize)\"}");
	TURN_UNTIL(s.loop, heard(&s, "\"19px\""));
	assert_false(noted(&s, "|Font|")); /* it was served */
	scene_finish(&s);
}

static void
test_what_is_refused_is_told(void **unused)
{
	struct scene s;

	scene_start(&s, NULL);
	post(&s,
	    "{\"run\":\"console.warn('careful',7,{a:1});setTimeout(()=>{throw new "
	    "Error('oops')},0);fetch('https://example.com/x').catch(()=>0);new "
	    "Image().src='https://example.com/i.png';window.open('https://example.com/pop')\"}");
	TURN_UNTIL(s.loop, noted(&s, "|warning|careful 7"));
	TURN_UNTIL(s.loop, noted(&s, "Error: oops"));
	TURN_UNTIL(s.loop, noted(&s, "https://example.com/x|connect-src"));
	TURN_UNTIL(s.loop, noted(&s, "https://example.com/i.png|img-src"));
	TURN_UNTIL(s.loop, noted(&s, "https://example.com/pop"));
	scene_finish(&s);
}

static void
test_leaving_the_app_is_told(void **unused)
{
	struct scene s;

	scene_start(&s, NULL);
	post(&s, "{\"run\":\"location.href='https://example.com/away'\"}");
	TURN_UNTIL(s.loop, state(&s) == APP_VIEW_FAILED);
	assert_true(noted(&s, "https://example.com/away"));
	assert_string_equal(app_view_status(s.view)->reason,
	    "the app has left its page for https://example.com/away");
	buf_clear(&s.messages);
	scene_open_again(&s);
	TURN_UNTIL(s.loop, state(&s) == APP_VIEW_RUNNING && heard(&s, "hello"));
	buf_clear(&s.messages);
	post(&s, "{\"run\":\"location.reload()\"}");
	TURN_UNTIL(s.loop, heard(&s, "hello") && shows(&s, "waiting"));
	assert_int_equal(state(&s), APP_VIEW_RUNNING);
	scene_finish(&s);
}

/* A policy that allows a host does not open the network to it. */
static void
test_no_request_leaves(void **unused)
{
	struct app_view_options options =
	    *usual(APP_BEGIN "fetch('https://example.com/x').catch(e=>tell('failed',String(e)));"
			     "fetch('/other').catch(e=>tell('other',String(e)));" APP_END);
	struct scene s;

	options.csp = "default-src 'unsafe-inline'; connect-src 'self' https://example.com";
	scene_init(&s, NULL);
	scene_open(&s, &options);
	TURN_UNTIL(s.loop, heard(&s, "failed") && heard(&s, "\"other\""));
	assert_true(noted(&s, "https://example.com/x|"));
	assert_true(noted(&s, ".invalid/other|"));
	scene_finish(&s);
}

/* With a policy that allows everything, no API that bypasses the policy reaches this machine. */
static void
test_nothing_reaches_loopback(void **unused)
{
	struct app_view_options options;
	struct scene s;
	struct listeners outside;

	listeners_open(&outside);
	char *html = mem_printf(APP_BEGIN
	    "const h='127.0.0.1:%d';fetch('https://'+h).catch(()=>0);new Image().src='https://'+h;"
	    "const w=new WebSocket('wss://'+h);w.onclose=()=>tell('closed',1);"
	    "const l=document.createElement('link');l.rel='preconnect';l.href='https://'+h;"
	    "document.head.append(l);const c=new RTCPeerConnection({iceServers:[{urls:"
	    "'stun:127.0.0.1:%d'}]});c.createDataChannel('x');"
	    "c.createOffer().then(o=>c.setLocalDescription(o)).then(()=>setTimeout(()=>"
	    "tell('tried',1),500));" APP_END,
	    outside.tcp_port, outside.udp_port);
	options = *usual(html);
	options.csp = "default-src * 'unsafe-inline'; connect-src * wss:";
	scene_init(&s, NULL);
	scene_open(&s, &options);
	TURN_UNTIL(s.loop, heard(&s, "closed") && heard(&s, "tried"));
	listeners_assert_quiet(&outside);
	listeners_close(&outside);
	free(html);
	scene_finish(&s);
}

static void
test_endless_loop_is_ended(void **unused)
{
	struct scene s, other;

	scene_start(&s, NULL);
	other = (struct scene){ .loop = s.loop, .engine = s.engine };
	post(&s, "{\"run\":\"tell('loops',1);setTimeout(()=>{for(;;);},50)\"}");
	TURN_UNTIL(s.loop, heard(&s, "loops"));
	/* Another app opens and runs meanwhile. */
	scene_open(&other, usual(APP_BEGIN APP_END));
	TURN_UNTIL(s.loop, shows(&other, "waiting"));
	TURN_UNTIL(s.loop, app_view_status(s.view)->hung);
	app_view_terminate_script(s.view);
	TURN_UNTIL(s.loop, !app_view_status(s.view)->hung);
	post(&s, "{\"text\":\"lives\"}");
	TURN_UNTIL(s.loop, shows(&s, "lives"));
	app_view_close(other.view);
	buf_finish(&other.messages);
	buf_finish(&other.notes);
	free(other.text);
	scene_finish(&s);
}

static void
test_another_life_knows_nothing(void **unused)
{
	struct scene s;

	scene_start(&s, NULL);
	char *origin = mem_strdup(app_view_status(s.view)->origin);
	post(&s, "{\"run\":\"localStorage.x=1;tell('stored',localStorage.x)\"}");
	TURN_UNTIL(s.loop, heard(&s, "\"stored\",\"params\":\"1\""));
	buf_clear(&s.messages);
	scene_open_again(&s);
	TURN_UNTIL(s.loop, state(&s) == APP_VIEW_RUNNING && heard(&s, "hello"));
	assert_string_not_equal(app_view_status(s.view)->origin, origin);
	post(&s, "{\"run\":\"tell('kept',localStorage.x)\"}");
	TURN_UNTIL(s.loop, heard(&s, "\"method\":\"kept\"}"));
	free(origin);
	scene_finish(&s);
}

static void
on_png(void *user, const char *png, size_t len, const char *problem)
{
	struct scene *s = user;

	s->answered = true;
	snprintf(s->problem, sizeof(s->problem), "%s", problem ? problem : "");
	buf_add(&s->png, png ? png : "", len);
}

static void
on_nodes(void *user, const cJSON *nodes, const char *problem)
{
	struct scene *s = user;

	s->answered = true;
	for (const cJSON *n = json_first(nodes); n; n = n->next)
		if (strcmp(json_get_string(json_get(n, "role"), "value"), "button") == 0)
			snprintf(s->problem, sizeof(s->problem), "%s",
			    json_get_string(json_get(n, "name"), "value"));
}

static void
test_screenshot_and_reader(void **unused)
{
	struct scene s;

	scene_start(&s, NULL);
	app_view_screenshot(s.view, on_png, &s);
	TURN_UNTIL(s.loop, s.answered);
	assert_string_equal(s.problem, "");
	assert_true(s.png.len > 24);
	assert_int_equal(big_endian(s.png.data + 16), 640);
	s.answered = false;
	app_view_reader(s.view, on_nodes, &s);
	TURN_UNTIL(s.loop, s.answered);
	assert_string_equal(s.problem, "press");
	scene_finish(&s);
}

/* ---- trouble ---- */

static void
ignore_exit(void *user, const struct child_status *status)
{
}

struct found {
	pid_t pids[64];
	size_t count;
};

/* The processes of the engine, by their command line: TYPE is "renderer", or NULL for all. */
static struct found
find_processes(pid_t group, const char *type)
{
	struct found found = { .count = 0 };
	DIR *proc = opendir("/proc");

	assert_non_null(proc);
	for (const struct dirent *e = readdir(proc); e && found.count < 64; e = readdir(proc)) {
		pid_t pid = (pid_t)strtol(e->d_name, NULL, 10);
		char path[64], line[4096] = "";
		if (pid <= 0 || getpgid(pid) != group)
			continue;
		snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
		FILE *f = fopen(path, "r");
		size_t len = f ? fread(line, 1, sizeof(line) - 1, f) : 0;
		if (f)
			fclose(f);
		if (!type || memmem(line, len, type, strlen(type)))
			found.pids[found.count++] = pid;
	}
	closedir(proc);
	return found;
}

static void
read_status(pid_t pid, const char *file, char *out, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, file);
	FILE *f = fopen(path, "r");
	size_t len = f ? fread(out, 1, size - 1, f) : 0;
	out[len] = '\0';
	if (f)
		fclose(f);
}

static void
read_namespace(pid_t pid, const char *name, char *out, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/%s", (int)pid, name);
	ssize_t len = readlink(path, out, size - 1);
	out[len > 0 ? len : 0] = '\0';
}

/* Every process of it: not root, no network, not our mounts, no environment of ours; renderers with
 * Chromium's own sandbox too. */
static void
test_what_runs_is_confined(void **unused)
{
	struct scene s;
	char ours[64], its[64], text[4096];

	setenv("MCPANE_TEST_SECRET", "treasure", 1);
	scene_start(&s, NULL);
	assert_string_equal(engine_status(s.engine)->network, "none: a separate network namespace");
	pid_t group = engine_status(s.engine)->pid;
	struct found all = find_processes(group, NULL),
		     renderers = find_processes(group, "--type=renderer");
	assert_true(all.count >= 3);
	assert_true(renderers.count >= 1);
	for (size_t i = 0; i < all.count; i++) {
		read_namespace(getpid(), "net", ours, sizeof(ours));
		read_namespace(all.pids[i], "net", its, sizeof(its));
		assert_string_not_equal(ours, its);
		read_status(all.pids[i], "environ", text, sizeof(text));
		assert_null(memmem(text, sizeof(text), "treasure", strlen("treasure")));
		read_status(all.pids[i], "status", text, sizeof(text));
		if (getuid() == 0)
			assert_non_null(strstr(text, "\nUid:\t65534\t65534\t65534\t65534\n"));
		assert_null(memmem(text, sizeof(text), "--no-sandbox", strlen("--no-sandbox")));
	}
	for (size_t i = 0; i < renderers.count; i++) {
		read_status(renderers.pids[i], "status", text, sizeof(text));
		assert_non_null(strstr(text, "\nSeccomp:\t2\n"));
		assert_non_null(strstr(text, "\nNoNewPrivs:\t1\n"));
	}
	/* The browser sees neither the users' folders nor our temporary files. */
	snprintf(text, sizeof(text), "/proc/%d/root/tmp", (int)group);
	DIR *hidden = opendir(text);
	assert_non_null(hidden);
	size_t count = 0;
	while (readdir(hidden))
		count++;
	assert_int_equal(count, 2);
	closedir(hidden);
	scene_finish(&s);
}

static void
test_crash_is_told(void **unused)
{
	struct scene s;

	scene_start(&s, NULL);
	struct found renderers = find_processes(engine_status(s.engine)->pid, "--type=renderer");
	for (size_t i = 0; i < renderers.count; i++)
		kill(renderers.pids[i], SIGKILL);
	TURN_UNTIL(s.loop, state(&s) == APP_VIEW_FAILED);
	assert_string_equal(app_view_status(s.view)->reason, "the app has crashed");
	buf_clear(&s.messages);
	scene_open_again(&s);
	TURN_UNTIL(s.loop, state(&s) == APP_VIEW_RUNNING && heard(&s, "hello"));
	scene_finish(&s);
}

static void
test_killed_engine_is_told_and_starts_again(void **unused)
{
	struct scene s;

	scene_start(&s, NULL);
	pid_t pid = engine_status(s.engine)->pid;
	kill(pid, SIGKILL);
	TURN_UNTIL(s.loop, state(&s) == APP_VIEW_FAILED);
	assert_string_equal(
	    app_view_status(s.view)->reason, "Chromium has ended: killed by SIGKILL");
	assert_int_equal(engine_status(s.engine)->state, ENGINE_FAILED);
	TURN_UNTIL(s.loop, group_is_gone(pid));
	buf_clear(&s.messages);
	scene_open_again(&s);
	TURN_UNTIL(s.loop, state(&s) == APP_VIEW_RUNNING && heard(&s, "hello"));
	assert_int_not_equal(engine_status(s.engine)->pid, pid);
	scene_finish(&s);
}

static void
test_memory_bomb_is_stopped(void **unused)
{
	struct engine_options options = { .max_memory_mib = 400 };
	struct scene s, other;

	scene_start(&s, &options);
	other = (struct scene){ .loop = s.loop, .engine = s.engine };
	scene_open(&other, usual(APP_BEGIN APP_END));
	TURN_UNTIL(s.loop, shows(&other, "waiting"));
	post(&s,
	    "{\"run\":\"const a=[];setInterval(()=>{a.push(new Uint8Array(8<<20).fill(1))},5)\"}");
	TURN_UNTIL(s.loop, state(&s) == APP_VIEW_FAILED);
	assert_string_equal(app_view_status(s.view)->reason,
	    "the app used too much memory (400 MiB are allowed), and was ended");
	assert_int_equal(state(&other), APP_VIEW_RUNNING);
	post(&other, "{\"text\":\"lives\"}");
	TURN_UNTIL(s.loop, shows(&other, "lives"));
	app_view_close(other.view);
	buf_finish(&other.messages);
	buf_finish(&other.notes);
	free(other.text);
	scene_finish(&s);
}

static void
test_flood_is_ended(void **unused)
{
	struct scene s;

	scene_start(&s, NULL);
	post(&s, "{\"run\":\"for(let i=0;i<60000;i++)tell('flood',i)\"}");
	TURN_UNTIL(s.loop, state(&s) == APP_VIEW_FAILED);
	assert_non_null(strstr(app_view_status(s.view)->reason, "messages in a second"));
	scene_finish(&s);
}

static void
test_huge_message_is_dropped(void **unused)
{
	struct scene s;

	scene_start(&s, NULL);
	post(&s, "{\"run\":\"tell('huge','x'.repeat(20<<20));tell('after',1)\"}");
	TURN_UNTIL(s.loop, heard(&s, "after"));
	assert_true(noted(&s, "a message of 209715"));
	assert_false(heard(&s, "huge"));
	scene_finish(&s);
}

static void
test_idle_engine_ends(void **unused)
{
	struct engine_options options = { .idle_ms = 200 };
	struct scene s;

	scene_start(&s, &options);
	pid_t pid = engine_status(s.engine)->pid;
	app_view_close(s.view);
	s.view = NULL;
	TURN_UNTIL(s.loop, engine_status(s.engine)->state == ENGINE_STOPPED);
	TURN_UNTIL(s.loop, group_is_gone(pid));
	scene_finish(&s);
}

/* Without namespaces the engine still runs, in Chromium's own sandbox, and its folder is
 * removed. */
static void
test_without_namespaces(void **unused)
{
	struct engine_process p = { .fence = FENCE_PLAIN, .on_exit = ignore_exit };
	struct engine_options options = { 0 };
	char *program = engine_find(NULL, NULL);
	struct scene s;
	char text[4096];

	struct loop *loop = loop_create(NULL, NULL, NULL);
	assert_true(engine_launch(&p, loop, program, NULL));
	options.peer = p.socket;
	s = (struct scene){ .loop = loop, .engine = engine_create(loop, &options, NULL) };
	scene_open(&s, usual(APP_BEGIN APP_END));
	TURN_UNTIL(s.loop, shows(&s, "waiting"));
	assert_int_equal(access(p.folder.path, F_OK), 0);
	struct found renderers = find_processes(child_pid(p.child), "--type=renderer");
	assert_true(renderers.count > 0);
	read_status(renderers.pids[0], "status", text, sizeof(text));
	assert_non_null(strstr(text, "\nSeccomp:\t2\n"));
	char *folder = mem_strdup(p.folder.path);
	pid_t pid = child_pid(p.child);
	engine_process_finish(&p);
	assert_int_not_equal(access(folder, F_OK), 0);
	TURN_UNTIL(s.loop, group_is_gone(pid));
	free(folder);
	free(program);
	scene_finish(&s);
}

static size_t
folders_left(const char *parent)
{
	DIR *list = opendir(parent);
	size_t count = 0;

	assert_non_null(list);
	for (const struct dirent *e = readdir(list); e; e = readdir(list))
		count += strncmp(e->d_name, "mcpane-", strlen("mcpane-")) == 0;
	closedir(list);
	return count;
}

/* A process that runs an app is killed: nothing of it stays. */
static void
test_nothing_stays_after_sigkill(void **unused)
{
	char folder[] = "/tmp/engine-left-XXXXXX";
	int ends[2];
	pid_t engine = 0;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();
	if (pid == 0) {
		struct scene s;
		setenv("TMPDIR", folder, 1);
		scene_start(&s, NULL);
		pid_t group = engine_status(s.engine)->pid;
		if (write(ends[1], &group, sizeof(group)) != sizeof(group))
			_exit(1);
		loop_run(s.loop);
		_exit(0);
	}
	assert_int_equal(read(ends[0], &engine, sizeof(engine)), sizeof(engine));
	assert_true(find_processes(engine, NULL).count >= 3);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	int64_t until_ms = clock_now_ms() + fixture_deadline_ms();
	while (!group_is_gone(engine) && clock_now_ms() < until_ms)
		usleep(10000);
	assert_true(group_is_gone(engine));
	assert_int_equal(folders_left(folder), 0);
	assert_int_equal(rmdir(folder), 0);
	close(ends[0]);
	close(ends[1]);
}

TEST_FILE(engine)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_app_speaks_and_is_answered),
		cmocka_unit_test(test_input_reaches_the_app),
		cmocka_unit_test(test_resize_and_theme),
		cmocka_unit_test(test_pictures_wait_for_the_terminal),
		cmocka_unit_test(test_last_picture_of_many_comes),
		cmocka_unit_test(test_keys_reach_an_app_that_opens),
		cmocka_unit_test(test_unseen_text_makes_pictures),
		cmocka_unit_test(test_what_is_refused_is_told),
		cmocka_unit_test(test_leaving_the_app_is_told),
		cmocka_unit_test(test_no_request_leaves),
		cmocka_unit_test(test_nothing_reaches_loopback),
		cmocka_unit_test(test_endless_loop_is_ended),
		cmocka_unit_test(test_another_life_knows_nothing),
		cmocka_unit_test(test_screenshot_and_reader),
		cmocka_unit_test(test_what_runs_is_confined),
		cmocka_unit_test(test_crash_is_told),
		cmocka_unit_test(test_killed_engine_is_told_and_starts_again),
		cmocka_unit_test(test_memory_bomb_is_stopped),
		cmocka_unit_test(test_flood_is_ended),
		cmocka_unit_test(test_huge_message_is_dropped),
		cmocka_unit_test(test_idle_engine_ends),
		cmocka_unit_test(test_without_namespaces),
		cmocka_unit_test(test_nothing_stays_after_sigkill),
	};

	if (!real_engine_is_here())
		return 77;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
