import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { operatorVerb } from '#contract/operator/actions.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, aUser, aWorkspace } from '#test-world/builders.ts'
import { aDnsServer } from '#test-world/dns/dns-server.ts'
import { freePort } from '#test-world/free-port.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { runOperator as operator } from '#test-world/people/run-operator.ts'
import { readZip } from '#test-world/read-zip.ts'
import { aSmtpPeer } from '#test-world/smtp/smtp-peer.ts'
import { aStripeStage } from '#test-world/stripe/stage.ts'
import { issueInvoice } from './features/billing/issue-invoice.ts'
import { payForMailboxes } from './features/billing/pay-for-mailboxes.ts'
import { lookAtInvoice, openCheckout } from './features/billing/stripe/pay-by-card.ts'
import { makeApiKey } from './features/keys/api-keys.ts'
import { enqueueMessage } from './features/outbox/enqueue-message.ts'
import { newId } from './lib/ids.ts'
import { reasonOf } from './lib/ports/bound-ports.ts'
import { asJson, isFault, printed } from './terminal/answers.ts'
import { runVerb } from './terminal/run-verb.ts'
import { earlyVerbs, findEarlyVerb, findVerb, verbs } from './terminal/verbs.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

const here = () => ({ DATABASE_URL: app.database.url, DATA_DIR: app.config.dataDir })

/** The same without a process of its own: the code that it would end with, and what it would print. */
const say = async (...typed: string[]): Promise<string> => {
  const config = { ...app.config, publicUrl: 'https://mail.example.com' }
  const words = typed.filter((word) => word !== '--json')
  try {
    const answer = await runVerb(words, (use) => use({ ...app, config, ask: null }))
    const text = typed.includes('--json') ? asJson(answer) : printed(answer)
    return `${isFault(answer) ? 1 : 0} ${text}\n`
  } catch (error) {
    return `1 ${reasonOf(error)}\n`
  }
}

it('marks an invoice paid, and says so when there is none', async () => {
  const who = await aMember(app)
  const lines = [{ id: who.userId, email: 'ada@example.com' }]
  const invoice = await app.db
    .transaction()
    .execute((tx) => issueInvoice(app, tx, who.workspaceId, lines))
  const environment = here()
  expect(await operator(['invoice', 'paid', invoice.number], environment)).toEqual({
    code: 0,
    stdout: `${invoice.number} (Mailbox x 1, $2.00) is paid.\n`,
    stderr: '',
  })
  const row = await app.db
    .selectFrom('invoices')
    .select('status')
    .where('id', '=', invoice._id)
    .executeTakeFirstOrThrow()
  expect(row.status).toBe('Paid')
  expect(await operator(['invoice', 'paid', '999'], environment)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no invoice 999.\n',
  })
})

it('takes an invoice back by a credit note, and none that is paid', async () => {
  const who = await aMember(app)
  const lines = [{ id: who.userId, email: 'ada@example.com' }]
  const issue = () =>
    app.db.transaction().execute((tx) => issueInvoice(app, tx, who.workspaceId, lines))
  const [invoice, paid] = [await issue(), await issue()]
  await say('invoice', 'paid', paid.number)
  expect(await say('invoice', 'void', invoice.number)).toMatch(
    /^0 .*-000003 \(Mailbox x 1, -\$2\.00\) takes the invoice back\./,
  )
  const listed = await say('--json', 'invoice', 'list', 'paid', paid.number)
  expect(JSON.parse(listed.slice(2))).toMatchObject([{ number: paid.number, state: 'paid' }])
  expect(await say('invoice', 'list', 'due', invoice.number)).toBe('0 No invoice.\n')
  expect(await say('invoice', 'list', 'late', 'engines')).toMatch(
    /^1 A state is due, paid or credited\./,
  )
  expect(await say('invoice', 'void', invoice.number)).toBe(
    `1 There is no invoice ${invoice.number}.\n`,
  )
  expect(await say('invoice', 'void', paid.number)).toBe(
    `1 ${paid.number} is paid, so it cannot be taken back.\n`,
  )
})

