/** MTA-STS (RFC 8461): whether a domain requires verified TLS, and for which MX hosts. */
import { createHash } from 'node:crypto'

export type StsPolicy = {
  mode: 'enforce' | 'testing' | 'none'
  /** Host names in lower case; `*.` matches one label. */
  mx: string[]
  maxAgeSeconds: number
}

const MAX_AGE_SECONDS = 31_557_600
/** More than any real policy has; a policy may have 64 KB. */
const MAX_MX = 200
const MAX_LINES = 1_000

/** The policy id from the TXT records at `_mta-sts.{domain}`; null when they announce no policy (§3.1). */
export const stsIdIn = (records: readonly string[]): string | null => {
  const ours = records.filter((text) => /^v=STSv1[ \t]*(;|$)/.test(text))
  const [record] = ours
  if (record === undefined || ours.length > 1) return null
  for (const field of record.split(';')) {
    const id = /^[ \t]*id[ \t]*=[ \t]*([A-Za-z0-9]{1,32})[ \t]*$/.exec(field)?.[1]
    if (id !== undefined) return id
  }
  return null
}

/** What we serve for a domain: `none` needs no file. */
export type ServedMode = Exclude<StsPolicy['mode'], 'none'>

/** Names the host and, in its first letters, the mode: a sender reads the policy again only when the id is another (§3.1). */
const stsId = (mode: ServedMode, mx: string): string =>
  `${mode}${createHash('sha256').update(mx.toLowerCase()).digest('hex').slice(0, 8)}`

export const stsRecord = (mode: ServedMode, mx: string): string => `v=STSv1; id=${stsId(mode, mx)}`

/** The mode that these TXT records ask of us; anything but our own id for `enforce` is `testing`. */
export const modeIn = (records: readonly string[], mx: string): ServedMode =>
  stsIdIn(records) === stsId('enforce', mx) ? 'enforce' : 'testing'

/** A policy that is only tried is soon forgotten. */
const MAX_AGE: Record<ServedMode, number> = { testing: 86_400, enforce: 1_209_600 }

export const stsPolicyText = (mode: ServedMode, mx: string): string =>
  ['version: STSv1', `mode: ${mode}`, `mx: ${mx}`, `max_age: ${MAX_AGE[mode]}`, ''].join('\r\n')

/** Returns null when the text is not a policy (§3.2). For a repeated field the first value counts; unknown fields are ignored. */
export const parseStsPolicy = (text: string): StsPolicy | null => {
  const fields = text.split('\n', MAX_LINES).flatMap((line) => {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).trimEnd()
    return colon > 0 && /^[A-Za-z0-9_.-]{1,32}$/.test(name)
      ? [{ name, value: line.slice(colon + 1).trim() }]
      : []
  })
  const first = (wanted: string) => fields.find(({ name }) => name === wanted)?.value
  const mode = first('mode')
  const maxAge = first('max_age') ?? ''
  if (first('version') !== 'STSv1' || !/^\d{1,10}$/.test(maxAge)) return null
  if (mode !== 'enforce' && mode !== 'testing' && mode !== 'none') return null
  const mx = fields
    .filter(({ name, value }) => name === 'mx' && value !== '')
    .map(({ value }) => value.toLowerCase().replace(/\.$/, ''))
    .slice(0, MAX_MX)
  if (mx.length === 0 && mode !== 'none') return null
  return { mode, mx, maxAgeSeconds: Math.min(Number(maxAge), MAX_AGE_SECONDS) }
}

/** §4.1: whether the policy allows this MX host. */
export const isHostInPolicy = ({ mx }: Pick<StsPolicy, 'mx'>, host: string): boolean => {
  const name = host.toLowerCase().replace(/\.$/, '')
  return mx.some((pattern) =>
    pattern.startsWith('*.')
      ? name.includes('.') && name.slice(name.indexOf('.')) === pattern.slice(1)
      : name === pattern,
  )
}
