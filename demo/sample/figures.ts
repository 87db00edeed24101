/** The specification's sample figures. The sample workspace is made so that the live queries give exactly these. */
export const MAILBOX_LIMIT = 5
export const QUOTA_BYTES = 75_000_000_000
/** 65 % of the quota. */
export const USED_BYTES = 48_750_000_000
export const MORE_MESSAGES_THAN_YESTERDAY = 12
