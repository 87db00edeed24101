/** Several hosts: whatever begins at one goes on at another, and one that dies takes nothing along (decision 133). */
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#server/lib/ids.ts'
import { ImapClient } from '../imap/imap-client.ts'
import { ELSEWHERE, MAIL_HOST } from '../product.ts'
import { sendMail } from '../smtp/smtp-client.ts'
import { PASSWORD } from './account.ts'
import { serialShown } from './certificates/doors.ts'
import { aHostsWorld, type HostsWorld } from './hosts/hosts-world.ts'

let world: HostsWorld
beforeAll(async () => {
  world = await aHostsWorld()
}, 300_000)
afterAll(() => world.close())

type Host = { url: string }

const request = (host: Host, token: string | null, method: string, path: string, body?: unknown) =>
  fetch(`${host.url}/api/v1${path}`, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && {
        'content-type': Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json',
      }),
    },
    ...(body !== undefined && {
      body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
    }),
  })

/** Answers of one signed-in person, at whichever host. @throws unless the answer is a success */
const signedIn = async (at: Host) => {
  const given = { email: world.account.email, password: PASSWORD }
  const { token } = await (await request(at, null, 'POST', '/auth/login', given)).json()
  const ask = async (host: Host, method: string, path: string, body?: unknown) => {
    const answer = await request(host, token, method, path, body)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
  return { token, ask }
}

/** What a stream of events says until it says this, or ends. */
const streamAt = async (host: Host, token: string) => {
  const reader = (await request(host, token, 'GET', '/events')).body?.getReader()
  let heard = ''
  const more = async (): Promise<boolean> => {
    const next = await reader?.read()
    heard += Buffer.from(next?.value ?? []).toString()
    return next?.done === false
  }
  return {
    until: async (text: string) => {
      while (!heard.includes(text)) if (!(await more())) throw new Error(`it ended: ${heard}`)
    },
    end: async () => {
      while (await more());
    },
    close: () => reader?.cancel(),
  }
}

const letter = (subject: string) => `From: s@example.net\r\nSubject: ${subject}\r\n\r\nHello\r\n`

test('a sign-in at one works at the other; ended there, it ends here, with its stream of events', async () => {
  const { first, second } = world
  const [here, there] = [await signedIn(first), await signedIn(second)]
  await here.ask(second, 'GET', '/mailboxes')
  const stream = await streamAt(first, here.token)
  await stream.until('connected')
  expect(await there.ask(second, 'POST', '/sessions/end-others')).toMatchObject({
    ended: expect.any(Number),
  })
  await stream.end()
  const answer = await request(first, here.token, 'GET', '/mailboxes')
  expect(answer.status).toBe(401)
  await world.account.logIn()
})

test('wrong passwords are counted over both', async () => {
  const statuses: number[] = []
  for (let n = 0; n < 12; n++) {
    const host = n % 2 === 0 ? world.first : world.second
    const given = { email: `nobody@${ELSEWHERE}`, password: `Engine-No-${n}!` }
    statuses.push((await request(host, null, 'POST', '/auth/login', given)).status)
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429])
})

test('mail that comes to one wakes pages and mail programs at the other', async () => {
  const { first, second, account, mailbox } = world
  const { ask, token } = await signedIn(second)
  const path = `/mailboxes/${mailbox._id}`
  const made = await ask(first, 'POST', `${path}/app-passwords`, {
    ...{ name: 'Phone', scopes: ['imap'] },
  })
  const program = await ImapClient.connect(second.imapsPort)
  await program.until('* OK')
  await program.ok(`LOGIN ${mailbox.email} ${made.password}`)
  await program.ok('SELECT INBOX')
  program.send('I1 IDLE\r\n')
  await program.until('+ ')
  const stream = await streamAt(second, token)
  await stream.until('connected')
  const sent = { from: 's@example.net', to: mailbox.email, raw: letter('Wake up') }
  expect(await sendMail(first.smtpPort, sent)).toMatch(/^250 /)
  expect((await program.until('* 1 EXISTS')).at(-1)).toBe('* 1 EXISTS')
  await stream.until(mailbox._id)
  await stream.close()
  program.close()
  const { items } = await account.ask('GET', `${path}/messages?folder=inbox`)
  expect(items.map(({ subject }: { subject: string }) => subject)).toEqual(['Wake up'])
})

test('what was written with a file of one is sent at one, and taken back at the other', async () => {
  const { first, second, mailbox } = world
  const { ask } = await signedIn(first)
  const path = `/mailboxes/${mailbox._id}`
  const file = { filename: 'a.txt', contentType: 'text/plain', content: 'SGVsbG8=' }
  const upload = await ask(first, 'POST', `${path}/uploads`, file)
  const key = newId()
  const sent = await ask(second, 'POST', `${path}/sends`, {
    ...{ subject: 'Not yet', html: '<p>Hello</p>', to: [`taken-back@${ELSEWHERE}`], key },
    ...{ draft: newId(), writer: newId(), save: 1, uploads: [upload._id] },
  })
  expect(sent.undoSeconds).toBe(20)
  const { state, messageId } = await ask(first, 'POST', `${path}/sends/undo`, { key })
  expect(state).toBe('undone')
  const draft = await ask(second, 'GET', `${path}/drafts/${messageId}`)
  expect(draft.uploads).toMatchObject([{ filename: 'a.txt', size: 5 }])
})

