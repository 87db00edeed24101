import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localPartFor } from '#contract/mailboxes.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDomain, aMailbox } from '#test-world/builders.ts'
import { aMember, anActiveDomain } from '#test-world/members.ts'
import { createMailbox } from './edit-mailbox.ts'
import { generateMailboxes } from './generate-mailboxes.ts'
import { listMailboxes } from './read-mailboxes.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp({ config: { domainMailboxLimit: 5 } })
})
afterAll(() => app.close())

const person = (firstName: string, lastName = 'Lovelace') => ({ firstName, lastName })
const form = (domains: string[], names: ReturnType<typeof person>[], signature?: string) => ({
  domains,
  count: names.length,
  names,
  ...(signature !== undefined && { signature }),
})

describe('the address of a name', () => {
  it.each([
    ['Zoë', 'Müller', 'zoe.muller'],
    ['Łukasz', 'Żółć', 'lukasz.zolc'],
    ['Ærø', 'Ǿrsted', 'aero.orsted'],
    ['Straße', 'Groẞ', 'strasse.gross'],
    ['İpek', 'Işık', 'ipek.isik'],
    ['Þór', 'Guðrún', 'thor.gudrun'],
    ["O'Neil-Smith", 'de la Cruz', 'oneil-smith.delacruz'],
    ['Ines-Maria', '-Roth-', 'ines-maria.roth'],
    ['-', '--', ''],
    ['Zoë', '王', 'zoe'],
    ['王', 'Müller', 'muller'],
    ['a'.repeat(59), 'bc', 'a'.repeat(59)],
    ['李小龙', '王', ''],
    ['"@<>', '..', ''],
  ])('%s %s is %s', (first, last, expected) => {
    expect(localPartFor(first, last)).toBe(expected)
  })
})

describe('generating', () => {
  it('makes names x domains, in the order of the list, and answers them', async () => {
    const who = await aMember(app)
    const [one, two] = [await anActiveDomain(app, who), await anActiveDomain(app, who)]
    await createMailbox(app, who, { ...person('Older'), email: `o@${one.name}`, domain: one.name })
    const names = [person('Ada Augusta'), person('Zoë Anna', 'Müller')]
    // The same domain twice is meant once.
    const domains = [one.name, two.name, one.name.toUpperCase()]
    const made = await generateMailboxes(app, who, form(domains, names, '<i>Bye</i>'))
    expect(made.map((mailbox) => mailbox.email)).toEqual([
      `adaaugusta.lovelace@${one.name}`,
      `zoeanna.muller@${one.name}`,
      `adaaugusta.lovelace@${two.name}`,
      `zoeanna.muller@${two.name}`,
    ])
    expect(made[1]).toMatchObject({
      fullName: 'Zoë Anna Müller',
      domain: one.name,
      signature: '<i>Bye</i>',
      status: 'inactive',
    })
    const list = await listMailboxes(app, who, { limit: 50, readable: 'true' })
    expect(list.items.slice(0, 4)).toMatchObject(made)
    expect(list.items).toHaveLength(5)
    const ids = made.map((mailbox) => mailbox._id)
    const folders = await app.db
      .selectFrom('folders')
      .select('mailboxId')
      .where('mailboxId', 'in', ids)
      .execute()
    expect(folders).toHaveLength(24)
  })

  it('gives a taken address the lowest free number', async () => {
    const who = await aMember(app)
    const domain = await anActiveDomain(app, who)
    await aMailbox(app, { domain, localPart: 'grace.lovelace' })
    await aMailbox(app, { domain, localPart: 'grace.lovelace3' })
    const names = [person('Grace'), person('Grace'), person('GRACE')]
    const made = await generateMailboxes(app, who, form([domain.name], names))
    expect(made.map((mailbox) => mailbox.email.split('@')[0])).toEqual([
      'grace.lovelace2',
      'grace.lovelace4',
      'grace.lovelace5',
    ])
  })

  it('finds a free number behind many taken ones', async () => {
    const roomy = await anApp({ database: app.database })
    const who = await aMember(app)
    const domain = await anActiveDomain(app, who)
    await aMailbox(app, { domain, localPart: 'grace.lovelace' })
    for (let i = 2; i < 40; i++) await aMailbox(app, { domain, localPart: `grace.lovelace${i}` })
    const [made] = await generateMailboxes(roomy, who, form([domain.name], [person('Grace')]))
    expect(made?.email).toBe(`grace.lovelace40@${domain.name}`)
    await roomy.close()
  })

  it('keeps the addresses of roles free', async () => {
    const who = await aMember(app)
    const { name } = await anActiveDomain(app, who)
    const names = [person('Postmaster', '王王王王王')]
    const [made] = await generateMailboxes(app, who, form([name], names))
    expect(made?.email).toBe(`postmaster2@${name}`)
  })

  it('makes all or none', async () => {
    const who = await aMember(app)
    const { workspaceId } = who
    const good = await anActiveDomain(app, who)
    const full = await anActiveDomain(app, who)
    for (let i = 0; i < 4; i++) await aMailbox(app, { domain: full, localPart: `full${i}` })
    const asleep = await aDomain(app, { workspaceId, verified: true })
    const foreign = await anActiveDomain(app, await aMember(app))
    const names = [person('Grace'), person('Augusta')]
    const generate = (other: string) => generateMailboxes(app, who, form([good.name, other], names))
    await expect(generate(full.name)).rejects.toMatchObject({
      type: 'MAILBOX_LIMIT',
      data: { domain: full.name, free: 1 },
    })
    await expect(generate(asleep.name)).rejects.toMatchObject({ type: 'DOMAIN_NOT_ACTIVE' })
    const unknown = await generate('nowhere.example').catch((error) => error)
    expect(unknown).toMatchObject({ type: 'VALIDATION', data: { domains: expect.any(String) } })
    const other = await generate(foreign.name).catch((error) => error)
    expect(other.data.domains).toBe(unknown.data.domains.replace('nowhere.example', foreign.name))
    const { items } = await listMailboxes(app, who, { limit: 50, domain: good.name })
    expect(items).toEqual([])
  })

  it('refuses a signature that would fill the store', async () => {
    const who = await aMember(app)
    const domains = []
    for (let i = 0; i < 10; i++) domains.push((await anActiveDomain(app, who)).name)
    const names = ['Grace', 'Augusta', 'Hedyy'].map((name) => person(name))
    await expect(
      generateMailboxes(app, who, form(domains, names, 'x'.repeat(700_000))),
    ).rejects.toMatchObject({ data: { signature: expect.any(String) } })
  })

  it('holds the limit and the addresses when several run at once', async () => {
    const who = await aMember(app)
    const domains = [await anActiveDomain(app, who), await anActiveDomain(app, who)]
    const names = domains.map((domain) => domain.name)
    // Opposite orders would wait for each other for ever if the locks were taken as given.
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) =>
        generateMailboxes(
          app,
          who,
          form(i % 2 === 0 ? names : names.toReversed(), [person('Grace'), person('Augusta')]),
        ),
      ),
    )
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused.map((result) => result.reason.type)).toEqual(Array(10).fill('MAILBOX_LIMIT'))
    const { items } = await listMailboxes(app, who, { limit: 50 })
    const locals = ['augusta.lovelace', 'augusta.lovelace2', 'grace.lovelace', 'grace.lovelace2']
    expect(items.map((mailbox) => mailbox.email).sort()).toEqual(
      names.flatMap((name) => locals.map((local) => `${local}@${name}`)).sort(),
    )
  })
})
