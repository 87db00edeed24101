/** When started by root: opens the privileged ports, gives DATA_DIR to the user of RUN_AS, and becomes that user. */
import { realpathSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { dirname, join } from 'node:path'
import type { Config } from './config.ts'
import {
  type Account,
  accountNamed,
  become,
  firstClosedFolder,
  giveRootsFolder,
} from './lib/accounts.ts'
import { makeDataFolder } from './lib/files/data-folder.ts'
import { bindPort, explainListenError, StartError } from './lib/ports/bound-ports.ts'
import { readTlsAsRoot } from './lib/tls/tls.ts'
import { loadDoors } from './open-doors.ts'
import { clusterOwner } from './storage/embedded-postgres/runtime.ts'

/** Does nothing when the program was not started by root. @throws StartError */
export const leaveRoot = async (config: Config, say: (line: string) => void): Promise<void> => {
  if (process.getuid?.() !== 0 || config.runAs === 'root') return
  makeDataFolder(config.dataDir)
  const dataDir = realpathSync(config.dataDir)
  const account = accountFor(config, dataDir)
  const closed =
    firstClosedFolder(account, import.meta.dirname) ?? firstClosedFolder(account, dirname(dataDir))
  if (closed !== null) {
    const why = `user ${account.name} may not enter ${closed}`
    if (config.runAs !== null)
      throw new StartError(`RUN_AS is ${account.name}, but ${why}. Please allow it.`)
    return say(`Mailstead goes on as root, since ${why}.`)
  }
  await openRootsPorts(config)
  if (config.tlsCertFile !== null && config.tlsKeyFile !== null)
    await readTlsAsRoot(config.tlsCertFile, config.tlsKeyFile)
  await loadDoors(config.roles)
  flushCompileCache()
  giveRootsFolder(dataDir, account)
  // The user may have no access to the working directory, where packages search for their settings.
  process.chdir(join(import.meta.dirname, '..'))
  become(account)
}

/** An existing database keeps its owner. */
const accountFor = ({ runAs, databaseUrl }: Config, dataDir: string): Account => {
  const owner = databaseUrl === null ? clusterOwner(dataDir) : null
  const wanted = runAs === null ? null : accountNamed(runAs)
  if (wanted === undefined)
    throw new StartError(`RUN_AS is ${runAs}, but there is no such user on this system.`)
  if (wanted && owner && owner.uid !== wanted.uid)
    throw new StartError(
      `RUN_AS is ${wanted.name}, but the database in ${dataDir} is ${owner.name}'s. Please give it away, while nothing runs, with: chown -R ${wanted.name} ${dataDir}`,
    )
  const account = wanted ?? owner ?? accountNamed('mailstead') ?? accountNamed('nobody')
  if (account) return account
  throw new StartError(
    'Mailstead was started by root, and there is no user mailstead or nobody that it could become. Please add one, or set RUN_AS.',
  )
}

/** Opens only the privileged ports; the unprivileged user opens the others. */
const openRootsPorts = async ({ roles, ...config }: Config): Promise<void> => {
  const ofMail = (portSetting: string, port: number) => ({
    ...{ portSetting, hostSetting: 'MAIL_LISTEN', port, host: config.mailListen },
  })
  const web = { portSetting: 'PORT', hostSetting: 'HOST', port: config.port, host: config.host }
  const ofWeb = (portSetting: string, port: number | null) => ({
    ...{ portSetting, hostSetting: 'HOST', port: port ?? 0, host: config.webListen },
  })
  const secureWeb = [ofWeb('HTTPS_PORT', config.httpsPort), ofWeb('HTTP_PORT', config.httpPort)]
  const imap = [ofMail('IMAP_PORT', config.imapPort), ofMail('IMAPS_PORT', config.imapsPort)]
  const smtp = [
    ofMail('SMTP_PORT', config.smtpPort),
    ofMail('SUBMISSION_PORT', config.submissionPort),
    ofMail('SUBMISSIONS_PORT', config.submissionsPort),
  ]
  const wanted = [
    ...(roles.includes('web') ? [web, ...secureWeb] : []),
    ...(roles.includes('smtp') ? smtp : []),
    ...(roles.includes('imap') ? imap : []),
  ]
  for (const at of wanted) {
    if (at.port === 0 || at.port > 1023) continue
    await bindPort(at.port, at.host).catch((error: unknown) => {
      throw explainListenError(error, at)
    })
  }
}
