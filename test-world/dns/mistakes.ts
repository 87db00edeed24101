/** Parses mistakes.txt: common mistakes in DNS, with the expected explanation of each. */
import { readFileSync } from 'node:fs'
import type { RecordPurpose, RecordState } from '#contract/domains.ts'
import type { ZoneRecordType, ZoneValue } from './dns-zones.ts'

export type ZoneLine = { name: string; type: ZoneRecordType; values: ZoneValue[] }
export type MistakeRow = {
  mistake: string
  purpose: RecordPurpose
  zone: ZoneLine[]
  state: RecordState
  explanation: string
  fix: string
  value: string | undefined
}

export const DOMAIN = 'shop.example'
export const MAIL_HOST = 'mail.host.test'
export const SENDER_IP = '192.0.2.25'
export const TOKEN = 'mailstead-verify=0123456789abcdef0123456789abcdef01234567'
export const SELECTOR = 'ms1'
/** As long as a real key. */
export const PUBLIC_KEY = `MIIBIjAN${'BgkqhkiG9w0BAQEFAAOC'.repeat(19)}IDAQAB`
export const OLD_KEY = { selector: 'ms0', publicKey: `MIIBOLD${'x'.repeat(385)}` }
export const DKIM = `v=DKIM1; k=rsa; p=${PUBLIC_KEY}`

const filled = (text: string): string =>
  text
    .replaceAll('{dkim}', DKIM)
    .replaceAll('{key}', PUBLIC_KEY)
    .replaceAll('{old key}', OLD_KEY.publicKey)
    .replace(/\{dkim (\d+)-(\d+)\}/g, (_, from, to) => DKIM.slice(Number(from), Number(to)))

/** `name TYPE "value" | ["string", "string"]` */
const zoneLine = (line: string): ZoneLine => {
  const [name = '', type = '', ...rest] = line.trim().split(' ')
  const values = rest
    .join(' ')
    .split(' | ')
    .map((json): ZoneValue => {
      const value = JSON.parse(json) as string | string[]
      return typeof value === 'string' ? filled(value) : value.map(filled)
    })
  return { name, type: type as ZoneRecordType, values }
}

const row = (text: string): MistakeRow => {
  const [mistake = '', purpose = '', ...lines] = text.trim().split('\n')
  const [explanation = '', fix = ''] = lines.flatMap(
    (line) => /^>(.*)/.exec(line)?.[1]?.trim() ?? [],
  )
  return {
    mistake,
    purpose: purpose as RecordPurpose,
    zone: lines.filter((line) => line.startsWith('  ')).map(zoneLine),
    state: (lines.find((line) => /^[a-z]/.test(line)) ?? '') as RecordState,
    explanation,
    fix,
    value: lines.flatMap((line) => /^= (.*)/.exec(line)?.[1] ?? [])[0],
  }
}

export const mistakeRows: MistakeRow[] = readFileSync(
  new URL('./mistakes.txt', import.meta.url),
  'utf8',
)
  .split(/^== /m)
  .slice(1)
  .map(row)
