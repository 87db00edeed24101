/** The services that SPF records authorise, in words, so that no service is forgotten when the record changes. Pure. */
import { parseSpf, type SpfTerm } from '#server/standards/dns-records/spf-record.ts'
import { serviceOfSpf } from './services.ts'

/** `ours`: our mechanisms, which are left out. Terms after `all` are never evaluated (RFC 7208 §5.1). */
export const servicesIn = (records: readonly string[], ours: readonly string[]): string[] => {
  const known = new Set(ours.map((each) => each.toLowerCase()))
  const read = records.map((text) => readUntilAll(text))
  const terms = read
    .flatMap((each) => each.terms)
    .filter(({ qualifier, text }) => qualifier === '+' && !known.has(plain(text)))
  const named = terms.flatMap((term) => nameOf(term) ?? [])
  const redirected = read.flatMap(({ redirect }) =>
    redirect === null ? [] : [nameOfSpf(redirect)],
  )
  return [...new Set([...named, ...redirected, ...countsOf(terms)])]
}

/** The services in `records` that `proposed` does not name. */
export const leftOutOf = (records: readonly string[], proposed: string): string[] => {
  const named = namesIn(readUntilAll(proposed))
  return [...new Set(records.flatMap((text) => namesIn(readUntilAll(text))))].filter(
    (name) => !named.includes(name),
  )
}

const namesIn = ({ terms, redirect }: ReturnType<typeof readUntilAll>): string[] => [
  ...terms.filter(({ qualifier }) => qualifier === '+').flatMap((term) => nameOf(term) ?? []),
  ...(redirect === null ? [] : [nameOfSpf(redirect)]),
]

const plain = (text: string): string => text.replace(/^\+/, '').toLowerCase()

/** A redirect counts only without `all` (§6.1). */
const readUntilAll = (text: string) => {
  const { terms, redirect } = parseSpf(text)
  const all = terms.findIndex(({ mechanism }) => mechanism === 'all')
  return all < 0 ? { terms, redirect } : { terms: terms.slice(0, all + 1), redirect: null }
}

const nameOf = ({ mechanism, value }: SpfTerm): string | null => {
  switch (mechanism) {
    case 'include':
      return nameOfSpf(value)
    case 'a':
      return value === '' ? 'the server of its website' : `the server ${value}`
    case 'mx':
      return value === ''
        ? 'the servers that receive its mail'
        : `the servers that receive mail for ${value}`
    case 'exists':
      return `whatever ${value} answers for`
    case 'ptr':
      return `servers whose names end in ${value === '' ? 'its own name' : value}`
    case 'all':
      return 'every server in the world'
    case 'ip4':
    case 'ip6':
      return null
  }
}

const nameOfSpf = (name: string): string => serviceOfSpf(name)?.name ?? name.toLowerCase()

const countsOf = (terms: SpfTerm[]): string[] => {
  const addresses = terms.filter(({ mechanism }) => mechanism === 'ip4' || mechanism === 'ip6')
  const single = addresses.filter((term) => bitsOf(term) === widthOf(term)).length
  const networks = addresses.length - single
  return [
    ...(single > 0 ? [single === 1 ? '1 IP address' : `${single} IP addresses`] : []),
    ...(networks > 0 ? [networks === 1 ? '1 IP network' : `${networks} IP networks`] : []),
  ]
}

const bitsOf = ({ mechanism, prefix4, prefix6 }: SpfTerm): number =>
  mechanism === 'ip4' ? prefix4 : prefix6
const widthOf = ({ mechanism }: SpfTerm): number => (mechanism === 'ip4' ? 32 : 128)
