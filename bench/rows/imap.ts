/** IMAP beside Debian's Dovecot, with the same mails, over TLS, in turns: what programs do all day. */
import { ImapClient } from '#test-world/imap/imap-client.ts'
import { startDovecot } from '../imap/start-dovecot.ts'
import { type Account, type Served, withImapProduct } from '../imap/with-imap-product.ts'
import { memoryBytes } from '../memory.ts'
import { type Bench, type Measured, median } from '../row.ts'

const LARGE = 50_000
const APPENDED_AT_ONCE = 200
const CLIENTS = 10
const SESSIONS = 400
const ROUNDS = 3
const WAKE_UPS = 20
const IDLE = 1_000
/** In one text of a thousand. */
const WORD = 'hornblende'

/** How much faster than Dovecot the design wants it. */
const WANTED = { sessions: 1.2, fetch: 1.2, search: 1, wakeUp: 1, memory: 1 }

export const imap: Bench = {
  name: 'imap',
  run: async () => {
    const dovecot = await startDovecot()
    try {
      return await withImapProduct(async (ours) => {
        const both = [ours, ...(dovecot ? [dovecot] : [])]
        for (const served of both) await fill(served)
        const values = new Map<string, number[][]>()
        for (let round = 0; round < ROUNDS; round++)
          for (const [n, served] of both.entries())
            for (const [what, value] of Object.entries(await measure(served))) {
              const known = values.get(what) ?? []
              known[n] = [...(known[n] ?? []), value]
              values.set(what, known)
            }
        const memory: number[] = []
        for (const served of both) memory.push(await idleBytes(served))
        return rowsOf(values, memory)
      })
    } finally {
      dovecot?.stop()
    }
  },
}

let connections = 0

/** From a few networks, as the programs of one mailbox are. */
const signedIn = async ({ port, login, password }: Account): Promise<ImapClient> => {
  connections += 1
  const client = await ImapClient.connect(port, {
    localAddress: `127.0.${connections % CLIENTS}.1`,
  })
  await client.until('* OK')
  await client.ok(`LOGIN ${login} ${password}`)
  return client
}

const lines = 'All the world is a stage, and mail its messenger from one scene to the next.\r\n'

const mailOf = (n: number): Buffer => {
  const word = n % 1_000 === 500 ? `${WORD}\r\n` : ''
  const head = `From: Grace ${n % 300} <grace${n % 300}@example.org>\r\nTo: Ada <ada@small.example>\r\nSubject: Mail ${n}\r\nMessage-ID: <${n}@example.org>\r\nDate: Fri, 20 Nov 2026 12:00:00 +0000\r\nMIME-Version: 1.0\r\n`
  const text = `${lines.repeat(5 + (n % 40))}${word}`
  return Buffer.from(
    `${head}Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>${text}</p>\r\n--b--\r\n`,
  )
}

/** `INBOX`: a few; `Large`: as many as the design names. */
const fill = async (served: Served): Promise<void> => {
  const client = await signedIn(served)
  await client.ok('CREATE Large')
  for (const [folder, count] of [
    ['INBOX', 200],
    ['Large', LARGE],
  ] as const)
    for (let n = 0; n < count; n += APPENDED_AT_ONCE) {
      const tag = client.nextTag()
      client.send(`${tag} APPEND ${folder}`)
      for (let each = n; each < Math.min(count, n + APPENDED_AT_ONCE); each++) {
        const raw = mailOf(each)
        client.send(Buffer.concat([Buffer.from(` {${raw.length}+}\r\n`), raw]))
      }
      client.send('\r\n')
      const { ending } = await client.answerTo(tag)
      if (!ending.startsWith('OK')) throw new Error(`mails were not appended: ${ending}`)
    }
  client.close()
}

type Values = { sessions: number; fetch: number; search: number; wakeUp: number }

