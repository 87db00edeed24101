/**
 * Kills the whole product again and again during incoming and outgoing mail, and counts lost and doubled mails. Before that:
 * random histories of domain ownership, of the change log and of twenty mail programs are compared with a model, mutated sessions
 * of mail programs attack the IMAP door, everything is killed while the store is swept, thousands of deliveries go to hostile
 * servers, PostgreSQL is killed, stopped and starved under load, hostile mails are read in a browser, Pebble issues certificates, a
 * real name server loads the product's zone file, a release is installed, upgraded and taken back in an empty Debian, third-party programs exchange mail with it and tell the structure of mails, and
 * Thunderbird sets itself up.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { aProduct, ELSEWHERE, NO_BRAKES } from '#test-world/product.ts'
import { aMailboxAt, anAccount, anActiveDomain } from '#test-world/trials/account.ts'
import { tryDeployment } from '#test-world/trials/deploy/try-deployment.ts'
import { tryHostileMails } from '#test-world/trials/hostile-trial.ts'
import { killWhileReceiving } from '#test-world/trials/incoming-kill.ts'
import { killWhileSending } from '#test-world/trials/outgoing-kill.ts'
import { tryPeers } from '#test-world/trials/peers/try-peers.ts'
import { tryStructures } from '#test-world/trials/peers/try-structures.ts'
import { tryZoneFile } from '#test-world/trials/zone-file.ts'
import { runStory } from './run-story.ts'
import { runTrial } from './run-trial.ts'
import { tryMailPrograms } from './try-mail-programs.ts'

const MAILS_IN = 500
const MAILS_OUT = 20
/** Every fourth kill happens during outgoing mail instead. */
const OUTGOING_EVERY = 4
/** Histories of domain ownership, and as many of a mailbox and its change log: 10,000 by default. */
const HISTORIES_PER_KILL = 50
/** Of twenty mail programs, two slow ones and a page that change one mailbox: ten by default. */
const MINUTES_PER_KILL = 0.05
/** Mutated sessions of mail programs: a million by default. */
const SESSIONS_PER_KILL = 5_000
/** Spoilt requests of the OpenAPI document: 100,000 by default. */
const REQUESTS_PER_KILL = 500
/** At the second factor of one account: 20,000 by default. */
const GUESSES_PER_KILL = 100
/** Mails that programs from Debian carry: 10,000 by default. */
const MAILS_CARRIED_PER_KILL = 50
/** While the store is swept, the database alone is killed once for four kills of everything: 50 times by default. */
const KILLS_PER_DATABASE_KILL = 4
/** Deliveries to hostile servers: 5,000 by default. */
const DELIVERIES_PER_KILL = 25
/** With fewer, some events do not occur. */
const FEWEST_DELIVERIES = 200

/** Bits in stored mails, and in a backup. */
const FLIPS = 100

