/** A verb for many rows: one question, how far it is, and what became of each row. Those that failed can be tried again. */
import { CircleAlert, CircleCheck } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatCount } from '#web/lib/format.ts'
import { cn } from '../cn.ts'
import { Disclosure } from '../data/disclosure.tsx'
import { Progress } from '../data/progress.tsx'
import { Button } from '../form/button.tsx'
import { Field, Input } from '../form/field.tsx'
import { Dialog } from './dialog.tsx'
import { type LeavingWords, useUnsavedChanges } from './unsaved-changes.tsx'

/** `isLater`: trying it again at once is in vain. */
export type ManyResult = {
  id: string
  isDone: boolean
  message: string
  outcome?: string
  isLater?: boolean
}
/** Rows that are not done, counted and listed apart. */
export type ManyGroup = {
  title: string
  /** Stands behind the count: 'need work'. */
  words: (count: number) => string
  has: (result: ManyResult) => boolean
  tone?: 'bad' | 'warn'
}
export type RunMany = (
  ids: readonly string[],
  onProgress: (done: number) => void,
) => Promise<ManyResult[]>

type ManyDialogProps = {
  ids: readonly string[]
  nameOf: (id: string) => string
  /** The heading: before, while it runs, and when it is over. */
  titles: { ask: string; doing: string; done: (done: number, all: number) => string }
  size?: 'medium' | 'large'
  /** What will happen; absent: it begins at once. */
  question?: ReactNode
  /** Text that has to be typed first, for what cannot be undone, in capitals or not. */
  typed?: { text: string; label: string }
  confirmText: string
  /** 'Deleting': stands before the count. */
  doing: string
  isDangerous?: boolean
  /** false: something is still to be chosen in the question. */
  isReady?: boolean
  run: RunMany
  /** Behind the count of rows that are done; 'done' without it. */
  doneWords?: string
  /** Absent: one group, of all that are not done. */
  groups?: readonly ManyGroup[]
  /** Equal messages of many rows are said once, with their number. */
  rowsOf?: (count: number) => string
  /** Another way for the rows that are not done. */
  instead?: { label: string; run: RunMany } | null
  /** What to do next, when everything is done. */
  next?: ReactNode
  /** What came of the rows that are done. */
  result?: ReactNode
  /** The main buttons when it is over: then Done is a lesser one. */
  actions?: ReactNode
  /** Asked before the dialog closes on what nobody can see again; null: nothing is lost. */
  leaving?: LeavingWords | null
  onClose: () => void
}

/** What is typed before a deletion: of one row its name, of several how many. `plural`: 'domains'. */
export const toType = ([first = '', ...others]: readonly string[], plural: string) => {
  if (others.length === 0) return { text: first, label: `Type ${first} to confirm` }
  const count = String(1 + others.length)
  return { text: count, label: `Type how many ${plural} are deleted (${count}) to confirm` }
}

export function ManyDialog(props: ManyDialogProps) {
  const { ids, titles, question, confirmText, isDangerous = false, isReady = true, onClose } = props
  const many = useMany(props)
  const [word, setWord] = useState('')
  const isAsking = many.results === null && !many.isRunning
  const isTyped =
    props.typed === undefined || word.trim().toLowerCase() === props.typed.text.toLowerCase()
  const failed = many.results?.filter(({ isDone }) => !isDone) ?? []
  const leaving = props.leaving ?? null
  const unsaved = useUnsavedChanges(leaving !== null, onClose, leaving ?? undefined)
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && !many.isRunning && unsaved.requestClose()}
        size={props.size ?? 'medium'}
        title={titleOf(titles, many)}
        footer={
          isAsking ? (
            <>
              <Button variant="secondary" onClick={unsaved.requestClose}>
                Cancel
              </Button>
              <Button
                variant={isDangerous ? 'danger' : 'primary'}
                disabled={!isTyped || !isReady}
                onClick={() => many.start(ids)}
              >
                {confirmText}
              </Button>
            </>
          ) : (
            <>
              <AgainButtons {...{ many, failed }} instead={props.instead ?? null} />
              <Button
                variant={props.actions ? 'secondary' : 'primary'}
                disabled={many.isRunning}
                onClick={unsaved.requestClose}
              >
                Done
              </Button>
              {!many.isRunning && props.actions}
            </>
          )
        }
      >
        <div className="grid gap-4 text-sm">
          {isAsking && question}
          {isAsking && props.typed !== undefined && (
            <Field label={props.typed.label}>
              {(control) => (
                <Input
                  {...control}
                  value={word}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  onChange={({ target }) => setWord(target.value)}
                />
              )}
            </Field>
          )}
          {many.isRunning && <Running {...many} doing={props.doing} />}
          {many.results && !many.isRunning && (
            <>
              <Results
                results={many.results}
                doneWords={props.doneWords ?? 'done'}
                groups={props.groups ?? notDone}
                nameOf={props.nameOf}
                rowsOf={props.rowsOf}
                next={props.next}
              />
              {props.result}
            </>
          )}
        </div>
      </Dialog>
      {unsaved.question}
    </>
  )
}

type AgainButtonsProps = {
  many: ReturnType<typeof useMany>
  failed: readonly ManyResult[]
  instead: ManyDialogProps['instead']
}

