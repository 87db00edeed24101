/** One search of all that has a page for operators. */
import type { FoundThing } from '#contract/operator/find.ts'
import { invoiceNumber, readInvoiceNumber } from '#server/features/billing/to-invoice.ts'
import { addressIn } from '#server/features/operating/addresses.ts'
import type { OperatorApp } from '#server/features/operators/operators.ts'
import { patternOf } from '#server/lib/search-pattern.ts'
import { domainToAscii } from '#server/standards/address.ts'
import { finders, type Wanted } from './find-store.ts'

const MOST_OF_A_KIND = 5

const kinds = ['invoice', 'mailbox', 'person', 'domain', 'workspace'] as const

/** What is meant exactly stands first. `q`: an address, a name or a number, or a part of it. */
export const findForOperator = async (
  { db }: Pick<OperatorApp, 'db'>,
  q: string,
): Promise<FoundThing[]> => {
  const typed = q.trim()
  const pattern = patternOf(addressIn(typed) || typed)
  if (pattern === null) return []
  const number = readInvoiceNumber(typed)
  const patterns: Wanted = {
    ...{ pattern, limit: MOST_OF_A_KIND },
    domainPattern: patternOf(domainToAscii(typed) ?? typed) ?? pattern,
  }
  const meant = [typed, addressIn(typed), domainToAscii(typed), number && invoiceNumber(number)]
  const found = await Promise.all(
    kinds.map(async (kind): Promise<FoundThing[]> => {
      const wanted =
        kind === 'invoice' && number !== null
          ? // Without its series, it may be of any.
            { ...patterns, pattern: patternOf(invoiceNumber(number).slice(2)) ?? pattern }
          : patterns
      const rows = await finders[kind](db, wanted)
      return rows.map(({ id, title, detail }) => ({ kind, _id: id, title, detail: detail.trim() }))
    }),
  )
  const isMeant = ({ title }: FoundThing) =>
    meant.some((text) => text?.toLowerCase() === title.toLowerCase())
  const all = found.flat()
  return [...all.filter(isMeant), ...all.filter((each) => !isMeant(each))]
}
