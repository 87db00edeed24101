/** Access links for many mailboxes: who gets which by mail, and the others as one table. */
import { Copy, Download } from 'lucide-react'
import { useState } from 'react'
import { emailAddress } from '#contract/fields.ts'
import { ACCESS_LINK_DAYS } from '#contract/mail/access.ts'
import {
  getAccessLinkRoom,
  type MadeLinkOfMany,
  makeAccessLinks,
} from '#contract/mail/many-access-links.ts'
import type { ListedMailbox } from '#contract/mailboxes.ts'
import { call } from '#web/lib/api/api.ts'
import { signedInUserId } from '#web/lib/api/session.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useRunMany } from '#web/lib/api/use-run-many.ts'
import { formatCount, formatMoment } from '#web/lib/format.ts'
import { firstAddress, keepAddresses } from '#web/lib/kept-addresses.ts'
import { toast } from '#web/lib/toast-store.ts'
import { Button } from '#web/ui/form/button.tsx'
import { copyText } from '#web/ui/form/copy-button.tsx'
import { doneOf, ManyDialog } from '#web/ui/overlay/many-dialog.tsx'
import { AfterLinks } from './after-links.tsx'
import { linksTable, saveLinks } from './mailboxes-csv.ts'
import { PrivateAddressRows } from './private-address-rows.tsx'

type SetUpManyProps = {
  mailboxes: readonly ListedMailbox[]
  onClose: () => void
}

/** Rows in one request: the dialog shows how far it is. */
const AT_ONCE = 50

const mailboxesOf = (count: number) =>
  `${formatCount(count)} ${count === 1 ? 'mailbox' : 'mailboxes'}`
const linksOf = (count: number) => `${formatCount(count)} ${count === 1 ? 'link' : 'links'}`

export function SetUpMany({ mailboxes, onClose }: SetUpManyProps) {
  const [made, setMade] = useState<MadeLinkOfMany[]>([])
  const [isSaved, setIsSaved] = useState(false)
  const without = mailboxes.filter(({ access }) => access.state !== 'holder')
  const [addresses, setAddresses] = useState(() => firstAddresses(without))
  const [hasUnclear, setHasUnclear] = useState(false)
  const [later, setLater] = useState(0)
  const makeWith = async (ids: string[], mailTo: ReadonlyMap<string, string>) => {
    const links = ids.map((mailboxId) => ({ mailboxId, email: mailTo.get(mailboxId) }))
    const { items } = await call(makeAccessLinks, { body: { links } })
    setMade((before) => [...before, ...items.filter(({ refusal }) => refusal === null)])
    setLater((before) => before + items.filter(({ retryAt }) => retryAt !== null).length)
    return items.map(resultOf)
  }
  const run = useRunMany(makeAccessLinks, AT_ONCE, (ids) => makeWith(ids, addresses))
  const runUnmailed = useRunMany(makeAccessLinks, AT_ONCE, (ids) => makeWith(ids, new Map()))
  const room = useApi(getAccessLinkRoom, {}).data
  const change = (changed: ReadonlyMap<string, string>) => {
    const emptied = [...addresses.keys()].filter((id) => !changed.has(id))
    keepAddresses(
      signedInUserId(),
      new Map([...emptied.map((id) => [id, ''] as const), ...changed]),
    )
    setAddresses(changed)
  }
  const shown = made.filter(({ link }) => link !== null)
  const names = new Map(without.map(({ _id, email }) => [_id, email]))
  const isValid = [...addresses.values()].every((each) => emailAddress.safeParse(each).success)
  return (
    <ManyDialog
      ids={[...names.keys()]}
      nameOf={(id) => names.get(id) ?? id}
      size="large"
      titles={{
        ask: `Set up access to ${mailboxesOf(without.length)}`,
        doing: `Making ${linksOf(without.length)}`,
        done: (done, all) => `${doneOf(done, all, 'link', 'links')} made`,
      }}
      question={
        <>
          <Introduction {...{ without }} left={mailboxes.length - without.length} />
          {room && without.length > room.left && <Room {...room} mailed={addresses.size} />}
          <PrivateAddressRows
            {...{ addresses }}
            mailboxes={without}
            onChange={change}
            onUnclear={setHasUnclear}
          />
        </>
      }
      confirmText={confirmOf(without.length, addresses.size)}
      doing="Made"
      isReady={without.length > 0 && isValid && !hasUnclear}
      run={run}
      rowsOf={mailboxesOf}
      instead={later === 0 ? null : { label: 'Make links instead', run: runUnmailed }}
      result={
        <>
          <MadeLinks mailed={made.length - shown.length} shown={shown.length} />
          {made.length > 0 && <AfterLinks />}
        </>
      }
      actions={
        shown.length > 0 && <SaveLinks {...{ shown, mailboxes }} onSaved={() => setIsSaved(true)} />
      }
      leaving={shown.length === 0 || isSaved ? null : leavingWords(shown.length)}
      onClose={onClose}
    />
  )
}

