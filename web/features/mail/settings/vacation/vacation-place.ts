/** The part of a page's address that leads to the card. */
export const VACATION_SECTION = 'vacation'
