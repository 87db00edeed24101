/** A database and a blob store with mail, and the operator's tool in processes of its own, as an operator runs it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { receiveMessage } from '#server/features/messages/receive-message.ts'
import { segmentBlobs } from '#server/storage/blobs/segment-blobs.ts'
import { hashIn } from '#server/storage/blobs/segment-file.ts'
import type { Db } from '#server/storage/database.ts'
import { rememberOnce } from '#server/storage/installation.ts'
import { anApp, type TestApp } from '../../app.ts'
import { aMailbox, letRead, type Mailbox } from '../../builders.ts'
import { letterText } from '../../mail/letter.ts'
import { aMember, anActiveDomain } from '../../members.ts'

export const BACKUP_KEY = Buffer.alloc(32, 7).toString('base64')

export type BackupWorld = {
  app: TestApp
  mailbox: Mailbox
  folder: string
  /** Settings of the tool for this installation. */
  here: Record<string, string>
  receive(count: number): Promise<void>
  close(): Promise<void>
}

export const aBackupWorld = async (): Promise<BackupWorld> => {
  const app = await anApp()
  await rememberOnce(app.db, 'id', 'a-backup-world')
  const who = await aMember(app)
  const mailbox = await aMailbox(app, { domain: await anActiveDomain(app, who) })
  await letRead(app, mailbox, who.userId)
  const folder = mkdtempSync(join(tmpdir(), 'mailstead-test-backup-world-'))
  let received = 0
  return {
    ...{ app, mailbox, folder },
    here: {
      DATABASE_URL: app.database.url,
      DATA_DIR: app.config.dataDir,
      SECRET: 'a secret for tests, forty characters long',
      BACKUP_KEY,
    },
    receive: async (count) => {
      for (let n = 0; n < count; n++) {
        received += 1
        // Every twentieth is a file of its own in the store.
        const body = `Mail ${received}. `.repeat(received % 20 === 0 ? 15_000 : 300)
        const raw = Buffer.from(letterText({ subject: `Mail ${received}`, body }))
        await receiveMessage(
          app,
          app.db,
          { raw, mailFrom: 'eve@example.net', authentication: null },
          [{ mailboxId: mailbox.id, workspaceId: mailbox.workspaceId }],
        )
      }
    },
    close: async () => {
      await app.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Ran = { code: number | null; stdout: string; stderr: string; ms: number }

/** `kill` gets the process as soon as it runs. */
export const operator = (
  words: readonly string[],
  settings: Record<string, string>,
  kill: (child: ChildProcess) => void = () => {},
): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const main = join(import.meta.dirname, '../../../server/operator.ts')
    const { PATH = '', NODE_COMPILE_CACHE } = process.env
    const child = spawn(process.execPath, [main, ...words], {
      env: { PATH, NODE_COMPILE_CACHE, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({ code, stdout, stderr, ms: performance.now() - startedAt })
    })
    kill(child)
  })

/** Every row that names a blob, and whether its bytes are what the name says: for a comparison of two installations. */
export const mailIn = async (db: Db, dataDir: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string; uid: number; subject: string; blob: string }>`
    select id, uid, subject, blob from messages order by id`.execute(db)
  const blobs = segmentBlobs(join(dataDir, 'blobs'))
  try {
    const lines: string[] = []
    for (const { id, uid, subject, blob } of rows) {
      // Verified by its hash.
      const { length } = await blobs.get(blob)
      lines.push(`${id} ${uid} ${subject} ${hashIn(blob)} ${length}`)
    }
    return lines
  } finally {
    await blobs.close()
  }
}
