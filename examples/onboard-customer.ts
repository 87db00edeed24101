/**
 * A new customer from nothing to working mailboxes: the domain, its DNS records, its people, and the invoice.
 *
 *   MAILSTEAD_URL=https://mail.example.net MAILSTEAD_KEY=... node examples/onboard-customer.ts customer.example
 */
import { createInterface } from 'node:readline/promises'
import type { Client } from './client/client/index.ts'
import {
  addDomain,
  type DnsRecord,
  getOwnershipRecord,
  importMailboxes,
  listDnsRecords,
  listDomains,
  listMailboxes,
  type Mailbox,
  pay,
  verifyDns,
  verifyOwnership,
} from './client/index.ts'
import { connect } from './connect.ts'

export type Person = { firstName: string; lastName: string }

type Customer = {
  domain: string
  people: Person[]
  /** Writes records into the DNS of the customer, for example by the API of its provider. */
  publish: (records: DnsRecord[]) => Promise<void>
}

/** Returns the mailboxes, which work. */
export const onboardCustomer = async (client: Client, customer: Customer): Promise<Mailbox[]> => {
  const { domain, people, publish } = customer
  const strict = { client, throwOnError: true } as const

  const path = { id: await idOfDomain(client, domain) }

  // First who owns the domain, then everything that mail needs.
  const { data: ownership } = await getOwnershipRecord({ ...strict, path })
  await publish([ownership])
  const { data: proof } = await verifyOwnership({ ...strict, path })
  if (!proof.isVerified) throw new Error(`${domain}: ${proof.explanation} ${proof.fix}`)
  const { data: records } = await listDnsRecords({ ...strict, path })
  await publish(records)
  const { data: checked } = await verifyDns({ ...strict, path })
  for (const record of checked)
    if (record.required && !record.isVerified)
      throw new Error(`${record.name}: ${record.explanation} ${record.fix}`)

  // One row a person; the addresses are made from the names.
  const table = people
    .map(({ firstName, lastName }, row) => [row + 1, firstName, lastName, '', domain].join('\t'))
    .join('\n')
  const { data: imported } = await importMailboxes({
    ...strict,
    body: { table, mode: 'all', dryRun: false },
  })
  for (const row of imported.rows)
    if (row.result !== 'created') throw new Error(`row ${row.row} ${row.reason}`)

  await payFor(
    client,
    imported.rows.flatMap(({ id }) => id ?? []),
  )
  const { data: mailboxes } = await listMailboxes({ ...strict, query: { domain, limit: 200 } })
  return mailboxes.items
}

/** Adds it, unless an earlier run did: then its records were not found in time. */
const idOfDomain = async (client: Client, name: string): Promise<string> => {
  const { data: domains } = await listDomains({ client, throwOnError: true })
  const earlier = domains.find((domain) => domain.name === name)
  if (earlier) return earlier._id
  const { data: added } = await addDomain({ client, throwOnError: true, body: { name } })
  return added._id
}

/** The key makes it safe to ask again when no answer came: there is one invoice. */
const payFor = async (client: Client, mailboxIds: string[]): Promise<void> => {
  const headers = { 'Idempotency-Key': `onboarding-${mailboxIds[0]}` }
  const { data, error } = await pay({ client, headers, body: { mailboxIds } })
  if (data) console.log(`${data.number}: ${data.amountCents / 100} ${data.currency}`)
  // Where mailboxes cost nothing there is nothing to pay.
  else if (error.type !== 'NOTHING_TO_PAY') throw new Error(error.message)
}

if (import.meta.main) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const mailboxes = await onboardCustomer(connect(), {
    domain: process.argv[2] ?? 'customer.example',
    people: [
      { firstName: 'Ada', lastName: 'Lovelace' },
      { firstName: 'Grace', lastName: 'Hopper' },
    ],
    publish: async (records) => {
      for (const { name, type, priority, value } of records)
        console.log([name, type, priority, JSON.stringify(value)].filter(Boolean).join(' '))
      await terminal.question('Press Enter when these records are in DNS.')
    },
  })
  for (const { email, status } of mailboxes) console.log(`${email} is ${status}`)
  terminal.close()
}
