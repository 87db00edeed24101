/** Stripe's test cards, by number: docs.stripe.com/testing. */
export type Card = {
  brand: string
  /** Why it is refused at once; null: it pays. */
  refused: string | null
  /** Why a charge without its owner is refused. */
  refusedLater: string | null
  /** Its owner is asked by the bank. */
  asks: boolean
}

const GOOD: Card = { brand: 'visa', refused: null, refusedLater: null, asks: false }

export const cards = {
  '4242424242424242': GOOD,
  '5555555555554444': { ...GOOD, brand: 'mastercard' },
  '4000000000000002': { ...GOOD, refused: 'generic_decline' },
  '4000000000009995': { ...GOOD, refused: 'insufficient_funds' },
  '4000000000000069': { ...GOOD, refused: 'expired_card' },
  /** Can be saved, and is refused afterwards. */
  '4000000000000341': { ...GOOD, refusedLater: 'generic_decline' },
  /** Its bank asks at every payment. */
  '4000002760003184': { ...GOOD, asks: true, refusedLater: 'authentication_required' },
} as const satisfies Record<string, Card>

export type CardNumber = keyof typeof cards

export const cardOf = (number: string): Card =>
  Object.hasOwn(cards, number)
    ? cards[number as CardNumber]
    : { ...GOOD, refused: 'incorrect_number' }
