/**
 * What this installation lacks, tried now: by `npm run operator -- check` and on the page Health. A check answers in ten seconds
 * or counts as not known. A trial asks nobody outside (decision 106).
 */
import {
  type Health,
  type HealthCheck,
  type HealthFinding,
  healthState,
} from '#contract/operator/health.ts'
import { trialSettings } from '#server/features/domains/trial.ts'
import { reasonOf } from '#server/lib/ports/bound-ports.ts'
import { within } from '#server/lib/wait.ts'
import { checkAddress, checkReverseNames } from './check-address.ts'
import { checkBackups } from './check-backups.ts'
import { checkBlockLists } from './check-block-lists.ts'
import { checkCardPayments } from './check-card-payments.ts'
import { checkCertificate } from './check-certificate.ts'
import { checkClock } from './check-clock.ts'
import { checkDatabase, checkDisk, checkJobs } from './check-machine.ts'
import { checkNameServers } from './check-name-servers.ts'
import { checkNames, checkSystemMail } from './check-names.ts'
import { checkPasskeys } from './check-passkeys.ts'
import { checkPortIn, checkPortOut } from './check-ports.ts'
import { checkRecords } from './check-records.ts'
import { checkWeb } from './check-web.ts'
import { type Check, type HealthApp, unknown } from './finding.ts'

const LIMIT_MS = 10_000

/** `isInside`: it asks nobody but this machine and its database. */
const checks: Record<HealthCheck, { run: Check; isInside?: true }> = {
  names: { run: checkNames, isInside: true },
  'name-servers': { run: checkNameServers },
  address: { run: checkAddress },
  'reverse-name': { run: checkReverseNames },
  records: { run: checkRecords },
  'port-out': { run: checkPortOut },
  'port-in': { run: checkPortIn },
  web: { run: checkWeb },
  passkeys: { run: checkPasskeys, isInside: true },
  certificate: { run: checkCertificate },
  'block-lists': { run: checkBlockLists },
  'card-payments': { run: checkCardPayments },
  'system-mail': { run: checkSystemMail, isInside: true },
  clock: { run: (app) => checkClock(app) },
  disk: { run: checkDisk, isInside: true },
  database: { run: checkDatabase, isInside: true },
  jobs: { run: checkJobs, isInside: true },
  backups: { run: checkBackups, isInside: true },
}

export const checkInstallation = async (app: HealthApp, limitMs = LIMIT_MS): Promise<Health> => {
  const checkedAt = app.clock.now().toISOString()
  const isTrial = trialSettings(app.config).length > 0
  const names = (Object.keys(checks) as HealthCheck[]).filter(
    (name) => !isTrial || checks[name].isInside,
  )
  const giveUpAt = Date.now() + limitMs
  const found = await Promise.all(names.map((name) => findingsOf(app, name, giveUpAt)))
  const rank = ({ state }: HealthFinding) => healthState.options.indexOf(state)
  return { checkedAt, items: found.flat().toSorted((a, b) => rank(a) - rank(b)) }
}

const LATE = unknown('It took too long to find out.', 'Check again.')

const findingsOf = async (
  app: HealthApp,
  check: HealthCheck,
  giveUpAt: number,
): Promise<HealthFinding[]> => {
  const found = await within(
    giveUpAt,
    checks[check]
      .run(app)
      .catch((error: unknown) => [
        unknown(`It could not be found out: ${reasonOf(error)}.`, 'Check again.'),
      ]),
    [LATE],
  )
  return found.map((each) => ({ check, ...each }))
}
