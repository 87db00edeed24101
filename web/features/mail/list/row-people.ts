import type { Person } from '#contract/messages.ts'
import type { MailRow } from './data/mail-row.ts'

const nameOf = (person: Person | null | undefined): string => person?.name || person?.address || ''

/** Of 'Doe, Ann' what stands behind the comma. */
const givenNames = (name: string): string =>
  name
    .split(',')
    .toReversed()
    .find((part) => part.trim() !== '') ?? ''
const firstWord = (text: string): string => text.trim().split(/[\s@]/)[0] ?? ''

/** Who writes to each other, oldest first; of a single message who it is from, or in Sent and Drafts whom it goes to. */
export function correspondentsOf(row: MailRow, own: string, isOutgoing: boolean): string {
  if (isOutgoing) {
    const names = row.to.map(nameOf).join(', ')
    return names === '' ? '(no recipient)' : `To: ${names}`
  }
  if (row.people.length > 1) {
    const short = ({ name, address }: Person) =>
      address.toLowerCase() === own ? 'me' : firstWord(givenNames(name) || address) || address
    return row.people.map(short).toReversed().join(', ')
  }
  return nameOf(row.from) || '(no sender)'
}
