import { listAlerts, testAlert } from '#server/features/operating/alerts/operate-alerts.ts'
import type { Verb } from './verb.ts'

export const alertVerbs: Record<string, Verb> = {
  'alert list': {
    takes: '',
    does: 'what is wrong now, and since when',
    words: [0, 0],
    run: async (app) => ({
      head: ['alert', 'since', 'state', 'what is wrong'],
      rows: (await listAlerts(app)).map(({ name, since, isTold, sentence }) => [
        ...[name, since, isTold ? 'begun' : 'just seen', sentence],
      ]),
      none: 'Nothing is wrong.',
    }),
  },
  'alert test': {
    takes: '',
    does: 'sends a test alert, and says how that went',
    words: [0, 0],
    run: async (app) => {
      const tried = await testAlert(app)
      const result = (why: string | null) => (why === null ? 'taken' : `not taken: ${why}`)
      return {
        lines:
          tried.length === 0
            ? ['Neither ALERT_URL nor ALERT_RELAY_URL is set: alerts are only logged.']
            : tried.map(({ setting, why }) => `${setting}: ${result(why)}`),
        json: tried.map(({ setting, why }) => ({ by: setting, result: result(why) })),
        isFault: tried.length === 0 || tried.some(({ why }) => why !== null),
      }
    },
  },
}
