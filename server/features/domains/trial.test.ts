import { afterAll, beforeAll, expect, it, test } from 'vitest'
import type { TrialSetting } from '#contract/installation.ts'
import { domainZoneFile } from '#server/features/checks/domain-zone-file.ts'
import { exportRecords } from '#server/features/checks/export-records.ts'
import { makeLink } from '#server/features/checks/links.ts'
import { verifyDns, verifyMany } from '#server/features/checks/verify-domain.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { aMember } from '#test-world/members.ts'
import { addDomain } from './add-domain.ts'
import { dnsRecords, optionalRecords, ownershipRecord } from './dns-records.ts'
import { trialSettings } from './trial.ts'

const real = {
  ...{ publicUrl: 'https://mail.host.com', mailHost: 'mail.host.com', mailIps: ['8.8.8.8'] },
  allowLoopbackPeers: false,
}

test.each<[Partial<typeof real>, TrialSetting[]]>([
  [{}, []],
  [{ mailIps: [] }, []],
  [{ publicUrl: 'https://[2a01:4f8::1]:8443' }, []],
  [{ publicUrl: 'http://localhost:8080', mailHost: 'localhost' }, ['PUBLIC_URL', 'MAIL_HOST']],
  [{ publicUrl: 'http://127.0.0.1:8080' }, ['PUBLIC_URL']],
  [{ publicUrl: 'http://[::1]:8080' }, ['PUBLIC_URL']],
  [{ publicUrl: 'http://192.168.1.5' }, ['PUBLIC_URL']],
  [{ publicUrl: 'http://nas.local' }, ['PUBLIC_URL']],
  [{ mailHost: 'mail' }, ['MAIL_HOST']],
  [{ mailHost: 'mail.firm.internal' }, ['MAIL_HOST']],
  [{ mailHost: 'mail.mailstead.test' }, ['MAIL_HOST']],
  [{ mailIps: ['8.8.8.8', '10.0.0.1'] }, ['MAIL_IPS']],
  [{ mailIps: ['fd00::1'] }, ['MAIL_IPS']],
  [{ mailIps: ['127.0.0.1'], allowLoopbackPeers: true }, []],
])('with %j, %j name no public place', (change, expected) => {
  expect(trialSettings({ ...real, ...change })).toEqual(expected)
})

let app: TestApp
beforeAll(async () => {
  app = await anApp({ config: { allowLoopbackPeers: false } })
})
afterAll(() => app.close())

it('offers no record to publish but the proof of ownership', async () => {
  const who = await aMember(app)
  const { _id: id } = await addDomain(app, who, { name: 'firm.com' })
  await app.db.updateTable('domains').set({ isVerified: true }).where('id', '=', id).execute()
  expect((await ownershipRecord(app, who, id)).value).toMatch(/^mailstead-verify=/)
  const refused = {
    type: 'TRIAL',
    message: expect.stringContaining('PUBLIC_URL, MAIL_HOST and MAIL_IPS'),
  }
  for (const ask of [
    () => dnsRecords(app, who, id),
    () => optionalRecords(app, who, id),
    () => verifyDns(app, who, id),
    () => domainZoneFile(app, who, id),
    () => exportRecords(app, who, { ids: [id], format: 'csv' }),
    () => makeLink(app, who, [id], { days: 1 }),
  ])
    await expect(ask()).rejects.toMatchObject(refused)
  expect(await verifyMany(app, who, [id])).toMatchObject([{ message: refused.message }])
  // A DNS of the operator's own, on a port of its own, sends nobody's mail anywhere.
  const elsewhere = { ...app, config: { ...app.config, dnsPort: 5353 } }
  expect((await dnsRecords(elsewhere, who, id)).length).toBeGreaterThan(0)
})
