/** Fragment (#) of the settings page that leads to the part about sending. */
export const SENDING_SECTION = 'sending'
