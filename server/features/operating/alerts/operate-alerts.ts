/** What an operator asks of the alerts at a terminal. */
import type { OperatorApp } from '#server/features/operators/operators.ts'
import type { Channel } from './alert-state.ts'
import { alertTable } from './alerts-store.ts'
import { channelSettings, channelsOf, sendAlert } from './send-alert.ts'

export type HeldAlert = { name: string; since: Date; isTold: boolean; sentence: string }

/** What holds now, the longest first; one that is too short to be told among them. */
export const listAlerts = async ({ db }: Pick<OperatorApp, 'db'>): Promise<HeldAlert[]> =>
  [...(await alertTable(db).read())]
    .filter(([, { endedAt }]) => endedAt === null)
    .map(([name, { since, begunAt, sentence }]) => ({
      ...{ name, since, sentence, isTold: begunAt !== null },
    }))

export type Tried = { setting: (typeof channelSettings)[Channel]; why: string | null }

/** Sends a test by each setting. `why` null: it was taken. */
export const testAlert = (app: Pick<OperatorApp, 'config' | 'clock'>): Promise<Tried[]> =>
  Promise.all(
    channelsOf(app.config).map(async (channel) => ({
      setting: channelSettings[channel],
      why: await sendAlert(app, channel, {
        ...{ alert: 'test', state: 'begun', since: app.clock.now() },
        sentence: 'This is a test by npm run operator -- alert test.',
        mend: 'Nothing is wrong.',
      }),
    })),
  )
