import { listProgramUses, type ProgramUse } from '#contract/mail/app-passwords.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { formatDate, formatMoment } from '#web/lib/format.ts'
import { Disclosure } from '#web/ui/data/disclosure.tsx'
import { Ago, LocalTime } from '#web/ui/data/local-time.tsx'
import { ScrollRegion } from '#web/ui/data/scroll-region.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

const LABEL = 'Where mail programs signed in'

/** Every place of every password, the holder's own too: for whoever wonders who reads along. */
export function ProgramUses({ mailbox }: { mailbox: Mailbox }) {
  return (
    <div>
      <Disclosure label={LABEL}>
        <Uses mailbox={mailbox} />
      </Disclosure>
    </div>
  )
}

function Uses({ mailbox }: { mailbox: Mailbox }) {
  const uses = useApi(listProgramUses, { params: { id: mailbox._id } })
  if (uses.isError && !uses.data)
    return (
      <p className="pt-2 text-soft text-sm">
        The sign-ins could not be loaded.{' '}
        <Button variant="link" size="inline" onClick={() => void uses.refetch()}>
          Try again
        </Button>
      </p>
    )
  if (!uses.data)
    return (
      <div role="status" className="pt-2">
        <span className="sr-only">Loading the sign-ins</span>
        <Skeleton className="h-14 w-full" />
      </div>
    )
  if (uses.data.length === 0)
    return <p className="pt-2 text-soft text-sm">No mail program has signed in yet.</p>
  return (
    <ScrollRegion label={LABEL} className="mt-2 max-h-96 rounded-card border border-line">
      <ul className="grid divide-y divide-line">
        {uses.data.map((use) => (
          <Use key={`${use.name} ${use.ip} ${use.firstAt}`} use={use} />
        ))}
      </ul>
    </ScrollRegion>
  )
}

function Use({ use: { name, program, ip, scope, firstAt, lastAt } }: { use: ProgramUse }) {
  return (
    <li className="grid gap-0.5 px-4 py-2.5">
      <p className="wrap-anywhere text-sm">
        <bdi>{program || 'A mail program'}</bdi> at <bdi>{ip}</bdi>
      </p>
      <p className="wrap-anywhere text-soft text-xs">
        {scope === 'smtp' ? 'Sent mail ' : 'Signed in '}
        <Ago at={lastAt} /> with {name === null ? 'your own password' : <bdi>{name}</bdi>}, first on{' '}
        <LocalTime at={firstAt} format={formatDate} title={formatMoment} />
      </p>
    </li>
  )
}
