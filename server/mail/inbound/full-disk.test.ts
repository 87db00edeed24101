/**
 * A disk that fills up while mail arrives: mail with a 250 is kept, the rest is deferred, and mail flows again when there is
 * room.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { healthOf } from '#server/http/health.ts'
import { systemClock } from '#server/lib/clock.ts'
import { openStorage, visitStorage } from '#server/storage/open-storage.ts'
import { anApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { aDnsServer } from '#test-world/dns/dns-server.ts'
import { startProgram } from '#test-world/program.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { openInbound } from './listener.ts'

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' })
const smallDisk = (folder: string, megabytes: number) =>
  run('mount', '-t', 'tmpfs', '-o', `mode=711,size=${megabytes}m`, 'tmpfs', folder)
const freeBytes = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Mounting a file system needs root. */
const canMount = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-disk-'))
  try {
    smallDisk(folder, 2)
    run('umount', folder)
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
})()

const NO_DISK = 'no small disk may be mounted here: run this test as root'

const letter = (n: number, lines = 200) =>
  `From: Eve <eve@example.net>\r\nSubject: letter ${n}\r\n\r\n${`${n} ${'x'.repeat(900)}\r\n`.repeat(lines)}`

test('250 means kept, 4xx means come again, and room is used at once', async ({ skip }) => {
  if (!canMount) return skip(NO_DISK)
  const app = await anApp()
  const folder = join(app.config.dataDir, 'blobs')
  mkdirSync(folder, { recursive: true })
  smallDisk(folder, 2)
  const { email: to } = await aMailbox(app, { localPart: 'ada' })
  const inbound = await openInbound(app)
  try {
    const said: string[] = []
    for (let n = 0; n < 16; n++) said.push(await sendMail(inbound.port, { to, raw: letter(n) }))
    const taken = said.flatMap((reply, n) => (reply.startsWith('250 ') ? [n] : []))
    expect(taken.length).toBeGreaterThan(3)
    expect(taken.length).toBeLessThan(14)
    for (const reply of said) expect(reply).toMatch(/^(?:250|45[12]) /)
    expect((await healthOf(app)).body).toMatchObject({ data: { parts: ['disk'] } })

    run('mount', '-o', 'remount,size=8m', folder)
    expect(await sendMail(inbound.port, { to, raw: letter(16) })).toMatch(/^250 /)
    expect((await healthOf(app)).statusCode).toBe(200)

    const rows = await app.db.selectFrom('messages').select(['subject', 'blob']).execute()
    expect(new Set(rows.map(({ subject }) => subject))).toEqual(
      new Set([...taken, 16].map((n) => `letter ${n}`)),
    )
    for (const { subject, blob } of rows) {
      const n = Number(subject.split(' ')[1])
      expect((await app.blobs.get(blob)).toString('latin1').endsWith(letter(n))).toBe(true)
    }
  } finally {
    await inbound.close()
    run('umount', folder)
    await app.close()
  }
})

/** A data folder with one mailbox and no running process. */
const aSeededFolder = async (dataDir: string): Promise<{ to: string }> => {
  const { db, close } = await openStorage({ databaseUrl: null, dataDir }, events)
  try {
    return { to: (await aMailbox({ db, clock: systemClock })).email }
  } finally {
    await close()
  }
}
const events = { onError: () => {} }

/**
 * PostgreSQL stops when it cannot write its log. It may start once more with the room that a checkpoint gave back, so the log
 * grows until the product has given it up.
 */
const writeLogUntil = async (dataDir: string, gaveUp: Promise<unknown>): Promise<void> => {
  let isOver = false
  void gaveUp.then(() => {
    isOver = true
  })
  const write = sql`select pg_logical_emit_message(false, 'test', repeat('x', 1000000))`
  const writeOn = async () => {
    const { db, close } = await visitStorage({ databaseUrl: null, dataDir }, events)
    try {
      while (!isOver) await write.execute(db)
    } finally {
      await close()
    }
  }
  while (!isOver) {
    await writeOn().catch(() => {})
    await wait(50)
  }
}

test('mail leaves the database its room; without any it goes on when there is some', async ({
  skip,
}) => {
  if (!canMount) return skip(NO_DISK)
  const dataDir = mkdtempSync(join(tmpdir(), 'mailstead-disk-'))
  smallDisk(dataDir, 240)
  const { to } = await aSeededFolder(dataDir)
  const dns = await aDnsServer()
  const program = startProgram({
    ...{ DATA_DIR: dataDir, MAIL_HOST: 'mail.example.net' },
    ...{ DNS_SERVERS: dns.address, DNS_PORT: String(dns.port) },
  })
  try {
    const port = Number((await program.says(/accepted at \S*:(\d+)/))[1])
    const send = (n: number, lines?: number) => sendMail(port, { to, raw: letter(n, lines) })
    let n = 0
    while ((await send(n, 2_000)).startsWith('250 ')) n++
    expect(n).toBeGreaterThan(3)
    expect(await send(n, 2_000)).toBe('452 4.3.1 The disk of this server is full')
    expect(freeBytes(dataDir)).toBeGreaterThan(80_000_000)

    // Another program uses up the rest of the disk.
    const theirs = join(dataDir, 'theirs')
    writeFileSync(theirs, Buffer.alloc(freeBytes(dataDir) - 10_000_000))
    // Subscribed before the line can appear, because it is written only once.
    const gaveUp = program.logs(/PostgreSQL did not start/)
    await writeLogUntil(dataDir, gaveUp)
    expect(await send(n)).toMatch(/^45[12] /)
    rmSync(theirs)
    run('mount', '-o', 'remount,size=400m', dataDir)
    await expect.poll(() => send(n), { interval: 200 }).toMatch(/^250 /)

    const { db, close } = await visitStorage({ databaseUrl: null, dataDir }, events)
    const rows = await db.selectFrom('messages').select('subject').execute()
    await close()
    expect(rows.map(({ subject }) => subject).toSorted()).toEqual(
      Array.from({ length: n + 1 }, (_, kept) => `letter ${kept}`).toSorted(),
    )
  } finally {
    program.signal('SIGTERM')
    await program.ended
    await dns.close()
    run('umount', dataDir)
    rmSync(dataDir, { recursive: true })
  }
})