const kills = numberFrom(process.argv[2], 200)
const firstSeed = numberFrom(process.argv[3], 1)
const startedAt = performance.now()
const histories = kills * HISTORIES_PER_KILL
const areHistoriesRight = await runTrial('ownership', { HISTORIES: histories })
const isLogRight = await runTrial('change-log', { HISTORIES: histories })
const doProgramsAgree = await runTrial('mail-programs', {
  ...{ PROGRAMS: 20, MINUTES: kills * MINUTES_PER_KILL, SEED: firstSeed },
})
const sessions = kills * SESSIONS_PER_KILL
const isDoorUnharmed = await runTrial('imap-mutations', { SESSIONS: sessions, SEED: firstSeed })
const databaseKills = Math.ceil(kills / KILLS_PER_DATABASE_KILL)
const isStoreSurvived = await runTrial('store-kill', {
  ...{ KILLS: kills, DATABASE_KILLS: databaseKills, SEED: firstSeed },
})
const deliveries = Math.max(kills * DELIVERIES_PER_KILL, FEWEST_DELIVERIES)
const isSinkSurvived = await runTrial('hostile-sink', { DELIVERIES: deliveries, SEED: firstSeed })
const isDatabaseSurvived = await runTrial('database-trouble', { TROUBLES: 1 })
const isInputRefused = await runTrial('server/http/tests/hostile-input', { TRIALS: 'all' })
const requests = kills * REQUESTS_PER_KILL
const areAnswersDeclared = await runTrial('requests', {
  ...{ REQUESTS: requests, SEED: firstSeed },
})
const guesses = kills * GUESSES_PER_KILL
const areGuessesRefused = await runTrial('guesses', { GUESSES: guesses })
const areCertificatesRight = await runTrial('certificates', { DIRECTORY: 'pebble' })
const areWorkersApart = await runTrial('workers-apart', {})
const isBackupSurvived = await runTrial('backup-kill', {
  ...{ KILLS: Math.max(4, databaseKills), SEED: firstSeed },
})
const areEventsKept = await runTrial('webhook-kill', {
  ...{ KILLS: Math.max(4, databaseKills), SEED: firstSeed },
})
const isUpgradeSurvived = await runTrial('upgrade-kill', {
  ...{ KILLS: Math.max(6, databaseKills), SEED: firstSeed },
})
const isCarriedOver = await runTrial('carry-over-kill', {
  ...{ KILLS: Math.max(5, databaseKills), SEED: firstSeed },
})
const isDamageFound = await runTrial('flipped-bits', { FLIPS, SEED: firstSeed })
const isBucketRight = await runTrial('backup-bucket', { STORE: 'swift' })
const areMailsHarmless = await runStory('hostile-mail')
const deployment = await tryDeployment()
for (const fault of deployment.faults) console.log(`  ${fault}`)

const product = await aProduct({ BILLING: 'off', DOMAIN_MAILBOX_LIMIT: '100000', ...NO_BRAKES })
const account = await anAccount(product, `ada@${ELSEWHERE}`)
const domain = await anActiveDomain(product, account, 'soak.example')

const incoming = { kills: 0, acknowledged: 0, inFlight: 0, inFlightKept: 0 }
const outgoing = { kills: 0, deliveries: 0, deliveredBefore: 0 }
const restartsMs: number[] = []
const zoneFile = await tryZoneFile(product, account)
console.log(`zone file: ${zoneFile.served} records served by a name server that loaded it`)
for (const fault of zoneFile.faults) console.log(`  ${fault}`)
const peers = await tryPeers(product, account)
console.log(`peers nobody here wrote: ${JSON.stringify(peers.accepted)}`)
for (const fault of peers.faults) console.log(`  ${fault}`)
const programs = await tryMailPrograms(
  product,
  account,
  await aMailboxAt(account, domain, 'programs'),
  Math.min(10_000, kills * MAILS_CARRIED_PER_KILL),
)
const structures = tryStructures()
console.log(`structures told as Dovecot tells them: ${structures.compared} kinds of mail`)
for (const fault of structures.faults) console.log(`  ${fault}`)
const hostile = await tryHostileMails(
  product,
  account,
  await aMailboxAt(account, domain, 'hostile'),
)
for (const fault of hostile.faults) console.log(`  ${fault}`)
const faults: string[] = []
for (let seed = firstSeed; seed < firstSeed + kills; seed++) {
  const isOutgoing = (seed - firstSeed) % OUTGOING_EVERY === OUTGOING_EVERY - 1
  const mailbox = await aMailboxAt(account, domain, `${isOutgoing ? 'out' : 'in'}${seed}`)
  const trial = isOutgoing ? await sending(seed, mailbox) : await receiving(seed, mailbox)
  restartsMs.push(trial.restartMs)
  faults.push(...trial.faults.map((fault) => `seed ${seed}: ${fault}`))
  console.log(`kill ${seed - firstSeed + 1} of ${kills} (seed ${seed}): ${trial.said}`)
  for (const fault of trial.faults) console.log(`  ${fault}`)
}
await product.close()

