/** A mistake: replaced records, or trouble with the name servers. Each can be undone. */
import type { SandboxMistake, SandboxRecordType } from '#contract/dns/sandbox.ts'
import type { Trouble } from '../../world/sandbox-zones.ts'
import type { AskedRecord } from '../added-domains.ts'

/** The domain and zone in which a mistake is made. */
export type Place = { domain: string; zone: string; asked: readonly AskedRecord[] }

/** `put` replaces the values that `take` selects; without `take`, all of them. */
export type Swap = {
  name: string
  type: SandboxRecordType
  take?: (value: string) => boolean
  put: string[]
}

export type Mischief = {
  swaps?: Swap[]
  trouble?: Trouble
  /** The values that resolvers still answer. */
  cached?: { name: string; type: SandboxRecordType; values: string[] }
  /** No name server has the domain any more. */
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
/** Selects the records of this purpose among others at the same name. */
const isOfPurpose = (purpose: AskedRecord['purpose']) =>
  purpose === 'spf' ? isSpf : purpose === 'ownership' ? isOurs : () => true

export const publishedValue = ({ type, priority, value }: AskedRecord): string =>
  type === 'MX' ? `${priority ?? 10} ${value}` : value

/** The expected record gets these values instead. */
export const withValues =
  (purpose: AskedRecord['purpose'], put: (value: string, place: Place) => string[]) =>
  (place: Place): Mischief => {
    const record = asked(place, purpose)
    const { name, type } = record
    if (type === 'SRV') throw new Error('no mistake is made in SRV records')
    const take = isOfPurpose(purpose)
    return { swaps: [{ name, type, take, put: put(publishedValue(record), place) }] }
  }

/** The expected record is at another name. */
export const atOtherName =
  (purpose: AskedRecord['purpose'], nameOf: (name: string, place: Place) => string) =>
  (place: Place): Mischief => {
    const record = asked(place, purpose)
    const { name, type } = record
    if (type === 'SRV') throw new Error('no mistake is made in SRV records')
    const put = [publishedValue(record)]
    return {
      swaps: [
        { name, type, take: isOfPurpose(purpose), put: [] },
        { name: nameOf(name, place), type, take: (value) => put.includes(value), put },
      ],
    }
  }

/** A record of another type is at the name of the expected one. */
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
