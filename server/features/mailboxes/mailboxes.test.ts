import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#server/lib/ids.ts'
import { CHANGED_CHANNEL } from '#server/storage/notifications.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox, type Mailbox } from '#test-world/builders.ts'
import { deleteMailbox } from '#test-world/deletions.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { createMailbox, editMailbox } from './edit-mailbox.ts'
import { getMailbox, listMailboxes } from './read-mailboxes.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp({ config: { domainMailboxLimit: 5 } })
})
afterAll(() => app.close())

const ada = (domain: string, localPart = 'ada') => ({
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: `${localPart}@${domain}`,
  domain,
})

const aMailIn = async (mailbox: Mailbox): Promise<void> => {
  const folder = await app.db
    .updateTable('folders')
    .set({ messageCount: 1 })
    .where('mailboxId', '=', mailbox.id)
    .where('role', '=', 'inbox')
    .returning('id')
    .executeTakeFirstOrThrow()
  await app.db
    .insertInto('messages')
    .values({
      id: newId(),
      workspaceId: mailbox.workspaceId,
      mailboxId: mailbox.id,
      folderId: folder.id,
      uid: 1,
      modseq: 1,
      threadId: newId(),
      blob: 'a'.repeat(64),
      sizeBytes: 10,
      messageId: '',
      inReplyTo: null,
      references: '[]',
      subject: 'Hello',
      from: 'null',
      to: '[]',
      cc: '[]',
      bcc: '[]',
      preview: '',
      isRead: false,
      isStarred: false,
      hasAttachments: false,
      authentication: null,
      mailFrom: '',
      date: app.clock.now(),
      searchText: 'hello',
    })
    .execute()
}

describe('creating', () => {
  it('makes an unpaid mailbox with six folders that its maker may read', async () => {
    const who = await aMember(app)
    const { name } = await anActiveDomain(app, who)
    const heard: (string | null)[] = []
    const stop = await app.listener.subscribe(CHANGED_CHANNEL, (payload) => heard.push(payload))
    const made = await createMailbox(app, who, {
      ...ada(name.toUpperCase(), 'Ada.L'),
      signature: '<b>Ada</b>',
    })
    expect(made).toEqual({
      _id: expect.any(String),
      firstName: 'Ada',
      lastName: 'Lovelace',
      fullName: 'Ada Lovelace',
      email: `ada.l@${name}`,
      domain: name,
      signature: '<b>Ada</b>',
      status: 'inactive',
    })
    expect(await getMailbox(app, who, made._id)).toEqual(made)
    const folders = await app.db
      .selectFrom('folders')
      .select(['role', 'name'])
      .where('mailboxId', '=', made._id)
      .where('workspaceId', '=', who.workspaceId)
      .execute()
    expect(new Map(folders.map((folder) => [folder.role, folder.name]))).toEqual(
      new Map([
        ['inbox', 'Inbox'],
        ['sent', 'Sent'],
        ['drafts', 'Drafts'],
        ['junk', 'Junk'],
        ['trash', 'Trash'],
        ['archive', 'Archive'],
      ]),
    )
    const page = await listMailboxes(app, who, { limit: 50, readable: 'true' })
    expect(page.items).toMatchObject([{ ...made, access: { state: 'none' } }])
    await expect
      .poll(() => heard.map((payload) => JSON.parse(payload ?? 'null')))
      .toEqual([{ topic: 'mailboxes', workspaceId: who.workspaceId }])
    stop()
  })

  it('is active at once where nothing is to be paid', async () => {
    const free = await anApp({ config: { billing: 'off' }, database: app.database })
    const who = await aMember(app)
    const { name } = await anActiveDomain(app, who)
    expect((await createMailbox(free, who, ada(name))).status).toBe('active')
    await free.close()
  })

  it.each([
    ['an address outside its domain', { email: 'ada@elsewhere.example' }, 'email'],
    ['an address in a subdomain', { email: 'ada@sub.DOMAIN' }, 'email'],
    ['postmaster', { email: 'PostMaster@DOMAIN' }, 'email'],
    ['abuse, tagged', { email: 'abuse+x@DOMAIN' }, 'email'],
    ['an unknown domain', { email: 'a@nowhere.example', domain: 'nowhere.example' }, 'domain'],
  ])('refuses %s', async (_what, wrong, field) => {
    const who = await aMember(app)
    const { name } = await anActiveDomain(app, who)
    const email = wrong.email.replace('DOMAIN', name)
    await expect(createMailbox(app, who, { ...ada(name), ...wrong, email })).rejects.toMatchObject({
      type: 'VALIDATION',
      data: { [field]: expect.any(String) },
    })
  })

  it('treats the domain of another workspace as unknown', async () => {
    const other = await aMember(app)
    const { name } = await anActiveDomain(app, other)
    await expect(createMailbox(app, await aMember(app), ada(name))).rejects.toMatchObject({
      type: 'VALIDATION',
      data: { domain: expect.any(String) },
    })
  })

  it('needs an active domain', async () => {
    const who = await aMember(app)
    const { workspaceId } = who
    const verified = await aDomain(app, { workspaceId, verified: true })
    const claimed = await aDomain(app, { workspaceId })
    for (const { name } of [verified, claimed])
      await expect(createMailbox(app, who, ada(name))).rejects.toMatchObject({
        type: 'DOMAIN_NOT_ACTIVE',
      })
  })

  it('keeps one mailbox for an address', async () => {
    const who = await aMember(app)
    const { name } = await anActiveDomain(app, who)
    await createMailbox(app, who, ada(name))
    await expect(createMailbox(app, who, ada(name, 'ADA'))).rejects.toMatchObject({
      type: 'MAILBOX_EXISTS',
    })
    const both = await Promise.allSettled([
      createMailbox(app, who, ada(name, 'grace')),
      createMailbox(app, who, ada(name, 'grace')),
    ])
    expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('stores Unicode domains as A-labels', async () => {
    const who = await aMember(app)
    await anActiveDomain(app, who, 'xn--mller-kva.example')
    const made = await createMailbox(app, who, ada('müller.example'))
    expect(made).toMatchObject({
      email: 'ada@xn--mller-kva.example',
      domain: 'xn--mller-kva.example',
    })
  })

  it('leaves exactly as many as the limit allows when 20 are made at once', async () => {
    const who = await aMember(app)
    const { name } = await anActiveDomain(app, who)
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => createMailbox(app, who, ada(name, `ada${i}`))),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.map((result) => result.reason.type)).toEqual(Array(15).fill('MAILBOX_LIMIT'))
    expect((await listMailboxes(app, who, { limit: 50 })).items).toHaveLength(5)
  })
})