it('allows one domain more mailboxes, and says so when there is none', async () => {
  const who = await aMember(app)
  const { id, name } = await aDomain(app, { workspaceId: who.workspaceId, active: true })
  const limitOf = async () => {
    const domains = app.db.selectFrom('domains').select('mailboxLimit')
    return (await domains.where('id', '=', id).executeTakeFirstOrThrow()).mailboxLimit
  }
  expect(await say('domain', 'limit', name.toUpperCase(), '1000')).toBe(
    `0 ${name.toUpperCase()} may have 1000 mailboxes.\n`,
  )
  expect(await limitOf()).toBe(1000)
  await say('domain', 'limit', name, 'default')
  expect(await limitOf()).toBe(null)
  expect(await say('domain', 'limit', 'nobody.example', '7')).toBe(
    '1 There is no verified domain nobody.example.\n',
  )
  expect(await say('domain', 'limit', name, '-1')).toBe(
    '1 A limit is a number from 1 to 999999, or default.\n',
  )
  expect(await limitOf()).toBe(null)
})

it('explains itself, and makes no database where there is none', async () => {
  const usage = await operator(['invoice', 'unpaid', '1'], here())
  expect(usage.code).toBe(1)
  expect(usage.stderr).toMatch(/^ {2}invoice paid NUMBER +marks an invoice paid/m)
  const dataDir = await mkdtemp(join(tmpdir(), 'mailstead-test-operator-'))
  const nowhere = await operator(['invoice', 'paid', '1'], { DATA_DIR: dataDir })
  expect(nowhere.code).toBe(1)
  expect(nowhere.stderr).toMatch(/^DATA_DIR is .*no Mailstead has been started yet/)
  expect(await readdir(dataDir)).toEqual([])
  await rm(dataDir, { recursive: true })
})

it('lists certificates, asks for one again and revokes one', async () => {
  const environment = here()
  expect(await operator(['certificate', 'list'], environment)).toMatchObject({ stdout: 'None.\n' })
  const [now, later] = [app.clock.now(), app.clock.advance({ days: 60 })]
  await app.db
    .insertInto('certificates')
    .values([
      {
        ...{ name: 'mail.example.com', isOwn: true, workspaceId: null, domainId: null },
        ...{ chain: 'a chain', expiresAt: later, nextLookAt: later, createdAt: now },
      },
      {
        ...{ name: 'mail.shop.example', isOwn: false, workspaceId: null, domainId: null },
        ...{ trouble: 'It leads elsewhere.', nextLookAt: later, createdAt: now },
      },
    ])
    .execute()
  expect((await operator(['certificate', 'list'], environment)).stdout).toBe(
    `mail.example.com  until ${later.toISOString()}  next look ${later.toISOString()}\n` +
      `mail.shop.example  none  next look ${later.toISOString()}  It leads elsewhere.\n`,
  )
  const say = async (...words: string[]) => {
    const { code, stdout, stderr } = await operator(['certificate', ...words], environment)
    return `${code} ${stdout}${stderr}`
  }
  expect(await say('ask', 'mail.shop.example')).toMatch(/^0 mail\.shop\.example is asked for /)
  expect(await say('revoke', 'mail.example.com')).toMatch(
    /^0 The certificate of mail\.example\.com /,
  )
  expect(await say('revoke', 'mail.shop.example')).toBe(
    '1 There is no certificate mail.shop.example.\n',
  )
  const rows = await app.db
    .selectFrom('certificates')
    .select(['name', 'revocation', 'nextLookAt'])
    .orderBy('name')
    .execute()
  expect(rows).toMatchObject([{ revocation: 'keyCompromise' }, { revocation: null }])
  for (const { nextLookAt } of rows) expect(nextLookAt.getTime()).toBeLessThan(later.getTime())
})

/** The same without a process of its own, and its answer as people read it. */
const inProcess = async (...typed: string[]): Promise<string> => {
  const found = findVerb(typed)
  if (found === null) throw new Error(`${typed.join(' ')} is no command`)
  return printed(await found.verb.run({ ...app, ask: null }, ...found.words))
}

