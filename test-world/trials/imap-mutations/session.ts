/** One connection that sends what no program sends, and looks at how the door takes it. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Chance, chanceOf } from '../seeded.ts'
import { mutate, piecesOf } from './mutate.ts'
import { behindSignIn, recordings } from './recordings.ts'

export type Target = { imap: number; imaps: number; email: string; password: string }

/** `silentMs`: the longest time without a byte while answers were due. */
export type Outcome = {
  fault: string | null
  silentMs: number
  isAnswered: boolean
  isOpen: boolean
}

/** Without a byte. */
const HANG_MS = 30_000
/** Bytes for literals that were announced, so that the door hears the commands behind them. */
const MOST_FILLED = 200_000
const CANARIES = ['z1', 'z2', 'z3', 'z4']
const LAST = 'z4'
const KEPT = 4_000

/** The same seed sends the same. */
export const runSession = async (target: Target, seed: number): Promise<Outcome> => {
  const chance = chanceOf(seed)
  const how = chance.between(0, 9)
  const isOpen = how > 3
  const wire = await aWire(target, { isTls: how > 1, from: `127.0.0.${chance.between(2, 250)}` })
  await wire.heard(/^\* OK /)
  if (isOpen) {
    wire.socket.write(`s LOGIN ${target.email} ${target.password}\r\n`)
    await wire.heard(/^s OK /m)
  }
  const sent = textFor(target, chance, isOpen)
  for (const piece of piecesOf(Buffer.from(sent, 'latin1'), chance)) {
    wire.socket.write(piece)
    if (chance.between(0, 2) === 0) await new Promise((done) => setImmediate(done))
  }
  wire.expectAnswers()
  const isAnswered = await canaries(wire, sent)
  // A client that has gone is let go, whatever it left unfinished.
  wire.socket.end()
  const isEnded = await wire.ended()
  const fault = !isEnded || isAnswered === 'hangs' ? 'hangs' : wire.trouble()
  wire.socket.destroy()
  return { fault, silentMs: wire.silentMs(), isAnswered: isAnswered === 'yes', isOpen }
}

const textFor = ({ email, password }: Target, chance: Chance, isOpen: boolean): string => {
  const [first = '', ...others] = recordings
  const recording = chance.oneOf([first, ...others])
  const text = (isOpen ? behindSignIn(recording) : recording)
    .replace('PLAIN PLAIN', `PLAIN ${Buffer.from(`\0${email}\0${password}`).toString('base64')}`)
    .replaceAll('EMAIL', email)
    .replaceAll('PASSWORD', password)
  const other = chance.between(0, 9) === 0 ? behindSignIn(chance.oneOf([first, ...others])) : ''
  return mutate(`${text}${other}`, chance)
}

/** Commands that the door must answer, where it can hear them: not inside a literal that nobody can fill. */
const canaries = async (wire: Wire, sent: string): Promise<'yes' | 'no' | 'hangs'> => {
  // The last line, too, is ended below.
  const announced = [...`${sent}\r\n`.matchAll(/\{(\d+)\+?\}\r?\n/g)].map(([, digits]) =>
    Number(digits),
  )
  const missing = announced.reduce((sum, bytes) => sum + bytes, 0)
  if (missing > MOST_FILLED) return 'no'
  wire.socket.write(`${'x'.repeat(missing)}\r\n`)
  for (const tag of CANARIES) wire.socket.write(`${tag} NOOP\r\n`)
  const told = await wire.heard(new RegExp(`^(?:${LAST} |\\* BYE|.*OK Begin TLS)`, 'm'))
  return told === null ? 'hangs' : 'yes'
}

type Wire = {
  socket: Socket
  /** Also when the door has ended the connection; null: neither comes. */
  heard(what: RegExp): Promise<string | null>
  ended(): Promise<boolean>
  expectAnswers(): void
  silentMs(): number
  trouble(): string | null
}

const aWire = async (
  { imap, imaps }: Target,
  { isTls, from }: { isTls: boolean; from: string },
): Promise<Wire> => {
  const at = { host: '127.0.0.1', port: isTls ? imaps : imap, localAddress: from }
  const socket = isTls ? connectTls({ ...at, rejectUnauthorized: false }) : connect(at)
  socket.setNoDelay(true)
  let last = ''
  let trouble: string | null = null
  let isEnded = false
  let wake = () => {}
  /** 0: no answer is due. */
  let since = 0
  let silentMs = 0
  let heardAt = 0
  const note = (): void => {
    const now = performance.now()
    heardAt = now
    if (since > 0) silentMs = Math.max(silentMs, now - since)
    if (since > 0) since = now
  }
  socket.on('data', (bytes) => {
    const text = last.slice(-100) + bytes.toString('latin1')
    trouble ??= /SERVERBUG[^\r\n]*|Something went wrong[^\r\n]*/.exec(text)?.[0] ?? null
    last = (last + bytes.toString('latin1')).slice(-KEPT)
    note()
    wake()
  })
  socket.on('error', () => {})
  for (const event of ['end', 'close'])
    socket.on(event, () => {
      isEnded = true
      note()
      since = 0
      wake()
    })
  const until = async (isSo: () => boolean): Promise<boolean> => {
    heardAt = performance.now()
    while (!isSo()) {
      if (performance.now() > heardAt + HANG_MS) return false
      const timer = setTimeout(() => wake(), HANG_MS)
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      clearTimeout(timer)
    }
    return true
  }
  await once(socket, isTls ? 'secureConnect' : 'connect')
  return {
    socket,
    heard: async (what) => ((await until(() => isEnded || what.test(last))) ? last : null),
    ended: () => until(() => isEnded),
    expectAnswers: () => {
      since = performance.now()
    },
    silentMs: () => silentMs,
    trouble: () => trouble,
  }
}
