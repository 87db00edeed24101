/**
 * Sandbox DNS: the demo's own DNS, edited as at a provider. Only the demo and `npm run dev` serve these endpoints;
 * `sandboxDns` of the installation says whether they exist.
 */
import { z } from 'zod'
import { recordPurpose } from '../domains.ts'
import { REQUIRED } from '../fields.ts'
import { route } from '../route.ts'

export const sandboxRecordTypes = ['TXT', 'MX', 'CNAME', 'A', 'AAAA'] as const
const recordType = z.enum(sandboxRecordTypes)
export type SandboxRecordType = z.infer<typeof recordType>

const MAX_TXT_BYTES = 4_000
const isLabel = (label: string): boolean => /^(?:\*|@|[a-z0-9_](?:[a-z0-9_-]{0,62}))$/i.test(label)
const isName = (name: string): boolean => name.length <= 253 && name.split('.').every(isLabel)
const isHost = (host: string): boolean => host !== '' && isName(host.replace(/\.$/, ''))
const isIn = (schema: z.ZodType, value: string): boolean => schema.safeParse(value).success

/** Refuses only what a provider's editor would refuse. */
const faultOf: Record<SandboxRecordType, (value: string) => string | null> = {
  TXT: (value) =>
    new TextEncoder().encode(value).length > MAX_TXT_BYTES ? 'At most 4,000 bytes' : null,
  MX: (value) => (value === '.' || isHost(value) ? null : 'An MX record names a mail server'),
  CNAME: (value) => (isHost(value) ? null : 'A CNAME record names another host'),
  A: (value) => (isIn(z.ipv4(), value) ? null : 'An A record holds an IPv4 address'),
  AAAA: (value) => (isIn(z.ipv6(), value) ? null : 'An AAAA record holds an IPv6 address'),
}

const whole = (from: number, to: number, message: string) =>
  z.number(message).int(message).min(from, message).max(to, message)

/** One line of the editor as typed. The host is relative to the zone; '@' is the zone itself. */
export const sandboxRecordForm = z
  .strictObject({
    host: z
      .string()
      .trim()
      .max(253, 'At most 253 characters')
      .refine(
        (host) => host === '' || host === '@' || isHost(host),
        'A host has letters, digits, hyphens, underscores and dots',
      ),
    type: recordType,
    value: z.string().trim().min(1, REQUIRED).max(MAX_TXT_BYTES, 'At most 4,000 bytes'),
    priority: whole(0, 65_535, 'A number from 0 to 65535').nullable().describe('For MX records.'),
    ttl: whole(30, 86_400, 'From 30 to 86400 seconds'),
  })
  .superRefine(({ type, value, priority }, context) => {
    const fault = faultOf[type](value)
    if (fault !== null) context.addIssue({ code: 'custom', path: ['value'], message: fault })
    if (type === 'MX' && priority === null)
      context.addIssue({ code: 'custom', path: ['priority'], message: REQUIRED })
  })
export type SandboxRecordForm = z.infer<typeof sandboxRecordForm>

const sandboxRecord = z.object({
  id: z.string().describe('Identifies name, type and value: a changed value is another record.'),
  name: z.string(),
  host: z.string().describe('The name without the zone.'),
  type: recordType,
  value: z.string(),
  priority: z.number().int().nullable(),
  ttl: z.number().int(),
})
export type SandboxRecord = z.infer<typeof sandboxRecord>

const askedRecord = z.object({
  purpose: recordPurpose,
  type: z.string(),
  name: z.string(),
  value: z.string(),
  priority: z.number().int().nullable(),
  isPublished: z.boolean(),
})

const mistakeGroup = z.enum(['ownership', 'spf', 'dkim', 'dmarc', 'mx', 'zone', 'servers'])

/** A mistake that one click makes and another click undoes. */
const sandboxMistake = z.object({
  id: z.string(),
  group: mistakeGroup,
  title: z.string(),
  text: z.string().describe('What the mistake changes in the zone.'),
  isMade: z.boolean(),
})
export type SandboxMistake = z.infer<typeof sandboxMistake>

