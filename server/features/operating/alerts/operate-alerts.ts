/** What an operator asks of the alerts at a terminal. */
import type { AlertsPage } from '#contract/operator/alerts.ts'
import type { OperatorApp } from '#server/features/operators/operators.ts'
import type { Channel } from './alert-state.ts'
import { alertTable, readAlertNews } from './alerts-store.ts'
import { conditions, conditionsWithoutDatabase } from './conditions.ts'
import { channelSettings, channelsOf, sendAlert } from './send-alert.ts'

export type HeldAlert = { name: string; since: Date; isTold: boolean; sentence: string }

/** What holds now, the longest first; one that is too short to be told among them. */
export const listAlerts = async ({ db }: Pick<OperatorApp, 'db'>): Promise<HeldAlert[]> =>
  [...(await alertTable(db).read())]
    .filter(([, { endedAt }]) => endedAt === null)
    .map(([name, { since, begunAt, sentence }]) => ({
      ...{ name, since, sentence, isTold: begunAt !== null },
    }))

const MOST_NEWS = 50

/** All that the page of operators says of alerts; of where they go, no secret. */
export const showAlerts = async ({ db, config }: OperatorApp): Promise<AlertsPage> => ({
  ways: [
    { setting: 'ALERT_URL', to: config.alertUrl === null ? null : new URL(config.alertUrl).host },
    { setting: 'ALERT_RELAY_URL', to: config.alertRelay?.to.join(', ') ?? null },
  ],
  conditions: [...conditions, ...conditionsWithoutDatabase].map(({ name, mend }) => ({
    name,
    mend,
  })),
  firing: (await listAlerts({ db })).map((alert) => ({
    ...alert,
    since: alert.since.toISOString(),
  })),
  news: (await readAlertNews(db, MOST_NEWS)).map(({ id, at, ...news }) => ({
    ...{ _id: id, at: at.toISOString() },
    ...news,
  })),
})

export type Tried = { setting: (typeof channelSettings)[Channel]; why: string | null }

/** Sends a test by each setting. `why` null: it was taken. */
export const testAlert = (app: Pick<OperatorApp, 'config' | 'clock'>): Promise<Tried[]> =>
  Promise.all(
    channelsOf(app.config).map(async (channel) => ({
      setting: channelSettings[channel],
      why: await sendAlert(app, channel, {
        ...{ alert: 'test', state: 'begun', since: app.clock.now() },
        sentence: 'This is a test, as an operator asked for.',
        mend: 'Nothing is wrong.',
      }),
    })),
  )
