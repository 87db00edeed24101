import { Download } from 'lucide-react'
import { useState } from 'react'
import { WAIT_DAYS } from '#contract/deletions.ts'
import { type MadeLinkOfMany, makeAccessLinks } from '#contract/mail/access.ts'
import type { ListedMailbox } from '#contract/mailboxes.ts'
import { changeManyMailboxes, deleteManyMailboxes } from '#contract/many-mailboxes.ts'
import { call } from '#web/lib/api/api.ts'
import { useRunMany } from '#web/lib/api/use-run-many.ts'
import { formatCount } from '#web/lib/format.ts'
import { cn } from '#web/ui/cn.ts'
import { Button } from '#web/ui/form/button.tsx'
import { Field, inputStyle } from '#web/ui/form/field.tsx'
import { ManyDialog } from '#web/ui/overlay/many-dialog.tsx'
import { saveLinks } from './mailboxes-csv.ts'
import { readPrivateAddresses } from './private-addresses.ts'

type ManyProps = { mailboxes: readonly ListedMailbox[]; onClose: () => void }

/** Rows in one request: the dialog shows how far it is. */
const AT_ONCE = 50

const propsOf = (mailboxes: readonly ListedMailbox[]) => {
  const emails = new Map(mailboxes.map(({ _id, email }) => [_id, email]))
  return { ids: [...emails.keys()], nameOf: (id: string) => emails.get(id) ?? id }
}

/** As for one mailbox its address; for several how many. */
const whatToType = ([first, ...others]: readonly ListedMailbox[]) => {
  if (first && others.length === 0)
    return { text: first.email, label: `Type ${first.email} to confirm` }
  const count = String(1 + others.length)
  return { text: count, label: `Type how many mailboxes are deleted (${count}) to confirm` }
}

const mailboxesOf = (count: number) =>
  `${formatCount(count)} ${count === 1 ? 'mailbox' : 'mailboxes'}`

export function SetUpMany({ mailboxes, onClose }: ManyProps) {
  const [made, setMade] = useState<MadeLinkOfMany[]>([])
  const without = mailboxes.filter(({ access }) => access.state !== 'holder')
  const [typed, setTyped] = useState('')
  const { byMailbox, unread } = readPrivateAddresses(typed, without)
  const addresses = new Map(
    without.map(({ _id, email }) => [_id, byMailbox.get(email.toLowerCase())]),
  )
  const run = useRunMany(makeAccessLinks, AT_ONCE, async (ids) => {
    const links = ids.map((mailboxId) => ({ mailboxId, email: addresses.get(mailboxId) }))
    const { items } = await call(makeAccessLinks, { body: { links } })
    setMade((before) => [...before, ...items.filter(({ refusal }) => refusal === null)])
    return items.map(({ mailboxId, refusal }) => ({
      ...{ id: mailboxId, isDone: refusal === null, message: refusal ?? '' },
    }))
  })
  const waiting = without.filter(({ access }) => access.state === 'link').length
  return (
    <ManyDialog
      {...propsOf(without)}
      title={`Set up access to ${mailboxesOf(without.length)}`}
      question={
        <>
          <p>
            Each gets a link. Whoever opens it sets the password of the mailbox and reads its mail
            from then on: give every person only their own. Links that are not mailed are one table
            to download.
          </p>
          <PrivateAddressesField
            typed={typed}
            onType={setTyped}
            mailed={byMailbox.size}
            unread={unread}
          />
          {waiting > 0 && (
            <p>
              {mailboxesOf(waiting)} {waiting === 1 ? 'has' : 'have'} a link that was not used yet:
              it ends.
            </p>
          )}
          {without.length < mailboxes.length && (
            <p className="text-soft">
              {mailboxesOf(mailboxes.length - without.length)} with a holder{' '}
              {mailboxes.length - without.length === 1 ? 'is' : 'are'} left out.
            </p>
          )}
        </>
      }
      confirmText="Make links"
      doing="Made"
      isReady={without.length > 0 && unread.length === 0}
      run={run}
      result={<MadeLinks made={made} />}
      onClose={onClose}
    />
  )
}

function MadeLinks({ made }: { made: readonly MadeLinkOfMany[] }) {
  const shown = made.filter(({ link }) => link !== null)
  const mailed = made.length - shown.length
  return (
    <>
      {mailed > 0 && (
        <p>
          {formatCount(mailed)} {mailed === 1 ? 'link was' : 'links were'} mailed.
        </p>
      )}
      {shown.length > 0 && (
        <Button className="justify-self-start" onClick={() => saveLinks(shown)}>
          <Download aria-hidden />
          Download the links
        </Button>
      )}
    </>
  )
}

type PrivateAddressesFieldProps = {
  typed: string
  onType: (typed: string) => void
  mailed: number
  unread: readonly string[]
}

function PrivateAddressesField({ typed, onType, mailed, unread }: PrivateAddressesFieldProps) {
  const [first] = unread
  const error =
    first === undefined
      ? undefined
      : `${unread.length === 1 ? 'One line names' : `${formatCount(unread.length)} lines name`} no selected mailbox with one other address: ${first.slice(0, 80)}`
  return (
    <Field
      label="Mail the links (optional)"
      error={error}
      hint={
        mailed > 0
          ? `${formatCount(mailed)} of them ${mailed === 1 ? 'is' : 'are'} mailed.`
          : 'Paste a table: in each line the mailbox and the private address of its person.'
      }
    >
      {(control) => (
        <textarea
          {...control}
          value={typed}
          onChange={({ target }) => onType(target.value)}
          placeholder={'ada@company.example  ada@home.example'}
          spellCheck={false}
          autoComplete="off"
          className={cn(inputStyle, 'min-h-24 resize-y whitespace-pre py-2 font-mono text-xs')}
        />
      )}
    </Field>
  )
}

type ChangeManyProps = ManyProps & { status: 'active' | 'suspended' }

export function ChangeMany({ mailboxes, status, onClose }: ChangeManyProps) {
  const isSuspending = status === 'suspended'
  const run = useRunMany(changeManyMailboxes, AT_ONCE, (ids) =>
    call(changeManyMailboxes, { body: { ids, status } }),
  )
  return (
    <ManyDialog
      {...propsOf(mailboxes)}
      title={`${isSuspending ? 'Suspend' : 'Resume'} ${mailboxesOf(mailboxes.length)}?`}
      question={
        <p>
          {isSuspending
            ? 'They still receive mail, but cannot send it. Their holders cannot sign in.'
            : 'They send and receive again, and their holders can sign in.'}
        </p>
      }
      confirmText={`${isSuspending ? 'Suspend' : 'Resume'} ${mailboxesOf(mailboxes.length)}`}
      doing={isSuspending ? 'Suspended' : 'Resumed'}
      run={run}
      onClose={onClose}
    />
  )
}

export function DeleteMany({ mailboxes, onClose }: ManyProps) {
  const run = useRunMany(deleteManyMailboxes, AT_ONCE, (ids) =>
    call(deleteManyMailboxes, { body: { ids } }),
  )
  return (
    <ManyDialog
      {...propsOf(mailboxes)}
      title={`Delete ${mailboxesOf(mailboxes.length)}?`}
      question={
        <p>
          All of their mail is deleted. They end in {WAIT_DAYS} days: until then mail still arrives
          and can be read, nothing can be sent, and each can be taken back. Those that nobody has
          used end at once.
        </p>
      }
      typed={whatToType(mailboxes)}
      confirmText={`Delete ${mailboxesOf(mailboxes.length)}`}
      doing="Deleted"
      isDangerous
      run={run}
      onClose={onClose}
    />
  )
}
