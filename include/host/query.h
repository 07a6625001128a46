#ifndef HOST_QUERY_H
#define HOST_QUERY_H

#include "json/query.h"

/* Runs expressions of jq in confined processes: without files and environment, in bounded memory
 * and time, and stopped at any moment. */
struct confined;

/* True: done() is called later from the loop. False: the job is complete and done() is not
 * called. */
bool query_submit(struct confined *confined, struct query_job *job);
/* Calls done() of a job that was submitted and is not done. */
void query_stop(struct confined *confined, struct query_job *job);

/* ---- in the process that runs one ---- */
#define QUERY_OPTION "--run-jq"
int query_serve(void); /* returns the exit code */

#endif