/** For the rows that are not done: once more, or in another way. */
function AgainButtons({ many, failed, instead }: AgainButtonsProps) {
  const toTry = failed.filter(({ isLater }) => isLater !== true)
  const idsOf = (rows: readonly ManyResult[]) => rows.map(({ id }) => id)
  return (
    <>
      {toTry.length > 0 && (
        <Button
          variant="secondary"
          isPending={many.isRunning}
          onClick={() => many.start(idsOf(toTry))}
        >
          Try {toTry.length === 1 ? 'it' : `the ${formatCount(toTry.length)}`} again
        </Button>
      )}
      {failed.length > 0 && instead && (
        <Button
          variant="secondary"
          disabled={many.isRunning}
          onClick={() => many.start(idsOf(failed), instead.run)}
        >
          {instead.label}
        </Button>
      )}
    </>
  )
}

type Titles = ManyDialogProps['titles']

function titleOf(titles: Titles, { results, isRunning }: ReturnType<typeof useMany>): string {
  if (isRunning) return titles.doing
  if (results === null) return titles.ask
  return titles.done(results.filter(({ isDone }) => isDone).length, results.length)
}

/** '3 mailboxes', or '2 of 3 mailboxes'. */
export const doneOf = (done: number, all: number, one: string, many: string): string =>
  `${done === all ? '' : `${formatCount(done)} of `}${formatCount(all)} ${all === 1 ? one : many}`

function useMany({ ids, question, run }: ManyDialogProps) {
  const [results, setResults] = useState<ManyResult[] | null>(null)
  const [asked, setAsked] = useState(0)
  const [done, setDone] = useState(0)
  const [isRunning, setIsRunning] = useState(question === undefined)
  const start = async (chosen: readonly string[], how: RunMany = run) => {
    setAsked(chosen.length)
    setDone(0)
    setIsRunning(true)
    const answer = await how(chosen, setDone)
    const byId = new Map(answer.map((result) => [result.id, result]))
    setResults((before) =>
      before === null ? answer : before.map((result) => byId.get(result.id) ?? result),
    )
    setIsRunning(false)
  }
  const begin = useRef(question === undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens without a question
  useEffect(() => {
    if (!begin.current) return
    begin.current = false
    void start(ids)
  }, [])
  return {
    results,
    asked,
    done,
    isRunning,
    start: (chosen: readonly string[], how?: RunMany) => void start(chosen, how),
  }
}

type RunningProps = { doing: string; asked: number; done: number }

function Running({ doing, asked, done }: RunningProps) {
  return (
    <div className="grid gap-2">
      <p role="status" className="tabular-nums">
        {doing}: {formatCount(done)} of {formatCount(asked)}
      </p>
      <Progress label={doing} percent={(100 * done) / Math.max(1, asked)} />
    </div>
  )
}

const notDone: readonly ManyGroup[] = [
  { title: 'Not done', words: () => 'not', has: ({ isDone }) => !isDone },
]

/** Fewer rows of one message are named one by one. */
const SAID_ONCE_FROM = 4

type Line = { title: string | null; ids: string[]; message: string }

/** A line for each row, or one for all rows of a message. */
function linesOf(
  rows: readonly ManyResult[],
  rowsOf: ((count: number) => string) | undefined,
): Line[] {
  const byMessage = Map.groupBy(rows, ({ message }) => message)
  return [...byMessage].flatMap(([message, same]): Line[] => {
    const ids = same.map(({ id }) => id)
    return rowsOf !== undefined && ids.length >= SAID_ONCE_FROM
      ? [{ title: rowsOf(ids.length), ids, message }]
      : ids.map((id) => ({ title: null, ids: [id], message }))
  })
}

type ResultsProps = {
  results: readonly ManyResult[]
  doneWords: string
  groups: readonly ManyGroup[]
  nameOf: (id: string) => string
  rowsOf: ((count: number) => string) | undefined
  next: ReactNode
}

function Results({ results, doneWords, groups, nameOf, rowsOf, next }: ResultsProps) {
  const done = results.filter(({ isDone }) => isDone).length
  const isAllDone = done === results.length
  const listed = groups
    .map((group) => ({ ...group, rows: results.filter(group.has) }))
    .filter(({ rows }) => rows.length > 0)
  const isBad = listed.some(({ tone }) => tone !== 'warn')
  const Icon = isAllDone ? CircleCheck : CircleAlert
  const counts = listed.map(
    ({ rows, words }) => `${formatCount(rows.length)} ${words(rows.length)}`,
  )
  return (
    <>
      <p role="status" className="flex items-center gap-2 font-medium tabular-nums">
        <Icon
          className={cn(
            'size-4 shrink-0',
            isAllDone ? 'text-good' : isBad ? 'text-bad' : 'text-warn',
          )}
          aria-hidden
        />
        {[`${formatCount(done)} ${doneWords}`, ...counts].join(', ')}
      </p>
      {listed.map(({ title, rows }) => (
        <div key={title} className="grid gap-1">
          {listed.length > 1 && <h3 className="font-medium text-soft text-xs">{title}</h3>}
          <ul aria-label={title} className="grid divide-y divide-line border-line border-y">
            {linesOf(rows, rowsOf).map(({ title: line, ids, message }) => (
              <li key={ids[0]} className="grid gap-0.5 py-2">
                <span dir="auto" className="wrap-anywhere font-medium">
                  {line ?? nameOf(ids[0] ?? '')}
                </span>
                <span className="wrap-anywhere text-soft">{message}</span>
                {line !== null && (
                  <Disclosure label="Show which">
                    <p className="wrap-anywhere pt-1 text-soft text-xs">
                      {ids.map(nameOf).join(', ')}
                    </p>
                  </Disclosure>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
      {isAllDone && next}
    </>
  )
}
