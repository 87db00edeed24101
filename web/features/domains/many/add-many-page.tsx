/** Adds many domains from a pasted list. Each row says what will become of it, and afterwards what did. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { listDomains } from '#contract/domains.ts'
import { type AddedRow, addManyDomains, MAX_ADDED_AT_ONCE } from '#contract/many-domains.ts'
import { call } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { inParts } from '#web/lib/api/in-parts.ts'
import { readAgain, useApi } from '#web/lib/api/use-api.ts'
import { useCan, useIsRoleKnown } from '#web/lib/api/use-can.ts'
import { formatCount } from '#web/lib/format.ts'
import { useKeptState } from '#web/lib/kept-values.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { cn } from '#web/ui/cn.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Progress } from '#web/ui/data/progress.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Checkbox } from '#web/ui/form/checkbox.tsx'
import { Field, inputStyle } from '#web/ui/form/field.tsx'
import { FormAlert } from '#web/ui/form/form-alert.tsx'
import { ManagersOnly } from '../domain-refusals.tsx'
import { AddedDomains } from './added-domains.tsx'
import { type Entry, entriesOf } from './entries.ts'
import { NameRows } from './name-rows.tsx'
import { type NameRow, readNames, withMeant, withoutRows } from './read-names.ts'

/** Names in one request: the page shows how far it is. */
const PART = 20