it('blocks and allows senders', async () => {
  await aDomain(app, { active: true, name: 'hosted.example' })
  expect(await inProcess('blocklist', 'list')).toBe('Nobody is blocked or allowed.')
  expect(await inProcess('blocklist', 'add', '198.51.100.7/24', '--note', 'Guesses')).toBe(
    '198.51.100.0/24 is blocked.',
  )
  expect(
    await inProcess('blocklist', 'add', 'good.example', 'allow', '--until', '2099-12-24'),
  ).toBe('good.example is allowed.')
  const list = await inProcess('blocklist', 'list')
  expect(list).toMatch(/^good\.example +allowed +2099-12-25 00:00Z +terminal /m)
  expect(list).toMatch(/^198\.51\.100\.0\/24 +blocked +- +Guesses +terminal /m)
  expect(await inProcess('blocklist', 'remove', '198.51.100.9/24')).toBe(
    '198.51.100.0/24 is not listed any more.',
  )
  for (const [words, refusal] of [
    [['a.example', 'like'], 'followed by block or allow'],
    [['a.example', '--until', 'soon'], 'A day is written like'],
    [['a.example', '--note'], '--note is followed by nothing'],
    [['a.example', '--wide', 'x'], '--wide is no option here'],
  ] as const)
    await expect(inProcess('blocklist', 'add', ...words)).rejects.toThrow(refusal)
  const environment = here()
  const own = await operator(['blocklist', 'add', 'hosted.example'], environment)
  expect(own.stderr).toBe('hosted.example is a domain of this installation.\n')
  const missing = await operator(['blocklist', 'remove', 'nobody.example'], environment)
  expect(missing.stderr).toBe('There is no listed sender nobody.example.\n')
})

it('lists senders, stops one and lets it go on', async () => {
  const workspace = await aWorkspace(app, { name: 'Senders' })
  const domain = await aDomain(app, { workspaceId: workspace.id, active: true })
  const { email } = await aMailbox(app, { domain })
  expect(await inProcess('sender', 'list')).toBe('Nothing was sent in seven days.')
  expect(await inProcess('sender', 'stop', email.toUpperCase(), 'Stolen', '--queued', 'drop')).toBe(
    `${email} sends nothing to others any more. What waited is dropped.`,
  )
  expect(await inProcess('sender', 'list', email)).toMatch(
    / Senders +0 +0 +- +0 +\d{4}-.*Z +Stolen$/,
  )
  expect(await inProcess('sender', 'resume', email)).toBe(`${email} sends again.`)
  await expect(inProcess('sender', 'stop', email, 'x', '--queued', 'keep')).rejects.toThrow(
    '--queued is followed by hold or drop',
  )
  const environment = here()
  const nobody = await operator(['sender', 'stop', 'nobody@small.example', 'x'], environment)
  expect(nobody.stderr).toBe('There is no mailbox nobody@small.example.\n')
})

it('announces a sentence, and ends it', async () => {
  expect(await inProcess('announce', 'list')).toBe('Nothing is announced.')
  const said = await inProcess('announce', 'We move tonight', '--until', '2099-12-24 18:00')
  expect(said).toMatch(/^It stands above every page now\. .* announce end [\w-]{36}$/)
  const link = ['--link', 'https://example.org']
  await inProcess('announce', 'Pay', 'your', 'invoices', '--for', 'admins', ...link)
  const list = await inProcess('announce', 'list')
  expect(list).toMatch(/^We move tonight +everybody +2099-12-24 18:00Z +0 +terminal /m)
  expect(list).toMatch(/^Pay your invoices +https:\/\/example\.org +admins +- +0 /m)
  await expect(inProcess('announce', 'end')).rejects.toThrow('Several announcements stand')
  const id = said.split(' ').at(-1) ?? ''
  expect(await inProcess('announce', 'end', id)).toBe('Nobody sees it any more: We move tonight')
  expect(await inProcess('announce', 'end')).toContain('Pay your invoices')
  for (const [words, refusal] of [
    [['x'.repeat(301)], '1 to 300 characters'],
    [['a\nb'], 'on one line'],
    [['a', '--for', 'nobody'], '--for is followed by'],
    [['a', '--link', 'http://example.org'], 'begins with https://'],
  ] as const)
    await expect(inProcess('announce', ...words)).rejects.toThrow(refusal)
  const none = await operator(['announce', 'end'], here())
  expect(none.stderr).toBe('There is no announcement.\n')
})

