/** The figures of the specification's sample. The sample workspace is built so that the live queries return exactly these. */
/** Of the domains of the sample; the visitor's own ones may have as many as elsewhere. */
export const MAILBOX_LIMIT = 5
export const QUOTA_BYTES = 75_000_000_000
/** 65 % of the quota. */
export const USED_BYTES = 48_750_000_000
export const MORE_MESSAGES_THAN_YESTERDAY = 12