const domainsOf = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'domain' : 'domains'}`

export function AddManyPage() {
  usePageTitle('Add Domains')
  const canManage = useCan('manage-domains')
  const [added, setAdded] = useState<Entry[] | null>(null)
  return (
    <div className="grid gap-6">
      <PageHeading
        title="Add domains"
        subtitle={`Up to ${MAX_ADDED_AT_ONCE} at once. Their DNS stays where it is: you add a few records, and nothing else changes.`}
      />
      {!canManage ? (
        <ManagersOnly />
      ) : added === null ? (
        <NamesForm onAdded={setAdded} />
      ) : (
        <AddedDomains entries={added} onMore={() => setAdded(null)} />
      )}
    </div>
  )
}

export const loadAddMany: LoadPage = ({ ask }) => ask(listDomains, {})

function NamesForm({ onAdded }: { onAdded: (entries: Entry[]) => void }) {
  const [text, setText] = useKeptState('many-domains', '')
  const [isAllOrNone, setIsAllOrNone] = useState(false)
  // What is being added is in the workspace before the answer is here: the rows keep what they said.
  const [sent, setSent] = useState<NameRow[] | null>(null)
  const read = useRows(text)
  const rows = sent ?? read
  const good = rows.filter(({ kind }) => kind === 'add')
  const faulty = rows.filter(({ kind }) => kind === 'fault')
  const add = useAddMany({
    onDone: (answers) => {
      setText('')
      onAdded(entriesOf(rows, answers))
    },
    onFailed: () => setSent(null),
  })
  const isHeld = good.length === 0 || (isAllOrNone && faulty.length > 0)
  const mend = useCallback((row: NameRow) => setText((before) => withMeant(before, row)), [setText])
  const submit = () => {
    if (isHeld || add.isPending) return
    setSent(rows)
    add.mutate({ names: good.map(({ name }) => name), mode: isAllOrNone ? 'all' : 'good' })
  }
  return (
    <Card className="overflow-clip">
      <CardHeader
        title="Paste the names"
        description="From a spreadsheet, a mail or a web page, in lines or with commas. Of a web or mail address its domain is taken; words beside a domain are left out. You see below what will be added."
      />
      <form
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <div className="grid gap-4 px-5 pb-5">
          <Field label="Domains" required>
            {(control) => (
              <textarea
                {...control}
                value={text}
                onChange={({ target }) => setText(target.value)}
                readOnly={add.isPending}
                rows={8}
                placeholder={'example.com\nexample.org'}
                autoCapitalize="none"
                autoComplete="off"
                spellCheck={false}
                className={cn(inputStyle, 'resize-y py-2 font-mono leading-6')}
              />
            )}
          </Field>
          <Summary
            {...{ good, faulty }}
            left={rows.length - good.length - faulty.length}
            onLeaveOut={() => setText(withoutRows(text, faulty))}
          />
        </div>
        {rows.length > 0 && <NameRows rows={rows} onMend={sent === null ? mend : undefined} />}
        {add.error && (
          <div className="p-5">
            <FormAlert>{messageOf(add.error)}</FormAlert>
          </div>
        )}
        <footer
          data-stays-in-view
          className="sticky bottom-0 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-t bg-sunken px-5 py-3.5"
        >
          <AllOrNone isChecked={isAllOrNone} onChange={setIsAllOrNone} />
          <AddButton {...add} isHeld={isHeld} count={good.length} />
        </footer>
      </form>
    </Card>
  )
}

function useRows(text: string): NameRow[] {
  const domains = useApi(listDomains, {}, { enabled: useIsRoleKnown() })
  const known = new Set(domains.data?.flatMap(({ name, unicodeName }) => [name, unicodeName]))
  return readNames(text, known)
}

type SummaryProps = {
  good: readonly NameRow[]
  faulty: readonly NameRow[]
  /** Entries that need nothing: twice in the list, there already, words. */
  left: number
  onLeaveOut: () => void
}

function Summary({ good, faulty, left, onLeaveOut }: SummaryProps) {
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-2 text-sm tabular-nums">
      <p role="status" className="mr-auto">
        {good.length + faulty.length + left > 0 && (
          <>
            <span className="font-medium">{formatCount(good.length)} can be added</span>
            {faulty.length > 0 && (
              <span className="text-bad">, {formatCount(faulty.length)} cannot</span>
            )}
            {left > 0 && <span className="text-soft">, {formatCount(left)} left out</span>}
          </>
        )}
      </p>
      {faulty.length > 0 && (
        <Button size="small" variant="quiet" onClick={onLeaveOut}>
          Remove the {faulty.length === 1 ? 'row' : `${formatCount(faulty.length)} rows`} that
          cannot
        </Button>
      )}
    </div>
  )
}

type AllOrNoneProps = { isChecked: boolean; onChange: (isChecked: boolean) => void }

function AllOrNone({ isChecked, onChange }: AllOrNoneProps) {
  return (
    <label htmlFor="all-or-none" className="flex min-h-6 items-center gap-2 text-sm">
      <Checkbox
        id="all-or-none"
        checked={isChecked}
        onCheckedChange={(next) => onChange(next === true)}
      />
      Add nothing unless every row can be added
    </label>
  )
}

type AddButtonProps = { isPending: boolean; done: number; isHeld: boolean; count: number }

function AddButton({ isPending, done, isHeld, count }: AddButtonProps) {
  return (
    <>
      {isPending && (
        <Progress
          className="min-w-40 flex-1"
          label="Domains added"
          percent={(100 * done) / Math.max(1, count)}
        />
      )}
      <Button
        type="submit"
        className="tabular-nums max-sm:w-full"
        disabled={isHeld}
        isPending={isPending}
      >
        {isPending
          ? `Adding ${formatCount(done)} of ${formatCount(count)}...`
          : count === 0
            ? 'Add domains'
            : `Add ${domainsOf(count)}`}
      </Button>
    </>
  )
}

type Asked = { names: string[]; mode: 'all' | 'good' }

/** In parts; all or none goes as one. What was added before a part failed is shown with the rest left. */
function useAddMany({
  onDone,
  onFailed,
}: {
  onDone: (rows: AddedRow[]) => void
  onFailed: () => void
}) {
  const client = useQueryClient()
  const [done, setDone] = useState(0)
  const { mutate, isPending, error } = useMutation({
    mutationFn: async ({ names, mode }: Asked) => {
      const size = mode === 'all' ? names.length : PART
      const sent = await inParts(
        names,
        size,
        (part) => call(addManyDomains, { body: { names: part, mode } }),
        setDone,
      )
      if (sent.error !== null && sent.rows.length === 0) throw sent.error
      const message = sent.error === null ? '' : messageOf(sent.error)
      return [
        ...sent.rows,
        ...sent.left.map((name) => ({ name, outcome: 'left' as const, message, id: null })),
      ]
    },
    onSuccess: onDone,
    onError: onFailed,
    onSettled: () => readAgain(client, addManyDomains),
  })
  return { mutate, isPending, error, done }
}
