/** Alerts, as operators read them in the browser. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

const way = z.enum(['ALERT_URL', 'ALERT_RELAY_URL'])

export const alertsPage = z.object({
  ways: z
    .array(z.object({ setting: way, to: z.string().nullable() }))
    .describe('`to`: the host or the addresses; null: not set.'),
  conditions: z
    .array(z.object({ name: z.string(), mend: z.string() }))
    .describe('What is watched, and what an operator can do about it.'),
  firing: z
    .array(
      z.object({
        name: z.string(),
        since: z.iso.datetime(),
        isTold: z.boolean(),
        sentence: z.string(),
      }),
    )
    .describe('`isTold` false: it was just seen, and is told when it lasts.'),
  news: z
    .array(
      z.object({
        ...{ _id: fields.id, name: z.string(), news: z.enum(['begun', 'ended']) },
        ...{ at: z.iso.datetime(), sentence: z.string() },
      }),
    )
    .describe('The last fifty, newest first.'),
})
export type AlertsPage = z.infer<typeof alertsPage>

export const getAlerts = route({
  name: 'getAlerts',
  method: 'GET',
  path: '/operator/alerts',
  summary: 'Which alerts are set up, what is wrong now, and the last fifty',
  access: 'operator',
  reads: ['operating'],
  output: alertsPage,
  errors: [],
})

export const sendTestAlert = route({
  name: 'sendTestAlert',
  method: 'POST',
  path: '/operator/alerts/test',
  summary: 'Send a test alert by each way that is set up',
  access: 'operator',
  changes: [],
  output: z.object({
    tried: z
      .array(z.object({ setting: way, why: z.string().nullable() }))
      .describe('`why`: why it was not taken; null: it was.'),
  }),
  errors: [],
})
