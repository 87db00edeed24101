import { useState } from 'react'
import { WAIT_DAYS } from '#contract/deletions.ts'
import { deleteManyDomains, moveManyDomains, verifyManyDomains } from '#contract/many-domains.ts'
import { listWorkspaces } from '#contract/workspaces.ts'
import { call } from '#web/lib/api/api.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useRunMany } from '#web/lib/api/use-run-many.ts'
import { formatCount } from '#web/lib/format.ts'
import { Field } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { doneOf, ManyDialog } from '#web/ui/overlay/many-dialog.tsx'
import type { DomainRow } from './domain-rows.ts'

type ManyProps = { domains: readonly DomainRow[]; onClose: () => void }

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
      run={run}
      next={<p className="text-soft">All that is required is published.</p>}
      onClose={onClose}
    />
  )
}

export function DeleteMany({ domains, onClose }: ManyProps) {
  const run = useRunMany(deleteManyDomains, CHANGED_AT_ONCE, (ids) =>
    call(deleteManyDomains, { body: { ids } }),
  )
  const mailboxes = domains.reduce((sum, domain) => sum + domain.mailboxes, 0)
  return (
    <ManyDialog
      {...propsOf(domains)}
      titles={{
        ask: `Delete ${domainsOf(domains.length)}?`,
        doing: `Deleting ${domainsOf(domains.length)}`,
        done: doneAs('deleted'),
      }}
      question={
        <>
          <p>
            {mailboxes === 0
              ? 'They have no mailboxes.'
              : `Their ${formatCount(mailboxes)} ${mailboxes === 1 ? 'mailbox and its mail are' : 'mailboxes and all of their mail are'} deleted.`}{' '}
            They end in {WAIT_DAYS} days: until then mail still arrives and can be read, nothing can
            be sent, and an Admin can take each of them back. Domains that were never verified end
            at once.
          </p>
          <Names domains={domains} />
        </>
      }
      typed={String(domains.length)}
      confirmText={`Delete ${domainsOf(domains.length)}`}
      doing="Deleted"
      isDangerous
      run={run}
      onClose={onClose}
    />
  )
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
            They leave this workspace with their mailboxes, their mail and unpaid bills. Their DNS
            records stay the same. People who sign in with the address of a mailbox need access from
            the other workspace again.
          </p>
          {workspaces.data && others.length === 0 ? (
            <p>
              You are Admin of no other workspace. Create one in the menu at the top of the sidebar,
              then come back here.
            </p>
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
