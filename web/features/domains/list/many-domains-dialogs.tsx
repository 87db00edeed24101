import { useState } from 'react'
import { WAIT_DAYS } from '#contract/deletions.ts'
import { deleteManyDomains, moveManyDomains, verifyManyDomains } from '#contract/many-domains.ts'
import { listWorkspaces } from '#contract/workspaces.ts'
import type { JustDeleted } from '#web/deletions/just-deleted.tsx'
import { call } from '#web/lib/api/api.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useRunMany } from '#web/lib/api/use-run-many.ts'
import { formatCount } from '#web/lib/format.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { doneOf, ManyDialog, type ManyGroup, toType } from '#web/ui/overlay/many-dialog.tsx'
import { NewWorkspace } from '../new-workspace.tsx'
import type { DomainRow } from './domain-rows.ts'

type ManyProps = { domains: readonly DomainRow[]; onClose: () => void }
type DeleteManyProps = ManyProps & { onDeleted: (deleted: readonly JustDeleted[]) => void }

/** Rows in one request: the dialog shows how far it is. */
const VERIFIED_AT_ONCE = 25
const CHANGED_AT_ONCE = 20

const propsOf = (domains: readonly DomainRow[]) => {
  const names = new Map(domains.map(({ _id, unicodeName }) => [_id, unicodeName]))
  return { ids: [...names.keys()], nameOf: (id: string) => names.get(id) ?? id }
}

const domainsOf = (count: number) => `${formatCount(count)} ${count === 1 ? 'domain' : 'domains'}`

const doneAs = (word: string) => (done: number, all: number) =>
  `${doneOf(done, all, 'domain', 'domains')} ${word}`

const verdicts: readonly ManyGroup[] = [
  {
    title: 'Need work',
    words: (count) => (count === 1 ? 'needs work' : 'need work'),
    has: ({ isDone, outcome }) => !isDone && outcome === 'work',
  },
  {
    title: 'Could not be checked',
    words: () => 'could not be checked',
    has: ({ isDone, outcome }) => !isDone && outcome !== 'work',
    tone: 'warn',
  },
]

export function VerifyMany({ domains, onClose }: ManyProps) {
  const run = useRunMany(verifyManyDomains, VERIFIED_AT_ONCE, (ids) =>
    call(verifyManyDomains, { body: { ids } }),
  )
  return (
    <ManyDialog
      {...propsOf(domains)}
      titles={{
        ask: `Verify ${domainsOf(domains.length)}`,
        doing: `Verifying ${domainsOf(domains.length)}`,
        done: doneAs('verified'),
      }}
      confirmText="Verify"
      doing="Looked up"
      doneWords="right"
      groups={verdicts}
      run={run}
      next={<p className="text-soft">Every record that they need is right.</p>}
      onClose={onClose}
    />
  )
}

export function DeleteMany({ domains, onClose, onDeleted }: DeleteManyProps) {
  const remove = useRunMany(deleteManyDomains, CHANGED_AT_ONCE, (ids) =>
    call(deleteManyDomains, { body: { ids } }),
  )
  const run: typeof remove = async (ids, onProgress) => {
    const rows = await remove(ids, onProgress)
    const done = new Set(rows.filter(({ isDone }) => isDone).map(({ id }) => id))
    // What was never proven has ended, and cannot come back.
    const waiting = domains.filter(({ _id, isVerified }) => isVerified && done.has(_id))
    onDeleted(waiting.map(({ _id, unicodeName }) => ({ id: _id, name: unicodeName })))
    return rows
  }
  const [first] = domains
  const isOne = domains.length === 1
  return (
    <ManyDialog
      {...propsOf(domains)}
      titles={{
        ask: isOne ? `Delete ${first?.unicodeName}?` : `Delete ${domainsOf(domains.length)}?`,
        doing: `Deleting ${domainsOf(domains.length)}`,
        done: doneAs('deleted'),
      }}
      question={
        <>
          <p className="text-pretty">{lossOf(domains)}</p>
          {domains.length > 1 && <Names domains={domains} />}
        </>
      }
      typed={toType(
        domains.map(({ unicodeName }) => unicodeName),
        'domains',
      )}
      confirmText={isOne ? 'Delete domain' : `Delete ${domainsOf(domains.length)}`}
      doing="Deleted"
      isDangerous
      run={run}
      onClose={onClose}
    />
  )
}

/** What is deleted and what waits, in sentences. */
function lossOf(domains: readonly DomainRow[]): string {
  const isOne = domains.length === 1
  const mailboxes = domains.reduce((sum, domain) => sum + domain.mailboxes, 0)
  const loss =
    mailboxes === 0
      ? `${isOne ? 'It has' : 'They have'} no mailboxes.`
      : `${isOne ? 'Its' : 'Their'} ${formatCount(mailboxes)} ${mailboxes === 1 ? 'mailbox and its mail are' : 'mailboxes and all of their mail are'} deleted.`
  const proven = domains.filter(({ isVerified }) => isVerified).length
  if (proven === 0)
    return `${loss} ${isOne ? 'It was never verified, so it ends' : 'They were never verified, so they end'} at once.`
  const wait = `${isOne ? 'It ends' : 'They end'} in ${WAIT_DAYS} days: until then mail still arrives and can be read, nothing can be sent, and an Admin can take ${isOne ? 'it' : 'each of them'} back.`
  const rest = proven < domains.length ? ' Domains that were never verified end at once.' : ''
  return `${loss} ${wait}${rest}`
}

export function MoveMany({ domains, onClose }: ManyProps) {
  const [target, setTarget] = useState('')
  const workspaces = useApi(listWorkspaces, {})
  const others =
    workspaces.data?.filter(({ isCurrent, role }) => !isCurrent && role === 'Admin') ?? []
  const run = useRunMany(moveManyDomains, CHANGED_AT_ONCE, (ids) =>
    call(moveManyDomains, { body: { ids, workspaceId: target } }),
  )
  return (
    <ManyDialog
      {...propsOf(domains)}
      titles={{
        ask: `Move ${domainsOf(domains.length)}`,
        doing: `Moving ${domainsOf(domains.length)}`,
        done: doneAs('moved'),
      }}
      question={
        <>
          <p>
            {domains.length === 1
              ? 'It leaves this workspace with its mailboxes, their mail and unpaid bills. Its DNS records stay the same.'
              : 'They leave this workspace with their mailboxes, their mail and unpaid bills. Their DNS records stay the same.'}{' '}
            People who sign in with the address of a mailbox need access from the other workspace
            again.
          </p>
          {workspaces.data && others.length === 0 ? (
            <NewWorkspace onMade={setTarget} />
          ) : (
            <Field label="Workspace" required>
              {(control) => (
                <Select
                  {...control}
                  value={target}
                  onValueChange={setTarget}
                  options={others.map(({ _id, name }) => ({ value: _id, label: name }))}
                  placeholder="Select a workspace"
                />
              )}
            </Field>
          )}
          <Names domains={domains} />
        </>
      }
      confirmText={`Move ${domainsOf(domains.length)}`}
      doing="Moved"
      isReady={target !== ''}
      run={run}
      onClose={onClose}
    />
  )
}

const NAMES_SHOWN = 10

function Names({ domains }: { domains: readonly DomainRow[] }) {
  const more = domains.length - NAMES_SHOWN
  return (
    <p className="wrap-anywhere text-soft">
      {domains
        .slice(0, NAMES_SHOWN)
        .map(({ unicodeName }) => unicodeName)
        .join(', ')}
      {more > 0 && ` and ${formatCount(more)} more`}
    </p>
  )
}