async function receiving(seed: number, mailbox: Parameters<typeof killWhileReceiving>[2]) {
  const trial = await killWhileReceiving(product, account, mailbox, { seed, count: MAILS_IN })
  incoming.kills += 1
  incoming.acknowledged += trial.acknowledged
  incoming.inFlight += trial.inFlight
  incoming.inFlightKept += trial.inFlightKept
  return {
    ...trial,
    said: `${trial.acknowledged} mails had got 250, ${trial.inFlight} had not yet`,
  }
}

async function sending(seed: number, mailbox: Parameters<typeof killWhileSending>[2]) {
  const trial = await killWhileSending(product, account, mailbox, { seed, count: MAILS_OUT })
  outgoing.kills += 1
  outgoing.deliveries += MAILS_OUT
  outgoing.deliveredBefore += trial.deliveredBefore
  const { stage, deliveredBefore } = trial
  return {
    ...trial,
    said: `${deliveredBefore} of ${MAILS_OUT} were out, others hung at '${stage}'`,
  }
}

function numberFrom(text: string | undefined, usual: number): number {
  const number = text === undefined ? usual : Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new Error(`'${text}' is no number of kills or seed`)
}

restartsMs.sort((a, b) => a - b)
const restart = (share: number) =>
  Math.round(restartsMs[Math.ceil(restartsMs.length * share) - 1] ?? 0)
const mostOf = (what: 'answeredMs' | 'openedMs' | 'workMs' | 'memoryMb') =>
  Math.round(Math.max(...hostile.mails.map((mail) => mail[what])))
const rows: [what: string, value: number][] = [
  ['histories of who holds a name, and of a change log', histories],
  ['mutated sessions of mail programs', sessions],
  ['spoilt requests of the OpenAPI document', requests],
  ['guesses at a second factor', guesses],
  ['kills -9 of everything while the store is swept', kills],
  ['  and of the database alone', databaseKills],
  ['deliveries to hostile servers, over five days', deliveries],
  ['records of zone files served by a real name server', zoneFile.served],
  ['  faults of zone files, or of the DKIM key in them', zoneFile.faults.length],
  ['signatures that OpenDKIM accepts, of 100', peers.accepted.opendkim],
  ['  that dkimpy accepts: RSA', peers.accepted.dkimpyRsa],
  ['  and Ed25519', peers.accepted.dkimpyEd25519],
  ['faults among swaks, msmtp, smtp-source and Postfix, or of signatures', peers.faults.length],
  ['mails that mbsync and offlineimap carried', programs.carried],
  ['  steps that Thunderbird took', programs.steps.length],
  ['  faults of mail programs', programs.faults.length],
  ['kinds of mail whose structure was compared with Dovecot', structures.compared],
  ['  told in another way', structures.faults.length],
  ['longest time without service in an upgrade (ms)', deployment.awayMs ?? Number.NaN],
  [
    '  faults of a release as a service, in a container and behind proxies',
    deployment.faults.length,
  ],
  ['mails made to break readers', hostile.mails.length],
  ['  refused', hostile.mails.filter(({ isStored }) => !isStored).length],
  ['  stored, readable and byte for byte', hostile.mails.filter(({ isStored }) => isStored).length],
  ['  slowest to be answered (ms)', mostOf('answeredMs')],
  ['  slowest to be opened (ms)', mostOf('openedMs')],
  ['  longest work for one (ms of processor)', mostOf('workMs')],
  ['  most memory for one (MB)', mostOf('memoryMb')],
  ['  longest that the web door kept a caller waiting (ms)', Math.round(hostile.webDoorMs)],
  ['  faults of them', hostile.faults.length],
  ['kills -9 of everything, with PostgreSQL', kills],
  ['among incoming mail', incoming.kills],
  ['  mails that had got 250', incoming.acknowledged],
  ['  mails without an answer yet', incoming.inFlight],
  ['    of them there afterwards, once', incoming.inFlightKept],
  ['among outgoing mail', outgoing.kills],
  ['  deliveries', outgoing.deliveries],
  ['    of them made before the kill', outgoing.deliveredBefore],
  ['lost, doubled or changed mails', faults.length],
  ['ready again, median (ms)', restart(0.5)],
  ['ready again, slowest (ms)', restart(1)],
]
const wide = Math.max(...rows.map(([what]) => what.length))
for (const [what, value] of rows) console.log(`${what.padEnd(wide)}  ${String(value).padStart(8)}`)

