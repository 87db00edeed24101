/** Why a card was not charged, in words for its owner. Stripe's codes: docs.stripe.com/declines/codes. */
const QUESTION = 'The bank asks the owner of the card to confirm the payment'

/** Not a code of Stripe. */
export const OTHER_CURRENCY = 'other_currency'

const sentences: Record<string, string> = {
  [OTHER_CURRENCY]: 'It was paid in another currency than that of the invoice',
  authentication_required: QUESTION,
  insufficient_funds: 'There is not enough money on the card',
  expired_card: 'The card has expired',
  lost_card: 'The bank refused the card',
  stolen_card: 'The bank refused the card',
  incorrect_cvc: 'The security code of the card is not right',
  card_velocity_exceeded: 'The card has reached its limit',
  withdrawal_count_limit_exceeded: 'The card has reached its limit',
  resource_missing: 'There is no saved card any more',
  payment_method_unexpected_state: 'There is no saved card any more',
  amount_too_small: 'The sum is less than can be charged to a card',
  processing_error: 'The bank could not be reached',
}

export const reasonOf = (code: string): string => sentences[code] ?? 'The bank refused the card'

/** Another try without its owner has no use. */
export const isQuestionOfBank = (reason: string): boolean => reason === QUESTION