describe('editing', () => {
  it('changes what is given and nothing else', async () => {
    const who = await aMember(app)
    const { name } = await anActiveDomain(app, who)
    const made = await createMailbox(app, who, { ...ada(name), signature: 'Ada' })
    expect(await editMailbox(app, who, made._id, {})).toEqual(made)
    expect(await editMailbox(app, who, made._id, { firstName: 'Augusta' })).toEqual({
      ...made,
      firstName: 'Augusta',
      fullName: 'Augusta Lovelace',
    })
    expect(await editMailbox(app, who, made._id, { signature: '' })).toMatchObject({
      firstName: 'Augusta',
      signature: '',
    })
  })

  it('renames and moves while there is no mail, under the rules of a new mailbox', async () => {
    const who = await aMember(app)
    const [from, to] = [await anActiveDomain(app, who), await anActiveDomain(app, who)]
    const asleep = await aDomain(app, { workspaceId: who.workspaceId, verified: true })
    const { _id } = await createMailbox(app, who, ada(from.name))
    await createMailbox(app, who, ada(from.name, 'grace'))
    for (let i = 0; i < 4; i++) await createMailbox(app, who, ada(to.name, `ada${i}`))

    const change = (given: Parameters<typeof editMailbox>[3]) => editMailbox(app, who, _id, given)
    await expect(change({ email: `grace@${from.name}` })).rejects.toMatchObject({
      type: 'MAILBOX_EXISTS',
    })
    await expect(change({ email: `ada@${to.name}` })).rejects.toMatchObject({
      data: { email: expect.any(String) },
    })
    await expect(change({ domain: to.name })).rejects.toMatchObject({
      data: { email: expect.any(String) },
    })
    await expect(change({ email: `abuse@${from.name}` })).rejects.toMatchObject({
      data: { email: expect.any(String) },
    })
    await expect(
      change({ email: `ada@${asleep.name}`, domain: asleep.name }),
    ).rejects.toMatchObject({ type: 'DOMAIN_NOT_ACTIVE' })
    expect(await change({ email: `ada.l@${from.name}` })).toMatchObject({
      email: `ada.l@${from.name}`,
    })
    expect(await change({ email: `ada@${to.name}`, domain: to.name })).toMatchObject({
      email: `ada@${to.name}`,
      domain: to.name,
    })
    const [second] = (await listMailboxes(app, who, { limit: 1, domain: from.name })).items
    await expect(
      editMailbox(app, who, second?._id ?? '', { email: `g@${to.name}`, domain: to.name }),
    ).rejects.toMatchObject({ type: 'MAILBOX_LIMIT' })
  })

  it('keeps the address of a mailbox that has mail', async () => {
    const who = await aMember(app)
    const domain = await anActiveDomain(app, who)
    const mailbox = await aMailbox(app, { domain, localPart: 'ada' })
    await aMailIn(mailbox)
    await expect(
      editMailbox(app, who, mailbox.id, { email: `lovelace@${domain.name}` }),
    ).rejects.toMatchObject({ type: 'ADDRESS_FIXED' })
    expect(
      await editMailbox(app, who, mailbox.id, { ...ada(domain.name), firstName: 'Augusta' }),
    ).toMatchObject({ firstName: 'Augusta', email: mailbox.email })
  })

  it('suspends and resumes, and activates nothing that is not paid', async () => {
    const who = await aMember(app)
    const domain = await anActiveDomain(app, who)
    const paid = await aMailbox(app, { domain })
    const unpaid = await aMailbox(app, { domain, status: 'inactive' })
    for (const status of ['suspended', 'suspended', 'active'] as const)
      expect((await editMailbox(app, who, paid.id, { status })).status).toBe(status)
    for (const [{ id }, status] of [
      [paid, 'inactive'],
      [unpaid, 'active'],
      [unpaid, 'suspended'],
    ] as const)
      await expect(editMailbox(app, who, id, { status })).rejects.toMatchObject({
        type: 'STATUS_NOT_ALLOWED',
      })
    expect((await getMailbox(app, who, unpaid.id)).status).toBe('inactive')
    // Left over from before nothing was to be paid: nobody could activate it otherwise.
    const free = await anApp({ config: { billing: 'off' }, database: app.database })
    expect((await editMailbox(free, who, unpaid.id, { status: 'active' })).status).toBe('active')
    await free.close()
  })
})