export const sandboxZone = z.object({
  _id: z.string().describe('Id of the domain.'),
  name: z.string(),
  unicodeName: z.string(),
  zone: z.string().nullable().describe('The zone of the domain; null when no name server has it.'),
  isForeign: z
    .boolean()
    .describe('The zone belongs to another workspace: it is neither shown nor changed.'),
  nameServers: z.array(z.string()),
  records: z.array(sandboxRecord),
  asked: z.array(askedRecord),
  mistakes: z.array(sandboxMistake),
})
export type SandboxZone = z.infer<typeof sandboxZone>

const listedZone = sandboxZone
  .pick({ _id: true, name: true, unicodeName: true, isForeign: true })
  .extend({
    hasZone: z.boolean(),
    records: z.number().int(),
    published: z.number().int(),
    asked: z.number().int(),
    mistakes: z
      .array(sandboxMistake.pick({ group: true, title: true }))
      .describe('The mistakes that are made now.'),
  })
export type ListedSandboxZone = z.infer<typeof listedZone>

const byDomain = z.object({ id: z.string() })
const byRecord = byDomain.extend({ recordId: z.string() })

export const SANDBOX_PATH = '/sandbox-dns'

export const listSandboxZones = route({
  name: 'listSandboxZones',
  method: 'GET',
  path: SANDBOX_PATH,
  summary: 'Demo only: the zones of the domains of the workspace',
  access: 'see-domains',
  reads: ['sandbox'],
  output: z.array(listedZone),
  errors: [],
})

export const getSandboxZone = route({
  name: 'getSandboxZone',
  method: 'GET',
  path: `${SANDBOX_PATH}/{id}`,
  summary: 'Demo only: the zone of a domain, its records and the mistakes that can be made in it',
  access: 'see-domains',
  reads: ['sandbox'],
  params: byDomain,
  output: sandboxZone,
  errors: ['NOT_EXISTS'],
})

/** Each answers the zone after the change. */
const change = { access: 'manage-domains', output: sandboxZone, errors: ['NOT_EXISTS'] } as const

export const publishAll = route({
  name: 'publishAll',
  ...change,
  method: 'POST',
  path: `${SANDBOX_PATH}/{id}/publish`,
  summary: 'Demo only: publish every record as asked, and undo every mistake',
  changes: ['sandbox'],
  params: byDomain,
})

export const addSandboxRecord = route({
  name: 'addSandboxRecord',
  ...change,
  method: 'POST',
  path: `${SANDBOX_PATH}/{id}/records`,
  summary: 'Demo only: add a record to the zone',
  changes: ['sandbox'],
  params: byDomain,
  body: sandboxRecordForm,
})

export const changeSandboxRecord = route({
  name: 'changeSandboxRecord',
  ...change,
  method: 'PUT',
  path: `${SANDBOX_PATH}/{id}/records/{recordId}`,
  summary: 'Demo only: change a record of the zone',
  changes: ['sandbox'],
  params: byRecord,
  body: sandboxRecordForm,
})

export const deleteSandboxRecord = route({
  name: 'deleteSandboxRecord',
  ...change,
  method: 'DELETE',
  path: `${SANDBOX_PATH}/{id}/records/{recordId}`,
  summary: 'Demo only: delete a record of the zone',
  changes: ['sandbox'],
  params: byRecord,
})

export const makeSandboxMistake = route({
  name: 'makeSandboxMistake',
  ...change,
  method: 'POST',
  path: `${SANDBOX_PATH}/{id}/mistakes`,
  summary: 'Demo only: make a mistake in the zone',
  changes: ['sandbox'],
  params: byDomain,
  body: z.strictObject({ mistake: z.string() }),
})

export const undoSandboxMistake = route({
  name: 'undoSandboxMistake',
  ...change,
  method: 'DELETE',
  path: `${SANDBOX_PATH}/{id}/mistakes/{mistake}`,
  summary: 'Demo only: undo a mistake',
  changes: ['sandbox'],
  params: byDomain.extend({ mistake: z.string() }),
})
