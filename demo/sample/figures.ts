/** The figures of the specification's sample. The sample workspace is built so that the live queries return exactly these. */
export const MAILBOX_LIMIT = 5
export const QUOTA_BYTES = 75_000_000_000
/** 65 % of the quota. */
export const USED_BYTES = 48_750_000_000
export const MORE_MESSAGES_THAN_YESTERDAY = 12
