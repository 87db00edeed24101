/** What a customer says of the buyer in the portal: the address and VAT IDs. */
import type { Events } from './events.ts'
import type { Address, TaxId } from './object-types.ts'
import type { Objects } from './objects.ts'

type Stage = { objects: Objects; events: Events }

const NOTHING: Address = {
  ...{ line1: null, line2: null, postal_code: null, city: null, state: null, country: null },
}

export const writeName = ({ objects, events }: Stage, customerId: string, name: string): void => {
  const customer = objects.living(customerId)
  customer.name = name
  events.emit('customer.updated', customer)
}

/** null: it is taken away. */
export const writeAddress = (
  { objects, events }: Stage,
  customerId: string,
  address: Partial<Address> | null,
): void => {
  const customer = objects.living(customerId)
  customer.address = address && { ...NOTHING, ...address }
  events.emit('customer.updated', customer)
}

type Status = NonNullable<TaxId['verification']>['status']

export const addTaxId = (
  { objects, events }: Stage,
  customerId: string,
  value: string,
  status: Status = 'verified',
): TaxId => {
  const { id: customer } = objects.living(customerId)
  const base = objects.base('txi', 'tax_id')
  const made = { ...base, customer, type: 'eu_vat', value, verification: { status } }
  objects.taxIds.set(made.id, made)
  events.emit('customer.tax_id.created', made)
  return made
}

/** The tax office has answered. */
export const checkTaxId = ({ objects, events }: Stage, id: string, status: Status): void => {
  const taxId = objects.find(objects.taxIds, id)
  taxId.verification = { status }
  events.emit('customer.tax_id.updated', taxId)
}

export const deleteTaxId = ({ objects, events }: Stage, id: string): void => {
  const taxId = objects.find(objects.taxIds, id)
  objects.taxIds.delete(id)
  events.emit('customer.tax_id.deleted', taxId)
}

/** Newest first, as the API lists them. */
export const taxIdsOf = ({ taxIds }: Objects, customerId: string): TaxId[] =>
  [...taxIds.values()].filter(({ customer }) => customer === customerId).reverse()
