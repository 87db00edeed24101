import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aProduct, ELSEWHERE } from '#test-world/product.ts'
import { type Program, startProgram } from '#test-world/program.ts'
import { sendMail } from '#test-world/smtp/smtp-client.ts'
import { aMailboxAt, anAccount, anActiveDomain } from '#test-world/trials/account.ts'
import { keptMails } from '#test-world/trials/incoming-kill.ts'
import { selfSigned } from './lib/tls/self-signed.ts'

const isRoot = process.getuid?.() === 0
const NOT_ROOT = 'only root can be left: run this test as root'
let folder: string
const running: Program[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailstead-test-root-'))
  chmodSync(folder, 0o755)
})
afterEach(async () => {
  for (const program of running.splice(0)) {
    program.signal('SIGTERM')
    await program.ended
  }
  rmSync(folder, { recursive: true, force: true })
})

/** A port below 1024, which only root may open. */
const aRootsPort = async (from = 700): Promise<number> => {
  for (let port = from; port < 1_023; port++) {
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
  throw new Error('no port below 1024 is free')
}

const statusOf = (pid: number, field: string): string =>
  new RegExp(`^${field}:\\s*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ??
  ''

const start = (more: Record<string, string>): Program => {
  const program = startProgram({ DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'info', ...more })
  running.push(program)
  return program
}

test('started by root it opens its ports, becomes an ordinary user, and mail is received and read', async ({
  skip,
}) => {
  if (!isRoot) return skip(NOT_ROOT)
  // The state of an earlier version: root owns everything in DATA_DIR, and the certificate's key.
  mkdirSync(join(folder, 'data', 'blobs'), { recursive: true, mode: 0o711 })
  writeFileSync(join(folder, 'data', 'secret'), 'x'.repeat(43), { mode: 0o600 })
  const pair = selfSigned('mail.example.org', new Date(), 30)
  const files = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') }
  writeFileSync(files.TLS_CERT, pair.cert)
  writeFileSync(files.TLS_KEY, pair.key, { mode: 0o600 })
  const port = await aRootsPort()
  const starttls = await aRootsPort(port + 1)
  const tls = await aRootsPort(starttls + 1)
  const product = await aProduct({
    ...{ DATA_DIR: join(folder, 'data'), SMTP_PORT: String(port), RUN_AS: 'nobody', ...files },
    ...{ SUBMISSION_PORT: String(starttls), SUBMISSIONS_PORT: String(tls), BILLING: 'off' },
  })
  try {
    expect(product).toMatchObject({
      smtpPort: port,
      submissionPort: starttls,
      submissionsPort: tls,
    })
    const { uid } = statSync(join(folder, 'data'))
    expect(uid).not.toBe(0)
    expect(statusOf(product.pid, 'Uid')).toBe([uid, uid, uid, uid].join('\t'))
    expect(statusOf(product.pid, 'Gid')).not.toMatch(/\b0\b/)
    expect(statusOf(product.pid, 'Groups')).not.toMatch(/\b0\b/)
    expect(statusOf(product.pid, 'CapEff')).toMatch(/^0+$/)
    // Signs up with a mail that was delivered outside, and compares a received mail with the sent bytes.
    const account = await anAccount(product, `ada@${ELSEWHERE}`)
    const domain = await anActiveDomain(product, account, 'unprivileged.example')
    const mailbox = await aMailboxAt(account, domain, 'ada')
    const raw = 'From: s@example.net\r\nSubject: Hi\r\n\r\nHello\r\n'
    expect(await sendMail(port, { to: mailbox.email, raw })).toMatch(/^250 /)
    const [kept] = (await keptMails(account, mailbox)).get('Hi') ?? []
    expect(kept?.toString()).toContain(raw)
    for (const name of ['secret', 'database-password', 'blobs', 'postgres'])
      expect(statSync(join(folder, 'data', name)).uid, name).toBe(uid)
  } finally {
    await product.close()
  }
})

test('a user that is not there, or may not enter, is refused with a sentence', async ({ skip }) => {
  if (!isRoot) return skip(NOT_ROOT)
  const nobody = await start({ RUN_AS: 'nobody-of-this-name' }).ended
  expect(nobody).toMatchObject({
    ...{ code: 1, stdout: '' },
    stderr: 'RUN_AS is nobody-of-this-name, but there is no such user on this system.\n',
  })
  chmodSync(folder, 0o700)
  const closed = await start({ RUN_AS: 'nobody' }).ended
  expect(closed.stderr).toBe(
    `RUN_AS is nobody, but user nobody may not enter ${folder}. Please allow it.\n`,
  )
})
