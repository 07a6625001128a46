#include <stdio.h>

int
main(void)
{
	puts("mcpane " VERSION);
	return 0;
}
