/** The objects of the stage, with what we read of them. */
export type Base = { id: string; object: string; created: number }
export type Metadata = Record<string, string>
export type Address = Record<
  'line1' | 'line2' | 'postal_code' | 'city' | 'state' | 'country',
  string | null
>
export type TaxId = Base & {
  customer: string
  type: string
  value: string
  verification: { status: 'pending' | 'verified' | 'unverified' | 'unavailable' } | null
}
export type Customer = Base & {
  deleted?: true
  name: string
  address: Address | null
  metadata: Metadata
  invoice_settings: { default_payment_method: string | null }
}
export type Method = Base & {
  type: 'card'
  customer: string | null
  card: { brand: string; last4: string; exp_month: number; exp_year: number }
  number: string
}
export type Refused = { code: string; decline_code?: string; message: string; type: 'card_error' }
export type Intent = Base & {
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled'
  amount: number
  amount_received: number
  currency: string
  customer: string | null
  payment_method: string | null
  latest_charge: string | null
  last_payment_error: Refused | null
  metadata: Metadata
}
export type Session = Base & {
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid'
  customer: string | null
  url: string | null
  payment_intent: string | null
  amount_total: number
  currency: string
  metadata: Metadata
  success_url: string
  cancel_url: string
}
export type Refund = Base & {
  amount: number
  payment_intent: string
  charge: string
  status: 'succeeded' | 'failed'
  metadata: Metadata
}
export type Dispute = Base & {
  amount: number
  payment_intent: string
  charge: string
  status: 'needs_response' | 'won' | 'lost'
}

export type Portal = Base & { customer: string; return_url: string; url: string }