test('a file that is uploaded in pieces to both is filed whole', async () => {
  const { first, second, mailbox } = world
  const { ask } = await signedIn(first)
  const path = `/mailboxes/${mailbox._id}/imports`
  const message = (n: number) =>
    `From s@example.net Sat Nov 28 10:00:00 2026\r\n${letter(`Old ${n}`)}${'A line of text.\r\n'.repeat(140_000)}\r\n`
  const bytes = Buffer.from(message(1) + message(2))
  const form = { filename: 'old.mbox', fingerprint: 'old', size: bytes.length, folder: 'archive' }
  const begun = await ask(first, 'POST', path, form)
  const { received } = await ask(
    ...([first, 'PUT', `${path}/${begun._id}/pieces/0`] as const),
    bytes.subarray(0, 4_000_000),
  )
  expect(received).toBe(4_000_000)
  await ask(
    ...([second, 'PUT', `${path}/${begun._id}/pieces/${received}`] as const),
    bytes.subarray(received),
  )
  await expect
    .poll(async () => (await ask(second, 'GET', path))[0])
    .toMatchObject({ state: 'done', filed: 2, failed: 0 })
  const { items } = await ask(second, 'GET', `/mailboxes/${mailbox._id}/messages?folder=archive`)
  expect(items).toHaveLength(2)
})

test('an archive that one has made is given out by the other', async () => {
  const { first, second } = world
  const { ask } = await signedIn(first)
  const { _id } = await ask(first, 'POST', '/workspace-exports', { password: PASSWORD })
  await expect
    .poll(async () => (await ask(second, 'GET', '/workspace-exports'))[0])
    .toMatchObject({ _id, state: 'done' })
  const { token } = await ask(second, 'POST', `/workspace-exports/${_id}/link`)
  const file = await request(second, null, 'GET', `/workspace-export-files/${token}`)
  const bytes = Buffer.from(await file.arrayBuffer())
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
  expect(readdirSync(second.dataDir)).not.toContain('exports')
})

test('the second host answers for a certificate that the first one asks for, and both show it', async () => {
  const { directory, firstHttps, operator, second } = world
  const shownAt = (port: number) =>
    serialShown({ port, says: [], protocols: ['h2'] }, MAIL_HOST, directory.root).catch(() => '')
  // The first time, the second host was not there yet.
  await operator('certificate', 'ask', MAIL_HOST)
  await expect.poll(() => shownAt(second.https)).toMatch(/^[\dA-F]+$/)
  const serial = await shownAt(second.https)
  await expect.poll(() => shownAt(firstHttps)).toBe(serial)
})

test('deliveries of a worker that is killed are done by another, each once', async () => {
  const { first, second, mailbox, begin } = world
  const third = begin({ ROLES: 'worker' }).program
  await third.says(/ready: worker/)
  const { ask } = await signedIn(second)
  const [bothBusy, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let waiting = 0
  first.peer.behave = (stage, argument) => {
    if (stage !== 'rcpt' || !argument.includes('friend')) return undefined
    waiting += 1
    // A worker has at most five deliveries to one domain.
    if (waiting === 10) bothBusy.resolve()
    return { after: goOn.promise }
  }
  const friends = Array.from({ length: 10 }, (_, n) => `friend${n}@${ELSEWHERE}`)
  for (const friend of friends)
    await ask(second, 'POST', `/mailboxes/${mailbox._id}/sends`, {
      ...{ subject: 'Hello', html: '<p>Hello</p>', to: [friend], key: newId(), uploads: [] },
      ...{ draft: newId(), writer: newId(), save: 1 },
    })
  await bothBusy.promise
  third.signal('SIGKILL')
  await third.ended
  goOn.resolve()
  const recipients = () =>
    first.peer.messages.flatMap(({ to }) => to).filter((to) => to.startsWith('friend'))
  await expect.poll(() => recipients().length).toBeGreaterThanOrEqual(10)
  expect(recipients().toSorted()).toEqual(friends)
  expect(first.peer.messages.flatMap(({ to }) => to)).not.toContain(`taken-back@${ELSEWHERE}`)
})

test('a host with another secret, or with none, does not start', async () => {
  const other = world.begin({ SECRET: 'another secret, which is forty characters long' })
  const { code, stderr } = await other.program.ended
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^SECRET is not the one that this database was made with\./),
  })
  const none = world.begin({ SECRET: '' })
  expect((await none.program.ended).stderr).toMatch(
    /^This database was made with a secret that is not here\. Please set SECRET to that one: /,
  )
  expect(readdirSync(none.dataDir)).not.toContain('secret')
})

test('a worker without the key of the backups says so, and where it is', async () => {
  const { backups, begin, operator } = world
  expect(await operator('backup', backups)).toContain('The key of these backups is ')
  const { program } = begin({ ROLES: 'worker', BACKUP_URL: backups })
  await program.says(
    /The backups at \S+ have a key that this host does not have, .* Please set BACKUP_KEY /,
  )
  program.signal('SIGTERM')
  expect((await program.ended).code).toBe(0)
})

test('what a host has on its disk can be made again', () => {
  // The key of the backups is printed, for that.
  const made = ['backup-key', 'blob-cache', 'exports', 'incoming', 'mail-tls.pem']
  const left = [world.first.dataDir, world.second.dataDir].flatMap((folder) => readdirSync(folder))
  expect(left.filter((name) => !made.includes(name))).toEqual([])
})
