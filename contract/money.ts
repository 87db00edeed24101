/**
 * Amounts: integer cents of one of these currencies, each of which has a hundred to the unit. Without zod: also pages that
 * show no form have amounts.
 */
const signs = {
  ...{ usd: '$', eur: '€', gbp: '£', aud: 'A$', cad: 'CA$', nzd: 'NZ$', chf: 'CHF ' },
  ...{ czk: 'CZK ', dkk: 'DKK ', nok: 'NOK ', pln: 'PLN ', ron: 'RON ', sek: 'SEK ' },
}

export type Currency = keyof typeof signs
export const currencies = Object.keys(signs) as [Currency, ...Currency[]]

/** '$12.50'; a sum without cents as '$12'. */
export const formatCents = (cents: number, currency: Currency = 'usd'): string =>
  format(cents, currency, cents % 100 === 0 ? 0 : 2)

/** Always with cents, for documents: '$12.00'. */
export const formatAmount = (cents: number, currency: Currency): string =>
  format(cents, currency, 2)

/** Without Intl.NumberFormat, which takes 15 ms to create on every page with an amount. */
const format = (cents: number, currency: Currency, digits: number): string => {
  const [whole = '', rest] = (Math.abs(cents) / 100).toFixed(digits).split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return `${cents < 0 ? '-' : ''}${signs[currency]}${grouped}${rest ? `.${rest}` : ''}`
}

/** The part of an amount that is tax. `rate` in hundredths of a percent. */
export const taxIn = (cents: number, rate: number): number => {
  const tax = Math.round((Math.abs(cents) * rate) / (10_000 + rate))
  return cents < 0 ? 0 - tax : tax
}

/** '19%', '8.1%'. */
export const formatRate = (rate: number): string => `${rate / 100}%`
