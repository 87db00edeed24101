/** How many scheduled jobs a process runs, and the connections to the database that this takes. */
export const JOBS_AT_ONCE = 2
/** One listens, one claims jobs, one writes the schedule, and each running job holds its lock by one. */
export const JOB_CONNECTIONS = 3 + JOBS_AT_ONCE