mkdirSync('.build', { recursive: true })
const machine = { cpus: cpus().length, memoryBytes: totalmem(), node: process.version }
const seconds = Math.round((performance.now() - startedAt) / 1000)
const report = { at: new Date().toISOString(), machine, seconds, firstSeed, kills }
writeFileSync(
  '.build/soak.json',
  JSON.stringify(
    {
      ...report,
      histories,
      areHistoriesRight,
      isLogRight,
      doProgramsAgree,
      sessions,
      isDoorUnharmed,
      programs,
      databaseKills,
      isStoreSurvived,
      deliveries,
      isSinkSurvived,
      isDatabaseSurvived,
      isInputRefused,
      areAnswersDeclared,
      guesses,
      areGuessesRefused,
      areWorkersApart,
      isBackupSurvived,
      areEventsKept,
      isUpgradeSurvived,
      isCarriedOver,
      isDamageFound,
      isBucketRight,
      areCertificatesRight,
      areMailsHarmless,
      zoneFile,
      peers,
      structures,
      deployment,
      hostile,
      incoming,
      outgoing,
      restartsMs: restartsMs.map(Math.round),
      faults,
    },
    null,
    2,
  ),
)
console.log(faults.length === 0 ? 'no mail was lost, doubled or changed' : 'mail was not safe')
for (const fault of [
  ...[...zoneFile.faults, ...peers.faults, ...programs.faults, ...structures.faults],
  ...hostile.faults,
  ...deployment.faults,
])
  console.log(fault)
if (!areHistoriesRight) console.log('a history of who holds a name went another way than its model')
if (!isLogRight) console.log('a change log told another mailbox than the one that is there')
if (!doProgramsAgree) console.log('a mail program knew another mailbox than the one that is there')
if (!isDoorUnharmed) console.log('a mutated session harmed the IMAP door, or somebody behind it')
if (!isStoreSurvived) console.log('a kill while the store was swept cost a mail')
if (!isSinkSurvived) console.log('a delivery to a hostile server did not end once')
if (!isDatabaseSurvived) console.log('trouble of PostgreSQL ended the program, or cost a mail')
if (!areAnswersDeclared) console.log('an answer was not one that the document declares')
if (!areGuessesRefused) console.log('a guess at a second factor was checked that should not be')
if (!isInputRefused) console.log('a route took what it must refuse')
if (!areCertificatesRight) console.log('Pebble did not issue, renew and revoke as it should')
if (!areWorkersApart) console.log('two workers sent a mail twice')
if (!isBackupSurvived) console.log('a backup or a restore that was killed lost something')
if (!areEventsKept) console.log('events of webhooks were lost over a kill')
if (!isUpgradeSurvived) console.log('a killed start that updated the database lost something')
if (!isCarriedOver) console.log('a killed start on an older PostgreSQL lost something')
if (!isDamageFound) console.log('a flipped bit in a stored mail or in a backup was not found')
if (!isBucketRight) console.log('a backup in a bucket of Swift did not come back')
if (!areMailsHarmless) console.log('a hostile mail did what no mail may do')
process.exitCode =
  areHistoriesRight &&
  isLogRight &&
  doProgramsAgree &&
  isDoorUnharmed &&
  isStoreSurvived &&
  isSinkSurvived &&
  isDatabaseSurvived &&
  isInputRefused &&
  areAnswersDeclared &&
  areGuessesRefused &&
  areWorkersApart &&
  isBackupSurvived &&
  areEventsKept &&
  isUpgradeSurvived &&
  isCarriedOver &&
  isDamageFound &&
  isBucketRight &&
  areCertificatesRight &&
  areMailsHarmless &&
  [
    faults,
    zoneFile.faults,
    peers.faults,
    programs.faults,
    structures.faults,
    hostile.faults,
    deployment.faults,
  ].every(({ length }) => length === 0)
    ? 0
    : 1
