/**
 * The name, the address and the VAT ID that a customer changes in Stripe's portal: they become those of the next invoices. Only what changes
 * there is taken over, so an older address at Stripe never replaces what an Admin wrote here since.
 */
import type Stripe from 'stripe'
import { buyerForm } from '#contract/workspaces.ts'
import { recordBySystem } from '#server/features/audit/system-changes.ts'
import { changeBuyer } from '#server/features/workspaces/company-profile.ts'
import type { Db } from '#server/storage/database.ts'
import { regions } from '../issue-invoice.ts'
import type { CustomerRow } from './card-store.ts'

type Address = { address: string; zipCode: string; city: string; country: string }
/** null: none. Without a name: one that was told before names were kept, and is only compared from now on. */
type Told = { vatId: string | null; address: Address | null; name?: string }

/** What Stripe tells of a customer that we made with this name. */
export const toldAtFirst = (name: string): string =>
  JSON.stringify({ vatId: null, address: null, name } satisfies Told)

/** In the transaction that keeps what it returns as `told`. */
export const takeDetails = async (
  tx: Db,
  { workspaceId, told }: CustomerRow,
  customer: Stripe.Customer,
  now: Date,
): Promise<string> => {
  const before: Told = told === '' ? { vatId: null, address: null } : JSON.parse(told)
  const after = toldBy(customer, before)
  const change = {
    ...{ ...nameTaken(before, after), ...addressTaken(before, after) },
    ...vatIdTaken(before, after),
  }
  if (Object.keys(change).length > 0) {
    await changeBuyer(tx, workspaceId, change, now)
    const object = [
      change.name && 'Name',
      change.address && 'Address',
      'vatId' in change && 'VAT ID',
    ]
    await recordBySystem(tx, now, 'buyerChanged', {
      ...{ workspaceId, object: object.filter(Boolean).join(', ') },
      details: { ...change },
    })
  }
  return JSON.stringify(after)
}

/** One that was only taken away there stays here. */
const nameTaken = (before: Told, after: Told): { name?: string } => {
  if (before.name === undefined || before.name === after.name) return {}
  const { data: name } = buyerForm.shape.name.safeParse(after.name)
  return name ? { name } : {}
}

const vatIdTaken = (before: Told, after: Told): { vatId?: string } => {
  if (before.vatId === after.vatId) return {}
  const { data: vatId } = buyerForm.shape.vatId.safeParse(after.vatId ?? '')
  return vatId === undefined ? {} : { vatId }
}

const addressForm = buyerForm.pick({ address: true, zipCode: true, city: true, country: true })

/** One that our form would refuse stays at Stripe, and so does one that was only taken away there. */
const addressTaken = (before: Told, after: Told): Partial<Address> => {
  if (JSON.stringify(before.address) === JSON.stringify(after.address)) return {}
  return addressForm.safeParse(after.address).data ?? {}
}

const toldBy = ({ address, tax_ids, name }: Stripe.Customer, before: Told): Told => ({
  ...{ ...before, ...(name?.trim() && { name }) },
  vatId: vatIdOf(tax_ids?.data ?? [], before),
  address: address ? addressOf(address) : null,
})

/** The newest that is not refused. One that is being checked changes nothing until that is done. */
const vatIdOf = (ids: readonly Stripe.TaxId[], before: Told): string | null => {
  const good = ids.filter(({ verification }) => verification?.status !== 'unverified')
  const [newest] = good.toSorted((a, b) => b.created - a.created)
  return newest?.verification?.status === 'pending' ? before.vatId : (newest?.value ?? null)
}

const addressOf = ({ line1, line2, postal_code, city, state, country }: Stripe.Address) => ({
  address: [line1, line2].filter(Boolean).join(', '),
  zipCode: postal_code ?? '',
  city: [city, state].filter(Boolean).join(', '),
  country: Object.keys(regions).find((ours) => regions[ours] === country) ?? country ?? '',
})