it('exports a workspace and an account, and deletes them by their names', async () => {
  const bob = await aUser(app, { firstName: 'Bob', email: 'bob@leavers.example' })
  const members = [{ user: bob, role: 'Admin' as const }]
  const workspace = await aWorkspace(app, { name: 'Leavers', members })
  await aDomain(app, { workspaceId: workspace.id, active: true, name: 'leavers.test' })
  const folder = await mkdtemp(join(tmpdir(), 'mailstead-test-operator-'))
  expect(await say('workspace', 'export', 'Leavers', folder)).toMatch(
    /^0 .*\/Leavers \d{4}-\d\d-\d\d\.zip has everything of Leavers: 0 messages, [\d.]+ kB\.\nIts Admins get a mail/,
  )
  const [archive = ''] = await readdir(folder)
  const lists = readZip(await readFile(join(folder, archive)))
  expect(String(lists.get('lists/domains.csv'))).toContain('leavers.test')
  expect(await say('workspace', 'export', 'Leavers', join(folder, archive))).toMatch(
    /^1 .* is there already\. Please name another file/,
  )
  expect(await readdir(folder)).toEqual([archive])
  expect(await say('user', 'export', 'bob@leavers.example', folder)).toMatch(/^0 .*\.zip has what/)
  await rm(folder, { recursive: true })
  expect(await say('workspace', 'delete', 'Leavers', '--now', '--yes', 'Leavers')).toMatch(
    /^0 The operator of this installation deleted .*Leavers.*, with 1 domain, 0 mailboxes/,
  )
  expect(
    await say('user', 'delete', 'bob@leavers.example', '--yes', 'bob@leavers.example'),
  ).toMatch(/^0 bob@leavers\.example is deleted/)
})

it('ends a key, and takes the second factors of somebody who lost them', async () => {
  const eve = await aUser(app, { email: 'eve@factors.example' })
  const members = [{ user: eve, role: 'Admin' as const }]
  const { id: workspaceId } = await aWorkspace(app, { name: 'Factors', members })
  const who = { userId: eve.id, sessionId: newId(), workspaceId, role: 'Admin' as const, ip: '' }
  const form = { kind: 'workspace' as const, name: 'Script', scopes: ['domains:read' as const] }
  const { _id } = await makeApiKey(app, who, form)
  const keys = await inProcess('key', 'list', 'Factors')
  expect(keys).toMatch(new RegExp(`Script +workspace +eve@factors\\.example .* ${_id}$`))
  expect(await inProcess('key', 'end', 'Factors', _id)).toBe('Script has ended.')
  expect(await inProcess('key', 'list', 'Factors')).toBe('No API key.')
  const reset = () => inProcess('user', 'reset-factor', eve.email)
  await expect(reset()).rejects.toMatchObject({ type: 'NO_SECOND_FACTOR' })
  const now = app.clock.now()
  await app.db
    .insertInto('secondFactors')
    .values({ userId: eve.id, totpSealed: 'sealed', totpSince: now, changedAt: now })
    .execute()
  expect(await reset()).toMatch(/^eve@factors\.example logs in with the password alone now/)
  await expect(reset()).rejects.toMatchObject({ type: 'NO_SECOND_FACTOR' })
})

it('gives money of a payment by card back', async () => {
  const stage = await aStripeStage(() => app.clock.now())
  const { config } = app
  app.config = { ...config, billing: 'stripe', stripe: stage.settings }
  try {
    const who = await aMember(app)
    const domain = await anActiveDomain(app, who)
    const { id } = await aMailbox(app, { domain, status: 'inactive' })
    const invoice = await payForMailboxes(app, who, [id], null)
    const { url } = await openCheckout(app, who, invoice._id)
    stage.objects.pay(url.split('/').at(-1) ?? '', '4242424242424242')
    await lookAtInvoice(app, who, invoice._id)
    const refund = (amount: string) =>
      inProcess('invoice', 'refund', invoice.number, amount, 'Sorry')
    expect(await refund('0.50')).toBe(`$0.50 of ${invoice.number} is given back.`)
    await expect(refund('1.51')).rejects.toMatchObject({ type: 'STATUS_NOT_ALLOWED' })
    for (const wrong of ['much', '0', '0.00', '-1'])
      await expect(refund(wrong)).rejects.toThrow('An amount is a number')
    expect([...stage.objects.refunds.values()]).toMatchObject([{ amount: 50 }])
  } finally {
    app.config = config
    await stage.close()
  }
})

