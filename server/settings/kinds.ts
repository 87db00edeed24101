/** The kinds of values that a setting can have. `parse` returns undefined for a value that is not allowed. */
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { isLoopback } from '#server/lib/network-guard.ts'
import { BUCKET_URL, readBucketUrl } from '#server/lib/remote/bucket-url.ts'

export type Kind<T> = {
  /** Completes the sentence 'must be ...'. */
  allowed: string
  parse(text: string): T | undefined
}

export const text: Kind<string> = { allowed: 'text', parse: (input) => input }

/** Words for people. Returned with a line break for each semicolon. */
export const lines: Kind<string> = {
  allowed: 'text of at most 1000 characters; lines are separated by semicolons',
  parse: (input) => {
    const all = input.split(';').map((line) => line.trim())
    return input.length <= 1000 && !/\p{Cc}/u.test(input) ? all.join('\n').trim() : undefined
  },
}

/** Returned in hundredths of a percent. */
export const percent: Kind<number> = {
  allowed: 'a percentage from 0 to 100, such as 19 or 8.1',
  parse: (input) => {
    const hundredths = /^\d{1,3}(\.\d{1,2})?$/.test(input) ? Math.round(Number(input) * 100) : -1
    return hundredths >= 0 && hundredths <= 10_000 ? hundredths : undefined
  },
}

export const secret: Kind<string> = {
  allowed: 'at least 32 characters',
  parse: (input) => (input.length >= 32 ? input : undefined),
}

const pathOf = (allowed: string): Kind<string> => ({
  allowed,
  parse: (input) => (input.includes('\0') ? undefined : input),
})

export const folder = pathOf('a folder')
export const file = pathOf('a file')

export const wholeNumber = (
  least: number,
  most: number,
  what = 'a whole number',
): Kind<number> => ({
  allowed: `${what} from ${least} to ${most}`,
  parse: (input) => {
    const number = /^\d{1,9}$/.test(input) ? Number(input) : -1
    return number >= least && number <= most ? number : undefined
  },
})

export const bucket: Kind<string> = {
  allowed: BUCKET_URL,
  parse: (input) => (readBucketUrl(input) === null ? undefined : input),
}

export const bucketOrFiles: Kind<string> = {
  allowed: `files, or ${BUCKET_URL}`,
  parse: (input) => (input === 'files' ? input : bucket.parse(input)),
}

/** A folder or a bucket. */
export const backupPlace: Kind<string> = {
  allowed: 'a folder, or s3://KEY:SECRET@HOST:PORT/BUCKET',
  parse: (input) => (/^[a-z0-9]+:\/\//i.test(input) ? bucket.parse(input) : folder.parse(input)),
}

/** 32 bytes. */
export const backupKey: Kind<Buffer> = {
  allowed: '32 bytes in base64',
  parse: (input) => {
    const key = Buffer.from(input, 'base64')
    return key.length === 32 ? key : undefined
  },
}

/** Returned as '03:00'. */
export const timeOfDay: Kind<string> = {
  allowed: 'a time such as 03:00',
  parse: (input) => (/^([01]\d|2[0-3]):[0-5]\d$/.test(input) ? input : undefined),
}

/** 0: any free port. */
/** In bytes. */
export const size: Kind<number> = {
  allowed: 'a size from 1MB to 1000TB, such as 75GB',
  parse: (input) => {
    const [, digits, unit = ''] = /^([1-9]\d{0,5}) ?([MGT]B)$/i.exec(input) ?? []
    const powers: Record<string, number> = { MB: 2, GB: 3, TB: 4 }
    const power = powers[unit.toUpperCase()]
    const bytes = power === undefined ? Number.NaN : Number(digits) * 1_000 ** power
    return bytes <= 1e15 ? bytes : undefined
  },
}

export const port = wholeNumber(0, 65_535, 'a port number')

export const oneOf = <const W extends string>(...words: W[]): Kind<W> => ({
  allowed: `one of ${words.join(', ')}`,
  parse: (input) => words.find((word) => word === input.toLowerCase()),
})

const switches: Record<string, boolean> = {
  on: true,
  off: false,
  1: true,
  0: false,
  true: true,
  false: false,
}

export const onOrOff: Kind<boolean> = {
  allowed: 'on or off (or 1, 0, true, false)',
  parse: (input) =>
    Object.hasOwn(switches, input.toLowerCase()) ? switches[input.toLowerCase()] : undefined,
}

export const listOf = <T>(kind: Kind<T>): Kind<T[]> => ({
  allowed: `${kind.allowed}; several are separated by commas`,
  parse: (input) => {
    const items = input.split(',').map((item) => kind.parse(item.trim()))
    return items.every((item) => item !== undefined) ? items : undefined
  },
})

export const userName: Kind<string> = {
  allowed: 'the name of a user of this system',
  parse: (input) => (/^[\w.][\w.-]{0,63}$/.test(input) ? input : undefined),
}

/** An address to listen on. */
export const host: Kind<string> = {
  allowed: 'an IP address or a host name',
  parse: (input) => (isIP(input) ? input : hostName.parse(input)),
}

const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?$/

export const hostName: Kind<string> = {
  allowed: 'a host name such as mail.example.com',
  parse: (input) => {
    const name = domainToASCII(input).replace(/\.$/, '')
    const labels = name.split('.')
    // A name that ends in digits would be read as an IP address.
    const isName = labels.every((part) => label.test(part)) && !/^\d+$/.test(labels.at(-1) ?? '')
    return name.length <= 253 && isName ? name : undefined
  },
}

export const ipAddress: Kind<string> = {
  allowed: 'an IP address',
  parse: (input) => (isIP(input) ? input.toLowerCase() : undefined),
}

/** Returns `ip:port`, with an IPv6 address in brackets. */
export const nameServer: Kind<string> = {
  allowed: 'ip or ip:port such as 192.0.2.53 or [2001:db8::53]:5353',
  parse: (input) => {
    const found =
      /^(?<v4>[\d.]+)(:(?<port>\d{1,5}))?$/.exec(input) ??
      /^\[(?<v6>[^\]]+)\](:(?<port>\d{1,5}))?$/.exec(input)
    const { v4, v6, port: at = '53' } = found?.groups ?? (isIP(input) === 6 ? { v6: input } : {})
    if (Number(at) < 1 || Number(at) > 65_535) return undefined
    if (v4 && isIP(v4) === 4) return `${v4}:${at}`
    return v6 && isIP(v6) === 6 ? `[${v6}]:${at}` : undefined
  },
}

