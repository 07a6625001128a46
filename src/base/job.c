/* SPDX-License-Identifier: MIT */
#include "base/job.h"

void
job_start(struct jobs *jobs, struct job *job, struct job **slot)
{
	job_drop(slot);
	*slot = job;
	job->slot = slot;
	if (!jobs || !jobs->submit) {
		job->run(job);
		job_end(job);
		return;
	}
	job->jobs = jobs;
	jobs->open++;
	jobs->submit(jobs->user, job);
}

void
job_drop(struct job **slot)
{
	if (!*slot)
		return;
	job_stop(*slot);
	(*slot)->slot = NULL;
	*slot = NULL;
}

void
job_end(struct job *job)
{
	struct jobs *jobs = job->jobs;
	bool wanted = job->slot != NULL;

	if (wanted)
		*job->slot = NULL;
	if (jobs)
		jobs->open--;
	job->done(job);
	if (jobs && jobs->changed && wanted)
		jobs->changed(jobs->user);
}
