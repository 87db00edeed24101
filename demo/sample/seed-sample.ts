/** Fills the sample workspace. Everything except the stated storage goes through the product's features. */
import type { App } from '#server/app.ts'
import { getFirstSteps, markWorksSeen } from '#server/features/stats/first-steps.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Elsewhere } from '../world/elsewhere.ts'
import { daysBefore } from './at-time.ts'
import { seedCompany, seedTeam, type Team } from './people.ts'
import { seedDomains } from './seed-domains.ts'
import { seedMail } from './seed-mail.ts'
import { seedMailboxes, stateUsedBytes } from './seed-mailboxes.ts'

type World = { sandbox: Sandbox; elsewhere: Elsewhere }

/** @throws when `stop` is aborted */
export const seedSample = async (app: App, world: World, stop: AbortSignal): Promise<Team> => {
  const team = await seedTeam(app, daysBefore(app.clock.now(), 140))
  await seedCompany(app, team.admin)
  await seedDomains(app, team.admin, world.sandbox)
  stop.throwIfAborted()
  await seedMailboxes(app, team)
  stop.throwIfAborted()
  await seedMail(app, team.admin, world.elsewhere)
  await stateUsedBytes(app, team.admin)
  // Its people know since long that it works.
  for (;;) {
    const { working } = await getFirstSteps(app, team.admin)
    if (working.length === 0) break
    for (const { _id } of working) await markWorksSeen(app, team.admin, _id)
  }
  return team
}
