import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDomain } from '#server/features/domains/add-domain.ts'
import { dnsRecords, ownershipRecord } from '#server/features/domains/dns-records.ts'
import { spfLookUp } from '#server/features/domains/senders.ts'
import { openDns } from '#server/lib/dns/dns-client.ts'
import { newId } from '#server/lib/ids.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aDnsServer, type TestDns } from '#test-world/dns/dns-server.ts'
import { aMember } from '#test-world/members.ts'
import { AT_ONCE_OF_A_WORKSPACE, checkDomain, runInTurn } from './check-domain.ts'
import { dnsSetting } from './dns-setting.ts'

let world: TestDns
let app: TestApp
beforeAll(async () => {
  world = await aDnsServer()
  const settings = { servers: [world.address], port: world.port, allowLoopbackPeers: true }
  app = await anApp({ dns: openDns(settings) })
})
afterAll(async () => {
  await app.close()
  await world.close()
})

const aMinute = () => Date.now() + 60_000

test('a workspace has so many turns, and leaves the others theirs', async () => {
  const [one, other] = [newId(), newId()]
  const gate = Promise.withResolvers<void>()
  let begun = 0
  const work = () => {
    begun += 1
    return gate.promise
  }
  const all = Array.from({ length: AT_ONCE_OF_A_WORKSPACE + 5 }, () =>
    runInTurn(one, aMinute(), work),
  )
  expect(await runInTurn(other, aMinute(), async () => 'done')).toBe('done')
  expect(begun).toBe(AT_ONCE_OF_A_WORKSPACE)
  gate.resolve()
  await Promise.all(all)
  expect(begun).toBe(AT_ONCE_OF_A_WORKSPACE + 5)
})

/** Takes all turns of a workspace until `end`. */
const hold = (workspaceId: string) => {
  const gate = Promise.withResolvers<void>()
  const all = Array.from({ length: AT_ONCE_OF_A_WORKSPACE }, () =>
    runInTurn(workspaceId, aMinute(), () => gate.promise),
  )
  return async () => {
    gate.resolve()
    await Promise.all(all)
  }
}

test('whose turn does not come in time begins nothing later', async () => {
  const id = newId()
  const end = hold(id)
  let isBegun = false
  const late = runInTurn(id, Date.now() + 20, async () => {
    isBegun = true
  })
  expect(await late).toBeNull()
  await end()
  await runInTurn(id, aMinute(), async () => {})
  expect(isBegun).toBe(false)
})

test('all workspaces together have so many turns', async () => {
  const ends = [newId(), newId(), newId()].map(hold)
  expect(await runInTurn(newId(), Date.now() + 20, async () => 'done')).toBeNull()
  await Promise.all(ends.map((end) => end()))
  expect(await runInTurn(newId(), aMinute(), async () => 'done')).toBe('done')
})

test('without a turn nothing is asked, and the records say why', async () => {
  const who = await aMember(app)
  const { workspaceId } = who
  const domain = 'patient.example'
  world.zone(domain)
  const { _id: id } = await addDomain(app, who, { name: domain })
  const { name, value } = await ownershipRecord(app, who, id)
  world.set(name, 'TXT', [value])
  const end = hold(workspaceId)
  const setting = dnsSetting(app, who, id)
  await checkDomain(app, { id, workspaceId }, 'ownership', { limitMs: 100 })
  const { state, explanation } = await ownershipRecord(app, who, id)
  expect({ state, explanation }).toEqual({
    state: 'unknown',
    explanation: 'This record could not be checked: too many other checks are under way.',
  })
  expect((await setting).nameServers).toEqual([])
  expect(world.queries.filter((query) => query.name.endsWith(domain))).toEqual([])
  await end()
  await checkDomain(app, { id, workspaceId }, 'ownership')
  expect((await ownershipRecord(app, who, id)).state).toBe('verified')
})

test('the SPF record of a check that nobody waits for any more asks nothing', async () => {
  world.zone('late.example')
  world.set('late.example', 'TXT', ['v=spf1 -all'])
  const asked = () => world.queries.filter(({ name }) => name === 'late.example').length
  expect(await spfLookUp(app, Date.now() - 1)('late.example', 'TXT')).toEqual({ outcome: 'failed' })
  expect(asked()).toBe(0)
  expect(await spfLookUp(app)('late.example', 'TXT')).toMatchObject({ outcome: 'found' })
  expect(asked()).toBe(1)
})

test('an SPF record that loses the service that has the mail is right, and the page asks about it', async () => {
  const who = await aMember(app)
  world.zone('moving.test')
  world.zone('oldprovider.test')
  world.set('_spf.oldprovider.test', 'TXT', ['v=spf1 ip4:192.0.2.9 ~all'])
  world.set('moving.test', 'MX', ['10 mx1.oldprovider.test'])
  const { _id: id } = await addDomain(app, who, { name: 'moving.test' })
  await app.db.updateTable('domains').set({ isVerified: true }).where('id', '=', id).execute()
  const check = async (...texts: string[]) => {
    world.set('moving.test', 'TXT', texts)
    app.clock.advance({ minutes: 1 })
    await checkDomain(app, { id, workspaceId: who.workspaceId }, 'all')
    return (await dnsRecords(app, who, id)).find(({ purpose }) => purpose === 'spf')
  }
  const both = 'v=spf1 include:_spf.oldprovider.test ip4:127.0.0.1 ~all'
  const old = await check('v=spf1 include:_spf.oldprovider.test ~all')
  expect(old).toMatchObject({ state: 'different', value: both })
  const lost = await check('v=spf1 ip4:127.0.0.1 ~all')
  expect(lost).toMatchObject({
    state: 'verified',
    explanation: expect.stringContaining("does not name 'include:_spf.oldprovider.test' any more"),
  })
  // Not of the change alone: as long as the mail is there.
  expect(await check('v=spf1 ip4:127.0.0.1 ~all')).toMatchObject({ explanation: lost?.explanation })
  const broken = await check('v=spf1 ip4:127.0.0.1 ?')
  expect(broken?.value).toBe('v=spf1 ip4:127.0.0.1 include:_spf.oldprovider.test ~all')
  expect(await check(both)).toMatchObject({ state: 'verified', explanation: '' })
  world.set('moving.test', 'MX', ['10 mail.mailstead.test'])
  expect(await check('v=spf1 ip4:127.0.0.1 ~all')).toMatchObject({ explanation: '' })
})