const measure = async (served: Served): Promise<Values> => {
  const client = await signedIn(served)
  await client.ok('EXAMINE Large')
  const fetch = await timed(() => drained(client, 'FETCH 1:* (UID FLAGS ENVELOPE BODYSTRUCTURE)'))
  const search = await timed(async () => {
    const found = (await client.ok(`SEARCH BODY ${WORD}`)).join(' ').match(/\d+/g) ?? []
    if (found.length !== LARGE / 1_000) throw new Error(`${found.length} mails were found`)
  })
  client.close()
  return {
    sessions: await sessionsPerSecond(served),
    fetch,
    search,
    wakeUp: await wakeUpMs(served),
  }
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Reads without keeping: what the client does with it is not measured. */
const drained = async (client: ImapClient, command: string): Promise<void> => {
  const tag = client.nextTag()
  client.send(`${tag} ${command}\r\n`)
  await client.skipTo(tag)
}

const sessionsPerSecond = async (served: Served): Promise<number> => {
  let begun = 0
  const work = async () => {
    while (begun++ < SESSIONS) {
      const client = await signedIn(served)
      await client.ok('SELECT INBOX')
      await client.ok('FETCH 1:50 (UID FLAGS ENVELOPE)')
      await client.ok('LOGOUT')
      client.close()
    }
  }
  const ms = await timed(() => Promise.all(Array.from({ length: CLIENTS }, work)))
  return (SESSIONS / ms) * 1_000
}

const wakeUpMs = async (served: Served): Promise<number> => {
  const [idler, other] = [await signedIn(served), await signedIn(served)]
  await idler.ok('SELECT INBOX')
  idler.send('I IDLE\r\n')
  await idler.until('+ ')
  const taken: number[] = []
  const raw = mailOf(1)
  for (let n = 0; n < WAKE_UPS; n++) {
    const woken = untilMore(idler)
    taken.push(
      await timed(async () => {
        await other.ok(Buffer.concat([Buffer.from(`APPEND INBOX {${raw.length}+}\r\n`), raw]))
        await woken
      }),
    )
  }
  for (const client of [idler, other]) client.close()
  return median(taken)
}

const untilMore = async (client: ImapClient): Promise<void> => {
  for (;;) {
    const [line = ''] = (await client.until('* ')).slice(-1)
    if (line.endsWith(' EXISTS')) return
  }
}

/** More of all processes with a thousand clients that idle in the Inbox than before. */
const idleBytes = async (served: Served): Promise<number> => {
  const bytes = () => memoryBytes(served.pid, served.folder)
  const before = bytes()
  const clients: ImapClient[] = []
  for (let n = 0; n < IDLE; n++) {
    const client = await signedIn(served.ofIdle(n))
    await client.ok('SELECT INBOX')
    client.send('I IDLE\r\n')
    await client.until('+ ')
    clients.push(client)
  }
  const after = bytes()
  for (const client of clients) client.close()
  return after - before
}

const names: Record<keyof Values, { what: string; unit: Measured['unit'] }> = {
  sessions: { what: 'IMAP sessions: login, select, fetch 50, logout', unit: 'requests/s' },
  fetch: { what: 'FETCH of 50,000 envelopes and structures', unit: 'ms' },
  search: { what: 'SEARCH of a word in 50,000 bodies', unit: 'ms' },
  wakeUp: { what: 'APPEND until another program hears it by IDLE', unit: 'ms' },
}

const rowsOf = (values: ReadonlyMap<string, number[][]>, memory: readonly number[]): Measured[] => {
  const rows: Measured[] = []
  for (const [key, { what, unit }] of Object.entries(names)) {
    const [ours = [], theirs = []] = values.get(key) ?? []
    const [own, other] = [median(ours), theirs.length > 0 ? median(theirs) : null]
    const times = other === null ? null : unit === 'ms' ? other / own : own / other
    rows.push({ what, value: own, unit, budget: null })
    rows.push({ what: '  Dovecot', value: other, unit, budget: null })
    rows.push({
      what: '  times as fast',
      value: times,
      unit: 'times',
      budget: WANTED[key as keyof Values],
    })
  }
  const [own = 0, other] = memory
  rows.push({
    what: 'memory for 1,000 programs that idle',
    value: own / 1e6,
    unit: 'MB',
    budget: 20,
  })
  rows.push({
    what: '  Dovecot',
    value: other === undefined ? null : other / 1e6,
    unit: 'MB',
    budget: null,
  })
  return rows
}