const makeEngines = async () => {
  const environment = { ...here(), PUBLIC_URL: 'https://mail.example.com' }
  const ada = await aUser(app, { firstName: 'Ada', email: 'ada@engines.example' })
  const members = [{ user: ada, role: 'Admin' as const }]
  const workspace = await aWorkspace(app, { name: 'Engines', members })
  await aDomain(app, { workspaceId: workspace.id, active: true, name: 'engines.test' })
  return { environment, workspace }
}
let made: ReturnType<typeof makeEngines> | undefined
/** The workspace of these tests: one, since it is named by its name. */
const engines = () => {
  made ??= makeEngines()
  return made
}

it('lists, shows, suspends and limits workspaces', async () => {
  const { environment, workspace } = await engines()
  expect(await say('workspace', 'list', 'engines.test')).toMatch(
    new RegExp(`^0 name .*id\nEngines +open +1 +0 +1 +0 B +0 +0 +${workspace.id}\n$`),
  )
  expect(await say('workspace', 'suspend', 'Engines')).toBe(
    '1 npm run operator -- workspace suspend NAME|ID REASON\n',
  )
  expect(await say('workspace', 'suspend', 'Engines', 'It sends too much')).toMatch(
    /^0 Engines sends nothing/,
  )
  expect(await say('workspace', 'show', 'Engines')).toMatch(
    /suspended for\nEngines +suspended .* It sends too much[\s\S]*Ada[\s\S]*engines\.test +yes +yes[\s\S]*terminal +workspace suspend +Engines +It sends too much/,
  )
  const json = await operator(['--json', 'workspace', 'show', 'Engines'], environment)
  expect(JSON.parse(json.stdout)).toMatchObject({
    workspace: [{ name: 'Engines', state: 'suspended', 'suspended for': 'It sends too much' }],
    people: [{ address: 'ada@engines.example', role: 'Admin' }],
    domains: [{ domain: 'engines.test', active: 'yes' }],
    senders: [],
    actions: [{ operator: 'terminal', did: 'workspace suspend' }],
  })
  expect(await say('workspace', 'resume', workspace.id)).toBe('0 Engines sends again.\n')
  expect(await say('workspace', 'quota', 'Engines', '2.5GB')).toBe(
    '0 Engines may hold 2.5 GB; it has 0 B.\n',
  )
  expect(await say('workspace', 'quota', 'Engines', 'much')).toMatch(/^1 A size is from 1MB/)
  expect(await say('workspace', 'quota', 'Nowhere', '1GB')).toBe(
    '1 There is no workspace Nowhere.\n',
  )
})

it('lists and shows mailboxes and people', async () => {
  const { workspace } = await engines()
  expect(await say('user', 'list', 'ada@engines')).toMatch(/Ada .*ada@engines\.example +member/)
  const { email } = await aMailbox(app, {
    domain: await aDomain(app, { workspaceId: workspace.id, active: true, name: 'shown.test' }),
  })
  expect(await say('mailbox', 'list', 'shown.test')).toMatch(
    new RegExp(`^0 address .*id\\n${email} .*Engines +active +0 B `),
  )
  expect(await say('mailbox', 'show', email)).toMatch(
    /^0 address[\s\S]*\n\nholder +last sign-in +readers[\s\S]*\n\nfolders +messages[\s\S]*\n\nNo other address\.\n$/,
  )
  expect(await say('mailbox', 'show', 'nobody@shown.test')).toBe(
    '1 There is no mailbox nobody@shown.test.\n',
  )
  expect(await say('user', 'show', 'ada@engines.example')).toMatch(
    /^0 name[\s\S]*Ada [\s\S]*\nEngines +Admin [\s\S]*Reads no mailbox\./,
  )
})

