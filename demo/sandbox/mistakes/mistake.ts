/** What a mistake is: a few records swapped for others, or trouble with the name servers. Each can be undone. */
import type { SandboxMistake, SandboxRecordType } from '#contract/dns/sandbox.ts'
import type { Trouble } from '../../world/sandbox-zones.ts'
import type { AskedRecord } from '../added-domains.ts'

/** Where it is made. */
export type Place = { domain: string; zone: string; asked: readonly AskedRecord[] }

/** `put` stands in the place of those values that `take` chooses, all of them without it. */
export type Swap = {
  name: string
  type: SandboxRecordType
  take?: (value: string) => boolean
  put: string[]
}

export type Mischief = {
  swaps?: Swap[]
  trouble?: Trouble
  /** What resolvers still answer. */
  cached?: { name: string; type: SandboxRecordType; values: string[] }
  /** No name server knows the domain any more. */
  isGone?: true
}

export type Mistake = Pick<SandboxMistake, 'id' | 'group' | 'title' | 'text'> & {
  needsSecondServer?: true
  make(place: Place): Mischief
}

export const OTHER_PROVIDER = 'bigmail.example'
export const OTHER_SPF = `v=spf1 include:_spf.${OTHER_PROVIDER} ~all`

export const asked = ({ asked }: Place, purpose: AskedRecord['purpose']): AskedRecord => {
  const record = asked.find((each) => each.purpose === purpose)
  if (!record) throw new Error(`no ${purpose} record is asked for`)
  return record
}

export const isSpf = (value: string): boolean => /^v=spf1\b/i.test(value)
const isOurs = (value: string): boolean => /mailstead-verify/i.test(value)
/** Whose records of this purpose they are, among others at the same name. */
const mineOf = (purpose: AskedRecord['purpose']) =>
  purpose === 'spf' ? isSpf : purpose === 'ownership' ? isOurs : () => true

export const publishedValue = ({ type, priority, value }: AskedRecord): string =>
  type === 'MX' ? `${priority ?? 10} ${value}` : value

/** The record that is asked for has these values instead. */
export const instead =
  (purpose: AskedRecord['purpose'], put: (value: string, place: Place) => string[]) =>
  (place: Place): Mischief => {
    const record = asked(place, purpose)
    const { name, type } = record
    if (type === 'SRV') throw new Error('no mistake is made in SRV records')
    const take = mineOf(purpose)
    return { swaps: [{ name, type, take, put: put(publishedValue(record), place) }] }
  }

/** The record that is asked for stands at another name. */
export const elsewhere =
  (purpose: AskedRecord['purpose'], nameOf: (name: string, place: Place) => string) =>
  (place: Place): Mischief => {
    const record = asked(place, purpose)
    const { name, type } = record
    if (type === 'SRV') throw new Error('no mistake is made in SRV records')
    const put = [publishedValue(record)]
    return {
      swaps: [
        { name, type, take: mineOf(purpose), put: [] },
        { name: nameOf(name, place), type, take: (value) => put.includes(value), put },
      ],
    }
  }

/** A record of another type stands at the name of the one that is asked for. */
export const ofType =
  (purpose: AskedRecord['purpose'], type: SandboxRecordType, value: string) =>
  (place: Place): Mischief => {
    const { name } = asked(place, purpose)
    return {
      swaps: [
        { name, type: 'TXT', put: [] },
        { name, type, put: [value] },
      ],
    }
  }

export const doubled = (name: string, { zone }: Place): string => `${name}.${zone}`
