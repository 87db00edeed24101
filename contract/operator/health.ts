/** What an installation lacks, as its operator reads it: one sentence what is wrong, one how to mend it, and what to copy. */
import { z } from 'zod'
import { route } from '../route.ts'

/** In the order of the list, where the state is the same. */
export const checkTitles = {
  names: 'Names',
  'name-servers': 'Name servers',
  address: 'Address in DNS',
  'reverse-name': 'Reverse name',
  records: 'Records of the mail host',
  'port-out': 'Port 25, outwards',
  'port-in': 'Port 25, inwards',
  web: 'Web address',
  passkeys: 'Passkeys',
  certificate: 'Certificate for mail',
  'block-lists': 'Block lists',
  'card-payments': 'Payments by card',
  'system-mail': 'Mail of the installation',
  clock: 'Clock',
  disk: 'Disk',
  database: 'Database',
  jobs: 'Jobs',
  backups: 'Backups',
} as const

export const healthCheck = z.enum(Object.keys(checkTitles) as [keyof typeof checkTitles])
export type HealthCheck = z.infer<typeof healthCheck>

export const remedy = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('record'), name: z.string(), type: z.string(), value: z.string() }),
  /** To be typed at a terminal. */
  z.object({ kind: z.literal('command'), text: z.string() }),
  /** Lines of mailstead.env. */
  z.object({ kind: z.literal('setting'), text: z.string() }),
  /** The page of somebody else. */
  z.object({ kind: z.literal('page'), text: z.string() }),
])
export type Remedy = z.infer<typeof remedy>

export const healthState = z.enum(['wrong', 'unknown', 'good'])
export type HealthState = z.infer<typeof healthState>

export const healthFinding = z.object({
  check: healthCheck,
  state: healthState,
  says: z
    .string()
    .describe('One sentence: what is wrong, why it cannot be known, or what was seen.'),
  mending: z.string().describe("One sentence; '' where there is nothing to do."),
  remedy: remedy.nullable(),
})
export type HealthFinding = z.infer<typeof healthFinding>

export const health = z.object({
  checkedAt: z.iso.datetime(),
  items: z
    .array(healthFinding)
    .describe(
      'What is wrong first, then what could not be known. A check may find several things.',
    ),
})
export type Health = z.infer<typeof health>

export const getHealth = route({
  name: 'getHealth',
  method: 'GET',
  path: '/operator/health',
  summary: 'What this installation lacks; tried now, which takes up to ten seconds',
  access: 'operator',
  reads: ['installation'],
  output: health,
  errors: [],
})