it('helps people in, and makes operators', async () => {
  await engines()
  expect(await say('user', 'reset-link', 'ada@engines.example')).toMatch(
    /^0 https:\/\/mail\.example\.com\/create-new-password\?token=[\w-]{43}\nIt works once/,
  )
  expect(await say('user', 'end-sessions', 'ada@engines.example')).toMatch(/^0 ada@engines/)
  const makeAdmin = ['user', 'make-admin', 'ada@engines.example', 'Engines']
  expect(await say(...makeAdmin)).toBe(
    "1 This makes ada@engines.example an Admin of Engines, where it is an Admin now.\nAn Admin sees its people, domains and invoices, gives everybody rights, also to read mail, and can export and delete all of it.\nIts Admins now: ada@engines.example.\nNothing was changed. To do it, add --yes 'ada@engines.example'.\n",
  )
  expect(await say(...makeAdmin, '--yes', 'ada@engines.example')).toBe(
    '0 ada@engines.example is an Admin of Engines.\n',
  )
  expect(await say('operator', 'add', 'ada@engines.example')).toMatch(/^0 ada@.* operates this/)
  expect(await say('operator', 'list')).toMatch(/ada@engines\.example +Ada .*terminal/)
  expect(await say('operator', 'remove', 'ada@engines.example')).toMatch(/^0 ada@.* does not/)
  expect(await say('operator', 'link')).toMatch(
    /^0 https:\/\/mail\.example\.com\/operator\/first\?token=/,
  )
})

it('empties the queue', async () => {
  const { environment, workspace } = await engines()
  await enqueueMessage(app, app.db, {
    ...{ workspaceId: workspace.id, mailboxId: null, mailFrom: 'no-reply@mail.example.com' },
    ...{ recipients: ['bob@slow.example'], raw: Buffer.from('Subject: x\r\n\r\nx\r\n') },
  })
  expect(await say('queue', 'list')).toMatch(/\nslow\.example +1 +0 /)
  for (const [verb, words] of [
    ['hold', 'is held back'],
    ['release', 'is released'],
    ['retry', 'is tried at once'],
  ] as const)
    expect(await say('queue', verb, 'slow.example')).toMatch(`0 1 delivery ${words}`)
  expect(await say('queue', 'show', 'workspace:Engines')).toMatch(/queued +no-reply@.*bob@slow/)
  expect(await say('queue', 'drop', 'workspace:Engines')).toMatch(/^0 1 delivery is dropped/)
  expect(await say('queue', 'show')).toBe('0 Nothing of this waits.\n')
  expect(await say('setting', 'change', 'SIGNUP', 'invite')).toBe('0 SIGNUP is invite now.\n')
  expect(await say('setting', 'change', 'storage_quota', '2GB')).toBe(
    '0 STORAGE_QUOTA is 2 GB now.\n',
  )
  expect(await say('setting', 'list')).toMatch(
    /\nSIGNUP +invite +open\nSTORAGE_QUOTA +2 GB +75 GB\nDOMAIN_MAILBOX_LIMIT +500 +500\n$/,
  )
  expect(await say('setting', 'change', 'SIGNUP', 'maybe')).toBe(
    '1 SIGNUP is open, invite or closed, or default.\n',
  )
  expect(await say('setting', 'change', 'PORT', '80')).toMatch(/^1 Please name one of SIGNUP/)
  for (const name of ['SIGNUP', 'STORAGE_QUOTA'])
    expect(await say('setting', 'change', name, 'default')).toMatch(/^0 .* now\.\n$/)
  expect(await say('setting', 'second-factor', '7')).toMatch(
    /^0 A second factor is required after 7 days. People without one: \d+.\n$/,
  )
  expect(await say('setting', 'second-factor', 'off')).toBe(
    '0 A second factor is not required any more.\n',
  )
  for (const days of ['31', 'soon'])
    expect(await say('setting', 'second-factor', days)).toBe(
      '1 Please give a number of days from 0 to 30, or off.\n',
    )
  expect(await say('upgrade', 'finish')).toBe('0 There is nothing to finish.\n')
  const { stdout } = await operator(['--json', 'action', 'list'], environment)
  const done = (JSON.parse(stdout) as { did: string }[]).map(({ did }) => did)
  // Each verb of the contract has a record by now, from this test and those before it, or is tried with backups.
  const elsewhere = ['backup', 'mailbox restore', 'restore', 'workspace restore']
  expect([...new Set(done), ...elsewhere].toSorted()).toEqual(operatorVerb.options.toSorted())
})

