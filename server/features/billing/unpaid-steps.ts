/** Days after an invoice was due on which its payers are reminded, and a refused card is tried again. */
export const REMINDED_AFTER_DAYS = [3, 7, 14]