export const listenAddress: Kind<{ host: string; port: number }> = {
  allowed: 'host:port such as 127.0.0.1:9090 or [::1]:9090',
  parse: (input) => {
    const [, inBrackets, plain, digits = ''] =
      /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(input) ?? []
    const at =
      inBrackets === undefined ? plain && host.parse(plain) : isIP(inBrackets) && inBrackets
    const number = port.parse(digits)
    return at && number !== undefined ? { host: at, port: number } : undefined
  },
}

const namedRanges = ['loopback', 'linklocal', 'uniquelocal']

export const proxy: Kind<string> = {
  allowed: `an IP address, a range such as 10.0.0.0/8, or ${namedRanges.join(', ')}`,
  parse: (input) => {
    if (namedRanges.includes(input) || isIP(input)) return input
    const [, ip = '', bits = ''] = /^(.+)\/(\d{1,3})$/.exec(input) ?? []
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(ip)] ?? -1
    return Number(bits) <= most ? input : undefined
  },
}

/** Without a path; returned without a trailing slash. */
export const origin: Kind<string> = {
  allowed: 'an address such as https://mail.example.com, with http or https and without a path',
  parse: (input) => {
    const url = parseUrl(input, ['http:', 'https:'])
    const isBare = url && url.pathname === '/' && !url.username && !/[?#]/.test(input)
    return isBare ? url.origin : undefined
  },
}

const secretOf = (beginnings: readonly string[]): Kind<string> => ({
  allowed: `a secret that begins with ${beginnings.join(' or ')}`,
  parse: (input) =>
    beginnings.some((begin) => input.startsWith(begin)) && /^\w{12,}$/.test(input)
      ? input
      : undefined,
})

export const stripeKey = secretOf(['sk_', 'rk_'])
export const stripeWebhookSecret = secretOf(['whsec_'])

export const issuer: Kind<string> = {
  allowed: 'an address such as https://accounts.google.com',
  parse: (input) => parseUrl(input, ['http:', 'https:']) && input.replace(/\/$/, ''),
}

export const webAddress: Kind<string> = {
  allowed: 'an address such as https://example.com/terms, with http or https',
  parse: (input) => parseUrl(input, ['http:', 'https:'])?.href,
}

export const https: Kind<string> = {
  allowed: 'an address such as https://example.com/directory, with https',
  parse: (input) => parseUrl(input, ['https:'])?.href,
}

export const relay: Kind<string> = {
  allowed: 'an address such as smtp://user:password@host:587 or smtps://host',
  parse: (input) => {
    const url = parseUrl(input, ['smtp:', 'smtps:'])
    return url?.hostname && /^\/?$/.test(url.pathname) ? input : undefined
  },
}

/** A secret may stand in it, so it is asked over TLS; a program of this machine may be asked without. */
export const alertUrl: Kind<string> = {
  allowed: 'an address such as https://example.com/alerts, or one of this machine with http',
  parse: (input) => {
    const url = parseUrl(input, ['http:', 'https:'])
    return url?.protocol === 'https:' || (url && isLoopback(url.hostname)) ? url.href : undefined
  },
}

export type AlertRelay = { url: string; from: string | null; to: readonly string[] }

/** `from` null: it is left out. */
export const alertRelay: Kind<AlertRelay> = {
  allowed:
    'an address such as smtps://user:password@host?from=mail@example.com&to=me@example.org, with smtp or smtps',
  parse: (input) => {
    const url = URL.parse(input)
    if (url === null || [...url.searchParams.keys()].some((key) => !/^(from|to)$/.test(key)))
      return undefined
    const [from = null, ...others] = url.searchParams.getAll('from')
    const to = listOf(mailAddress).parse(url.searchParams.getAll('to').join(','))
    const sender = from === null ? null : mailAddress.parse(from)
    url.search = ''
    const server = relay.parse(url.href)
    if (!server || !to || sender === undefined || others.length > 0) return undefined
    return { url: server, from: sender, to }
  },
}

export const database: Kind<string> = {
  allowed: 'an address such as postgresql://user:password@host:5432/database',
  parse: (input) => parseUrl(input, ['postgres:', 'postgresql:']) && input,
}

export const mailAddress: Kind<string> = {
  allowed: 'an e-mail address',
  parse: (input) => {
    const [, local, domain] = /^([!#-'*+\-/-9=?A-Z^-~.]{1,64})@([^@]+)$/.exec(input) ?? []
    const name = domain && hostName.parse(domain)
    return local && name ? `${local}@${name}` : undefined
  },
}

export const contact: Kind<string> = {
  allowed: 'an e-mail address, or a web address with http or https',
  parse: (input) => webAddress.parse(input) ?? mailAddress.parse(input),
}

const parseUrl = (input: string, protocols: string[]): URL | undefined => {
  const url = URL.parse(input)
  return url && protocols.includes(url.protocol) ? url : undefined
}
