/** Behind the # of the settings of a mailbox: leads to what they say about sending. */
export const SENDING_SECTION = 'sending'
