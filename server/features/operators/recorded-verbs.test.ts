/** What an operator does to a workspace is in its audit log, in words, by the operator, who is not named. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OperatorVerb, operatorVerb } from '#contract/operator/actions.ts'
import { BY_OPERATOR } from '#contract/workspace/audit-log.ts'
import { listAuditLog } from '#server/features/audit/list-audit-log.ts'
import { endSessions, makeAdmin, makeResetLink } from '#server/features/operating/accounts.ts'
import {
  resumeWorkspace,
  setQuota,
  suspendWorkspace,
} from '#server/features/operating/workspaces.ts'
import { anApp, type TestApp } from '#test-world/app.ts'
import { linesByOperator } from '#test-world/audit-lines.ts'
import { aMailbox, aUser, aWorkspace } from '#test-world/builders.ts'
import { aHolder } from '#test-world/people/holders.ts'
import { noteAction, TERMINAL } from './operators.ts'
import { recordedVerbs } from './recorded-verbs.ts'

let app: TestApp
beforeAll(async () => {
  app = await anApp()
})
afterAll(() => app.close())

const linesOf = async (workspaceId: string) =>
  (await listAuditLog(app, { workspaceId }, { limit: 50, order: 'at', direction: 'up' })).items

test.each(operatorVerb.options)('%s is recorded as its declaration says', async (verb) => {
  const { id: workspaceId } = await aWorkspace(app)
  const action = { verb, workspaceId, subject: 'x.example', detail: 'why' }
  await noteAction(app.db, app.clock.now(), 'ops@mailstead.example', action)
  const recorded = recordedVerbs[verb]
  const lines = await linesOf(workspaceId)
  if ('never' in recorded) return expect(lines).toEqual([])
  expect(lines).toMatchObject([
    {
      ...{ ...recorded, action: verb, object: 'x.example', details: { detail: 'why' } },
      ...{ by: BY_OPERATOR, name: '', email: '', ip: '', isDone: true },
    },
  ])
  expect(JSON.stringify(lines)).not.toContain('ops@')
})

test('what is done to a person is in each of their workspaces, to a holder in that of the mailbox', async () => {
  const user = await aUser(app)
  const members = [{ user, role: 'User' as const }]
  const [one, two, other] = [
    await aWorkspace(app, { members }),
    await aWorkspace(app, { members }),
    await aWorkspace(app),
  ]
  await makeResetLink(app, TERMINAL, user.email)
  app.clock.advance({ seconds: 1 })
  await endSessions(app, TERMINAL, user.email)
  const done: OperatorVerb[] = ['user reset-link', 'user end-sessions']
  for (const { id: workspaceId } of [one, two])
    expect(await linesByOperator(app, { workspaceId })).toEqual(
      done.map((verb) => [verb, user.email]),
    )
  expect(await linesOf(other.id)).toEqual([])
  const mailbox = await aMailbox(app)
  await aHolder(app, mailbox)
  await endSessions(app, TERMINAL, mailbox.email)
  expect(await linesByOperator(app, mailbox)).toEqual([['user end-sessions', mailbox.email]])
})

test('what is done to a workspace is in its own log alone', async () => {
  const user = await aUser(app)
  const { id, name } = await aWorkspace(app)
  const other = await aWorkspace(app)
  await suspendWorkspace(app, TERMINAL, id, 'Junk')
  app.clock.advance({ seconds: 1 })
  await resumeWorkspace(app, TERMINAL, id)
  app.clock.advance({ seconds: 1 })
  await setQuota(app, TERMINAL, id, 5e9)
  app.clock.advance({ seconds: 1 })
  await makeAdmin(app, TERMINAL, user.email, id)
  expect(await linesByOperator(app, { workspaceId: id })).toEqual([
    ['workspace suspend', name],
    ['workspace resume', name],
    ['workspace quota', name],
    ['user make-admin', user.email],
  ])
  expect(await linesOf(other.id)).toEqual([])
})
