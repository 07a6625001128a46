/* SPDX-License-Identifier: MIT */
#include "cli/command_line.h"
#include "host/app_house.h"
#include "host/media_decoder.h"
#include "host/confined.h"
#include "tui.h"

#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

int
main(int argc, char **argv)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDONLY };
	struct options options;
	struct err err;

	/* Keep files opened later off descriptors 0 to 2. These fail on read and write. */
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", modes[fd]);
	if (argc == 2 && strcmp(argv[1], PICTURE_OPTION) == 0)
		return picture_serve();
	if (argc == 2 && strcmp(argv[1], AUDIO_OPTION) == 0)
		return audio_serve();
	if (argc == 2 && strcmp(argv[1], QUERY_OPTION) == 0)
		return query_serve();
	signal(SIGXFSZ, SIG_IGN); /* write() fails instead, and we report that */
	/* text widths assume UTF-8 */
	if (!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		setlocale(LC_CTYPE, "C.UTF-8");
	if (!options_parse(&options, argc, argv, &err)) {
		fprintf(stderr, "mcpane: %s\n", err.text);
		return 1;
	}
	options.connect.has_app_engine = app_house_can_run;
	int (*run)(const struct options *) = options.attach ? NULL : options.subcommand->run;
	int code = (run ? run : tui_run)(&options);
	options_finish(&options);
	return code;
}