it('lists what is wrong, and sends a test alert by each way that is set', async () => {
  const settings = { ...here(), PUBLIC_URL: 'https://mail.example.com' }
  expect((await operator(['alert', 'list'], settings)).stdout).toBe('Nothing is wrong.\n')
  const [heldAt, sentence] = [app.clock.now(), 'The disk of DATA_DIR has 1 MB of 2 MB free.']
  const told = { heldAt, since: heldAt, sentence, tellings: '{}' }
  await app.db
    .insertInto('alerts')
    .values([
      { ...told, name: 'disk', begunAt: heldAt, endedAt: null },
      { ...told, name: 'queue-age', begunAt: null, endedAt: null },
      { ...told, name: 'block-list', begunAt: heldAt, endedAt: heldAt },
    ])
    .execute()
  const { stdout } = await operator(['--json', 'alert', 'list'], settings)
  const row = { since: heldAt.toISOString(), 'what is wrong': sentence }
  expect(
    JSON.parse(stdout).toSorted((a: Listed, b: Listed) => (a.alert < b.alert ? -1 : 1)),
  ).toEqual([
    { alert: 'disk', state: 'begun', ...row },
    { alert: 'queue-age', state: 'just seen', ...row },
  ])
  expect((await operator(['alert', 'test'], settings)).stdout).toBe(
    'Neither ALERT_URL nor ALERT_RELAY_URL is set: alerts are only logged.\n',
  )
  const bodies: unknown[] = []
  const web = createServer(async (request, response) => {
    bodies.push(await json(request))
    response.writeHead(204).end()
  })
  await once(web.listen(0, '127.0.0.1'), 'listening')
  const peer = await aSmtpPeer({ behave: (stage) => (stage === 'rcpt' ? '550 no' : undefined) })
  const tried = await operator(['alert', 'test'], {
    ...settings,
    ALERT_URL: `http://127.0.0.1:${(web.address() as AddressInfo).port}/`,
    ALERT_RELAY_URL: `smtp://127.0.0.1:${peer.port}?to=me@example.org`,
  })
  expect(tried).toMatchObject({
    code: 1,
    stdout: 'ALERT_URL: taken\nALERT_RELAY_URL: not taken: 550 no\n',
  })
  expect(bodies).toMatchObject([
    { alert: 'test', state: 'begun', installation: 'https://mail.example.com' },
  ])
  web.close()
  await peer.close()
})

type Listed = { alert: string }

it('tells what a trial lacks, with exit code 1, for people and for programs', async () => {
  const environment = here()
  const { code, stdout } = await operator(['check'], environment)
  expect(code).toBe(1)
  expect(stdout).toMatch(
    /^WRONG {4}Names: This is a trial: .*\n {9}Set public names.*\n {11}PUBLIC_URL=https.*\n {11}MAIL_HOST=/,
  )
  expect(stdout).toMatch(/\ngood {5}Database: PostgreSQL [\s\S]* wrong\.\n$/)
  const json = await operator(['--json', 'check'], environment)
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout).items[0]).toMatchObject({
    ...{ check: 'names', state: 'wrong', remedy: { kind: 'setting' } },
  })
  expect((await operator(['check', 'all'], environment)).stderr).toBe('npm run operator -- check\n')
})

it('asks the DNS of the settings, and lets no name from there move the cursor', async () => {
  const dns = await aDnsServer()
  dns.zone('host.example')
  dns.set('mail.host.example', 'A', ['127.0.0.1'])
  dns.set('1.0.0.127.in-addr.arpa', 'PTR', ['evil\u001b[2J.host.example'])
  const { stdout } = await operator(['check'], {
    ...here(),
    ALLOW_LOOPBACK_PEERS: 'on',
    ...{ MAIL_HOST: 'mail.host.example', DNS_SERVERS: dns.address, DNS_PORT: String(dns.port) },
    MX_PORT: String(await freePort()),
  })
  await dns.close()
  expect(stdout).toContain('Address in DNS: mail.host.example leads to 127.0.0.1.')
  expect(stdout).toMatch(/Reverse name: .*evil.*\n.*\n {11}1\.0\.0\.127\.in-addr\.arpa PTR mail/)
  expect(stdout).not.toContain('\u001b')
})

it('the page for operators has each command, and no other', async () => {
  const page = await readFile('docs/operating/operators.md', 'utf8')
  const told = [...page.matchAll(/^\| `([^`]*)` \|/gm)].map(([, typed = '']) => {
    const words = typed.split(' ')
    return (findEarlyVerb(words) ?? findVerb(words))?.name ?? typed
  })
  expect(told.toSorted()).toEqual(Object.keys({ ...verbs, ...earlyVerbs }).toSorted())
})
