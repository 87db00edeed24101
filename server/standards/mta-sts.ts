/** MTA-STS (RFC 8461): whether a domain requires verified TLS, and for which MX hosts. */

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
