import { finishUpgrade } from '#server/features/operating/upgrades/finish-upgrade.ts'
import type { Verb } from './verb.ts'

export const upgradeVerbs: Record<string, Verb> = {
  'upgrade finish': {
    takes: '',
    does: 'does what no program of the release before could work with, while Mailstead runs; the way back to it ends',
    words: [0, 0],
    run: async (app) => {
      const done = await finishUpgrade(app, (line) => void process.stderr.write(`${line}\n`))
      return done.length === 0
        ? 'There is nothing to finish.'
        : `The upgrade is finished (${done.join(', ')}). The release before is refused from now on.`
    },
    notes: () => ({ verb: 'upgrade finish', workspaceId: null, subject: 'database' }),
  },
}