/** A refusal that passes says when. */
const resultOf = ({ mailboxId, refusal, retryAt }: MadeLinkOfMany) => ({
  ...{ id: mailboxId, isDone: refusal === null, isLater: retryAt !== null },
  message: retryAt === null ? (refusal ?? '') : `${refusal}. Again from ${formatMoment(retryAt)}.`,
})

/** What is mailed now, and what has to wait. Stands above the list from the beginning: nothing moves while somebody types. */
function Room({ left, moreAt, mailed }: { left: number; moreAt: string | null; mailed: number }) {
  const more = moreAt === null ? 'a day later' : `from ${formatMoment(moreAt)}`
  const waiting = Math.max(0, mailed - left)
  return (
    <p role="status" className="rounded-card bg-warn-wash px-4 py-3">
      {waiting === 0
        ? `At most ${linksOf(left)} can be mailed now, and more ${more}.`
        : left === 0
          ? `No link can be mailed now, all ${formatCount(waiting)} ${more}.`
          : `${formatCount(left)} of the ${linksOf(mailed)} can be mailed now, the other ${formatCount(waiting)} ${more}.`}{' '}
      You can make links for the others, and hand them over yourself.
    </p>
  )
}

const leavingWords = (count: number) =>
  count === 1
    ? {
        title: 'Close without the link?',
        description:
          'You have not downloaded or copied it. Once this is closed nobody can see it again: you would have to make a new one.',
        confirmText: 'Close without it',
      }
    : {
        title: `Close without the ${linksOf(count)}?`,
        description:
          'You have not downloaded or copied them. Once this is closed nobody can see them again: you would have to make new ones.',
        confirmText: 'Close without them',
      }

const firstAddresses = (mailboxes: readonly ListedMailbox[]): ReadonlyMap<string, string> =>
  new Map(
    mailboxes.flatMap((mailbox) => {
      const address = firstAddress(signedInUserId(), mailbox)
      return address ? [[mailbox._id, address]] : []
    }),
  )

const confirmOf = (all: number, mailed: number): string => {
  if (mailed === 0) return `Make ${linksOf(all)}`
  return mailed === all
    ? `Mail ${linksOf(all)}`
    : `Mail ${formatCount(mailed)}, make ${linksOf(all - mailed)}`
}

type IntroductionProps = { without: readonly ListedMailbox[]; left: number }

function Introduction({ without, left }: IntroductionProps) {
  const waiting = without.filter(({ access }) => access.state === 'link').length
  return (
    <>
      <p>
        Each mailbox gets a link, which works once, for {ACCESS_LINK_DAYS} days. The person who
        opens it sets the password of the mailbox and reads its mail from then on. A link is mailed
        where you give a private address. The others are one table to download.
      </p>
      {waiting > 0 && (
        <p>
          {mailboxesOf(waiting)} {waiting === 1 ? 'has' : 'have'} a link that nobody has used yet.
          The new link replaces it.
        </p>
      )}
      {left > 0 && (
        <p className="text-soft">
          {mailboxesOf(left)} {left === 1 ? 'is' : 'are'} not in this list: somebody signs in to{' '}
          {left === 1 ? 'it' : 'them'} already.
        </p>
      )}
    </>
  )
}

function MadeLinks({ mailed, shown }: { mailed: number; shown: number }) {
  return (
    <>
      {mailed > 0 && (
        <p>
          {linksOf(mailed)} {mailed === 1 ? 'was' : 'were'} mailed.
        </p>
      )}
      {shown > 0 && (
        <p>
          {linksOf(shown)} {shown === 1 ? 'is' : 'are'} yours to hand over. Download{' '}
          {shown === 1 ? 'it' : 'them'} now: {shown === 1 ? 'it is' : 'they are'} not shown again.
        </p>
      )}
    </>
  )
}

type SaveLinksProps = {
  shown: readonly MadeLinkOfMany[]
  mailboxes: readonly ListedMailbox[]
  onSaved: () => void
}

function SaveLinks({ shown, mailboxes, onSaved }: SaveLinksProps) {
  const copy = () =>
    copyText(
      linksTable(shown, mailboxes)
        .map((cells) => cells.join('\t'))
        .join('\n'),
    ).then(
      () => {
        onSaved()
        toast({ title: `${linksOf(shown.length)} copied`, variant: 'success' })
      },
      () => toast({ title: 'Copying is not allowed here', variant: 'error' }),
    )
  return (
    <>
      <Button variant="secondary" onClick={() => void copy()}>
        <Copy aria-hidden />
        Copy
      </Button>
      <Button
        onClick={() => {
          saveLinks(shown, mailboxes)
          onSaved()
        }}
      >
        <Download aria-hidden />
        Download {linksOf(shown.length)}
      </Button>
    </>
  )
}
