/** Alerts, as operators read them in the browser. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

const way = z.enum(['ALERT_URL', 'ALERT_RELAY_URL'])

export const alertsPage = z.object({
  /** `to`: the host or the addresses; null: not set. */
  ways: z.array(z.object({ setting: way, to: z.string().nullable() })),
  /** What is watched, and what an operator can do about it. */
  conditions: z.array(z.object({ name: z.string(), mend: z.string() })),
  /** `isTold` false: it was just seen, and is told when it lasts. */
  firing: z.array(
    z.object({
      name: z.string(),
      since: z.iso.datetime(),
      isTold: z.boolean(),
      sentence: z.string(),
    }),
  ),
  /** The last fifty, newest first. */
  news: z.array(
    z.object({
      ...{ _id: fields.id, name: z.string(), news: z.enum(['begun', 'ended']) },
      ...{ at: z.iso.datetime(), sentence: z.string() },
    }),
  ),
})
export type AlertsPage = z.infer<typeof alertsPage>

export const getAlerts = route({
  method: 'GET',
  path: '/operator/alerts',
  summary: 'Which alerts are set up, what is wrong now, and the last fifty',
  access: 'operator',
  reads: ['operating'],
  output: alertsPage,
  errors: [],
})

export const sendTestAlert = route({
  method: 'POST',
  path: '/operator/alerts/test',
  summary: 'Send a test alert by each way that is set up',
  access: 'operator',
  changes: [],
  output: z.object({
    /** `why`: why it was not taken; null: it was. */
    tried: z.array(z.object({ setting: way, why: z.string().nullable() })),
  }),
  errors: [],
})
