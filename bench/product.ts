/** The real product as a child process with its own data folder, and a signed-in API client. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { systemClock } from '#server/lib/clock.ts'
import { claimBlobs } from '#server/storage/blobs/open-blobs.ts'
import { folderPlace } from '#server/storage/blobs/places.ts'
import { type Database, openDatabase } from '#server/storage/database.ts'
import { startEmbeddedPostgres } from '#server/storage/embedded-postgres/start-embedded-postgres.ts'
import { migrate } from '#server/storage/open-storage.ts'
import { freePort } from '#test-world/free-port.ts'
import { ANY_PORT } from '#test-world/program.ts'

export type Product = {
  url: string
  smtpPort: number
  pid: number
  dataDir: string
  /** Milliseconds from the start of the process to the first 200 of /healthz. */
  readyMs: number
  stop(): Promise<void>
}

export const aFolder = (): { dataDir: string; remove: () => void } => {
  const dataDir = mkdtempSync(join(tmpdir(), 'mailstead-bench-'))
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) }
}

export const startProduct = async (
  dataDir: string,
  settings: Record<string, string> = {},
  script = 'server/main.ts',
): Promise<Product> => {
  const [port, smtpPort] = [await freePort(), await freePort()]
  const url = `http://localhost:${port}`
  const startedAt = performance.now()
  const child = spawn(process.execPath, [script], {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(dataDir, 'compile-cache'),
      DATA_DIR: dataDir,
      ...ANY_PORT,
      ...{ PORT: String(port), SMTP_PORT: String(smtpPort) },
      MAIL_HOST: 'mail.example.net',
      MAIL_IPS: '127.0.0.1',
      BILLING: 'off',
      ALLOW_LOOPBACK_PEERS: 'on',
      LOG_LEVEL: 'error',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error(`the product ended with ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return {
    url,
    smtpPort,
    pid: child.pid ?? 0,
    dataDir,
    readyMs: performance.now() - startedAt,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/healthz`).then(
    (response) => response.ok,
    () => false,
  )

/** Writes rows while the product is not running. */
export const seed = async (
  dataDir: string,
  write: (world: { db: Database; clock: typeof systemClock }) => Promise<void>,
): Promise<void> => {
  const postgres = await startEmbeddedPostgres({
    dataDir,
  })
  const db = openDatabase({ connection: postgres.connection, maxConnections: 4 }, () => {})
  try {
    await migrate(db)
    // Marks the store like a first start: otherwise the rows would name blobs that are in no store.
    await claimBlobs(db, folderPlace(join(dataDir, 'blobs')))
    await write({ db, clock: systemClock })
    // Like autovacuum after a minute.
    await sql`vacuum analyze`.execute(db)
  } finally {
    await db.destroy()
    await postgres.stop()
  }
}

/** Logs in over the API. @returns an access token */
export const logIn = async (url: string, email: string, password: string): Promise<string> => {
  const response = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`login answered ${response.status} ${await response.text()}`)
  const { token } = (await response.json()) as { token: string }
  return token
}
