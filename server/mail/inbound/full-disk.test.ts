/** A disk that fills while mail arrives: what got 250 is kept, the rest is put off, and mail flows again when there is room. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { anApp } from '#test-world/app.ts'
import { aMailbox } from '#test-world/builders.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { openInbound } from './listener.ts'

const run = (command: string, ...args: string[]) => execFileSync(command, args, { stdio: 'pipe' })
const smallDisk = (folder: string) => run('mount', '-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder)

/** A file system of its own needs root. */
const canMount = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-disk-'))
  try {
    smallDisk(folder)
    run('umount', folder)
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
})()

const letter = (n: number) =>
  `From: Eve <eve@example.net>\r\nSubject: letter ${n}\r\n\r\n${`${n} ${'x'.repeat(900)}\r\n`.repeat(200)}`

test.runIf(canMount)('250 means kept, 4xx means come again, and room is used at once', async () => {
  const app = await anApp()
  const folder = join(app.config.dataDir, 'blobs')
  mkdirSync(folder, { recursive: true })
  smallDisk(folder)
  const { email: to } = await aMailbox(app, { localPart: 'ada' })
  const inbound = await openInbound(app)
  try {
    const said: string[] = []
    for (let n = 0; n < 16; n++) said.push(await sendMail(inbound.port, { to, raw: letter(n) }))
    const taken = said.flatMap((reply, n) => (reply.startsWith('250 ') ? [n] : []))
    expect(taken.length).toBeGreaterThan(3)
    expect(taken.length).toBeLessThan(14)
    for (const reply of said) expect(reply).toMatch(/^(?:250|45[12]) /)

    run('mount', '-o', 'remount,size=8m', folder)
    expect(await sendMail(inbound.port, { to, raw: letter(16) })).toMatch(/^250 /)

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
