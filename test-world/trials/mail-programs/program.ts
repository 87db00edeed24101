/** A mail program that keeps what the server has told it of one folder, and nothing else. */
import type { ImapClient } from '../../imap/imap-client.ts'
import type { Chance } from '../seeded.ts'

/** `uid`: 0 until it was told. */
type Known = { uid: number; flags: string }

export type Program = {
  /** Does something at random, and takes in what it is told. */
  act(): Promise<void>
  /** Asks what is new, and tells what it knows: `uid flags`, in order. */
  known(): Promise<string[]>
  open(folder: string): Promise<void>
  folder(): string
  /** Takes in what is new, and disconnects; only who knows QRESYNC comes back to what it knew. */
  leave(): Promise<void>
  comeBack(): Promise<void>
  isAway(): boolean
  faults: string[]
}

const FOLDERS = ['INBOX', 'Archive', 'Sent', 'Trash'] as const
const FLAGS = ['\\Seen', '\\Flagged', '\\Answered', '\\Deleted', '$Work', '$Later'] as const

/** Above this many it removes some, so that a long trial stays quick. */
const ENOUGH = 150

/** `signIn` connects it, again whenever it comes back. */
export const aProgram = async (
  signIn: () => Promise<ImapClient>,
  chance: Chance,
  isQresync: boolean,
): Promise<Program> => {
  let client = await signIn()
  let isAway = false
  let messages: Known[] = []
  let folder = ''
  let uidValidity = 0
  let modseq = 0
  let hasEnabled = false
  const faults: string[] = []

  const take = (line: string): void => {
    const [, number = '', what = ''] = /^\* (\d+) (EXISTS|EXPUNGE|FETCH)/.exec(line) ?? []
    if (what === 'EXISTS') exist(Number(number))
    else if (what === 'EXPUNGE') {
      if (Number(number) > messages.length) faults.push(`${line} of ${messages.length}`)
      messages.splice(Number(number) - 1, 1)
    } else if (what === 'FETCH') fetched(Number(number), line)
    else if (line.startsWith('* VANISHED ')) vanished(line.slice('* VANISHED '.length))
  }
  const exist = (count: number): void => {
    if (count < messages.length) faults.push(`EXISTS ${count} where ${messages.length} are known`)
    while (messages.length < count) messages.push({ uid: 0, flags: '' })
  }
  const fetched = (number: number, line: string): void => {
    const message = messages[number - 1]
    if (message === undefined) {
      faults.push(`FETCH of ${number} where ${messages.length} are known`)
      return
    }
    const uid = Number(/UID (\d+)/.exec(line)?.[1] ?? 0)
    if (uid > 0 && message.uid > 0 && uid !== message.uid)
      faults.push(`${number} was ${message.uid} and is ${uid}`)
    if (uid > 0) message.uid = uid
    const flags = /FLAGS \(([^)]*)\)/.exec(line)?.[1]
    if (flags !== undefined) message.flags = sorted(flags)
  }
  const vanished = (set: string): void => {
    for (const gone of uidsIn(set)) {
      const at = messages.findIndex(({ uid }) => uid === gone)
      // Its number was told and its UID was not: it stands behind all that are lower.
      const hole = messages.findLastIndex(({ uid }) => uid > 0 && uid < gone) + 1
      if (at >= 0) messages.splice(at, 1)
      else if (messages[hole]?.uid === 0) messages.splice(hole, 1)
    }
  }
  /** An answer, with the modseq that is known after it (RFC 7162 §6). */
  const takeAll = (lines: readonly string[], ending = ''): void => {
    for (const line of lines) take(line)
    takeModseq([...lines, ending])
  }
  const takeModseq = (lines: readonly string[]): void => {
    const all = lines.join('\n')
    const code = /\[HIGHESTMODSEQ (\d+)\]/.exec(all)?.[1]
    const told = [...all.matchAll(/MODSEQ \((\d+)\)/g)].map(([, each]) => Number(each))
    modseq = code === undefined ? Math.max(modseq, ...told) : Number(code)
  }
  const run = async (command: string): Promise<string> => {
    const { untagged, ending } = await client.run(command)
    takeAll(untagged, ending)
    if (!ending.startsWith('OK') && !ending.startsWith('NO')) faults.push(`${command}: ${ending}`)
    return ending
  }
  const hasUnknown = (): boolean => messages.some(({ uid }) => uid === 0)
  /** What has left meanwhile has no UID to tell, and leaves with the next NOOP. */
  const learnUids = async (): Promise<void> => {
    while (hasUnknown()) {
      await run('FETCH 1:* (UID FLAGS)')
      if (hasUnknown()) await run('NOOP')
    }
  }
  const open = async (next: string): Promise<void> => {
    if (isQresync && !hasEnabled) {
      await client.ok('ENABLE QRESYNC')
      hasEnabled = true
    }
    messages = []
    folder = next
    modseq = 0
    const { untagged } = await client.run(`SELECT ${next}`)
    takeAll(untagged)
    noteState(untagged)
    if (messages.length > 0) await run('FETCH 1:* (UID FLAGS)')
  }
  const noteState = (untagged: readonly string[]): void => {
    const all = untagged.join('\n')
    uidValidity = Number(/UIDVALIDITY (\d+)/.exec(all)?.[1] ?? 0)
  }
  /** What was missed, in place of all messages (RFC 7162 §3.2.5). */
  const resynchronise = async (): Promise<void> => {
    const missed = await client.ok(`SELECT ${folder} (QRESYNC (${uidValidity} ${modseq}))`)
    const flagsByUid = new Map(messages.map(({ uid, flags }) => [uid, flags]))
    let there = 0
    // What happens meanwhile is told at the end of the same answer.
    for (const line of missed) {
      const [, earlier, gone] = /^\* VANISHED (\(EARLIER\) )?(\S+)/.exec(line) ?? []
      const uid = Number(/UID (\d+)/.exec(line)?.[1] ?? 0)
      if (uid > 0) flagsByUid.set(uid, sorted(/FLAGS \(([^)]*)\)/.exec(line)?.[1] ?? ''))
      there = Number(/^\* (\d+) EXISTS/.exec(line)?.[1] ?? there)
      for (const each of gone === undefined ? [] : uidsIn(gone))
        if (flagsByUid.delete(each) && earlier === undefined) there -= 1
    }
    messages = [...flagsByUid]
      .map(([uid, flags]) => ({ uid, flags }))
      .toSorted((a, b) => a.uid - b.uid)
    if (messages.length !== there)
      faults.push(`${messages.length} are known of ${there} in ${folder}: ${missed.join('\n')}`)
    modseq = 0
    takeModseq(missed)
    noteState(missed)
  }
  /** A few messages, by number or by UID. */
  const some = (by = chance.oneOf(['UID ', ''])): { uid: string; set: string } => {
    const at = chance.between(0, messages.length - 1)
    const end = Math.min(messages.length - 1, at + chance.between(0, 3))
    return by !== ''
      ? { uid: 'UID ', set: `${messages[at]?.uid}:${messages[end]?.uid}` }
      : { uid: '', set: `${at + 1}:${end + 1}` }
  }
  const idle = async (): Promise<void> => {
    const tag = client.nextTag()
    client.send(`${tag} IDLE\r\n`)
    takeAll(await client.until('+ '))
    client.send('DONE\r\n')
    takeAll((await client.answerTo(tag)).untagged)
  }
  /** Several commands in one packet, as programs do that do not wait. */
  const atOnce = async (): Promise<void> => {
    const { set } = some('')
    const uids = some('UID ').set
    const [first, second, third] = [client.nextTag(), client.nextTag(), client.nextTag()]
    client.send(
      `${first} FETCH ${set} (UID FLAGS)\r\n${second} UID STORE ${uids} +FLAGS (\\Seen)\r\n${third} UID EXPUNGE ${uids}\r\n`,
    )
    for (const tag of [first, second, third]) {
      const { untagged, ending } = await client.answerTo(tag)
      takeAll(untagged, ending)
      if (!ending.startsWith('OK')) faults.push(`one of several at once: ${ending}`)
    }
  }
  const removeSome = async (): Promise<void> => {
    await run(`STORE 1:${messages.length - ENOUGH / 2} +FLAGS.SILENT (\\Deleted)`)
    await run('EXPUNGE')
  }
  const acts = [
    () => run('NOOP'),
    () => {
      const { uid, set } = some()
      const sign = chance.oneOf(['+', '-', ''])
      return run(`${uid}STORE ${set} ${sign}FLAGS (${chance.oneOf(FLAGS)} ${chance.oneOf(FLAGS)})`)
    },
    () => {
      const { uid, set } = some()
      return run(`${uid}${chance.oneOf(['COPY', 'MOVE', 'MOVE'])} ${set} ${chance.oneOf(FOLDERS)}`)
    },
    () => run('EXPUNGE'),
    idle,
    atOnce,
    () => {
      const { uid, set } = some()
      return run(`${uid}FETCH ${set} (FLAGS BODY[TEXT]<0.10>)`)
    },
    () => run('SEARCH UNSEEN SUBJECT a'),
    () => {
      const raw = `Subject: appended ${chance.between(1, 9)}\r\n\r\nHello\r\n`
      return run(`APPEND ${chance.oneOf(FOLDERS)} (\\Seen) {${raw.length}+}\r\n${raw}`)
    },
  ]
  return {
    act: async () => {
      if (messages.length > ENOUGH) return removeSome()
      if (chance.between(0, 19) === 0) return open(chance.oneOf(FOLDERS))
      await learnUids()
      const act = messages.length === 0 ? acts[0] : acts[chance.between(0, acts.length - 1)]
      await act?.()
    },
    known: async () => {
      await run('NOOP')
      await learnUids()
      return messages.map(({ uid, flags }) => `${uid} ${flags}`.trim())
    },
    open,
    folder: () => folder,
    leave: async () => {
      await run('NOOP')
      await learnUids()
      client.close()
      isAway = true
    },
    comeBack: async () => {
      client = await signIn()
      isAway = false
      hasEnabled = false
      if (!isQresync) return open(folder)
      await client.ok('ENABLE QRESYNC')
      hasEnabled = true
      await resynchronise()
    },
    isAway: () => isAway,
    faults,
  }
}

/** Of a set as the server writes it. */
const uidsIn = (set: string): number[] =>
  set.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split(':').map(Number)
    return Array.from({ length: last - first + 1 }, (_, n) => first + n)
  })

const sorted = (flags: string): string => flags.split(' ').toSorted().join(' ')