it('answers for foreign, random and malformed ids alike, and changes nothing', async () => {
  const foreign = await aMailbox(app)
  const who = await aMember(app)
  for (const id of [foreign.id, newId(), 'x', `${foreign.id}'`]) {
    const notThere = { type: 'NOT_EXISTS', message: 'Not found', data: {} }
    await expect(getMailbox(app, who, id)).rejects.toMatchObject(notThere)
    await expect(editMailbox(app, who, id, { firstName: 'Eve' })).rejects.toMatchObject(notThere)
    await expect(deleteMailbox(app, who, id)).rejects.toMatchObject(notThere)
  }
  const rows = await app.db
    .selectFrom('mailboxes')
    .selectAll()
    .where('id', '=', foreign.id)
    .execute()
  expect(rows).toEqual([foreign])
})

it('deletes the mail with the mailbox; the address made again starts empty', async () => {
  const who = await aMember(app)
  const domain = await anActiveDomain(app, who)
  const mailbox = await aMailbox(app, { domain, localPart: 'ada' })
  await aMailIn(mailbox)
  await deleteMailbox(app, who, mailbox.id)
  await expect(deleteMailbox(app, who, mailbox.id)).rejects.toMatchObject({ type: 'NOT_EXISTS' })
  const again = await createMailbox(app, who, ada(domain.name))
  expect(again._id).not.toBe(mailbox.id)
  for (const table of ['messages', 'folders', 'mailboxReaders'] as const)
    expect(
      await app.db
        .selectFrom(table)
        .select('mailboxId')
        .where('mailboxId', '=', mailbox.id)
        .execute(),
    ).toEqual([])
})
