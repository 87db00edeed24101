/** How long an import is one worker's after each batch. */
export const LEASE_SECONDS = 30
