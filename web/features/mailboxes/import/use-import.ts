/** The people as they are corrected, the judgement of the server about them, and what was created. */
import { useEffect, useRef, useState } from 'react'
import { importMailboxes, importTable, MAX_IMPORT_ROWS } from '#contract/many-mailboxes.ts'
import { signedInUserId } from '#web/lib/api/session.ts'
import { useCall } from '#web/lib/api/use-api.ts'
import { keepAddresses } from '#web/lib/kept-addresses.ts'
import { useDomainChoices } from '../use-domain-choices.tsx'
import { type CheckedRow, heldBack, withPrivate } from './private-fault.ts'
import { isGermanTable, type Person, readPeople } from './read-people.ts'
import { privateAddressesOf, type Skipped } from './result-rows.ts'

/** `domain` is for rows that name none. null: not chosen, so that the table and the workspace decide. */
export type Source = {
  text: string
  /** Of the file, which the result is named after; '' when the table was typed or pasted. */
  fileName: string
  domain: string | null
  isGerman: boolean | null
}

/** What the person chose, else what the table and the workspace say. */
export function useSettled(source: Source): { text: string; domain: string; isGerman: boolean } {
  const { choices } = useDomainChoices()
  const [only] = choices.length === 1 ? choices : []
  return {
    text: source.text,
    domain: source.domain ?? only?.name ?? '',
    isGerman: source.isGerman ?? isGermanTable(source.text, navigator.language),
  }
}

/** A pause in typing, after which the rows are judged again. */
const CHECK_AFTER_MS = 600

export function useImport(source: Source) {
  const settled = useSettled(source)
  const { people, setPeople, latest } = usePeople()
  const [skipped, setSkipped] = useState<Skipped[]>([])
  const [answer, setAnswer] = useState<CheckedRow[] | null>(null)
  const [created, setCreated] = useState<number | null>(null)
  const [hasEdits, setHasEdits] = useState(false)
  const [mistake, setMistake] = useState('')
  const call = useCall(importMailboxes, {
    onError: (error) => setMistake(String(error.data.table ?? error.message)),
  })
  const send = (rows: Person[], dryRun: boolean) => {
    setMistake('')
    setPeople(rows)
    const spelling = settled.isGerman ? ('german' as const) : ('plain' as const)
    const held = dryRun ? new Map<number, CheckedRow>() : heldBack(answer)
    const sent = rows.filter(({ row }) => !held.has(row))
    const body = { table: importTable(sent), domain: settled.domain, mode: 'good' as const }
    call.mutate(
      { body: { ...body, spelling, dryRun } },
      {
        onSuccess: (judged) => {
          const checked = [...withPrivate(judged.rows, sent), ...held.values()]
          setAnswer(checked.toSorted((a, b) => a.row - b.row))
          setHasEdits(latest.current !== rows)
          if (dryRun) return
          keepAddresses(signedInUserId(), privateAddressesOf(judged.rows, sent))
          setCreated(judged.created)
        },
      },
    )
  }
  const check = () => send(people, true)
  useCheckAfterPause(hasEdits && people, check)
  return {
    ...{ people, skipped, answer, created, hasEdits, mistake },
    isPending: call.isPending,
    read: () => {
      const read = readPeople(source.text)
      if ('fault' in read) return setMistake(read.fault)
      if (read.people.length > MAX_IMPORT_ROWS) return setMistake('At most 10,000 rows at once')
      setSkipped([])
      return send(read.people, true)
    },
    back: () => {
      setMistake('')
      setAnswer(null)
    },
    /** Is judged after a pause in typing. */
    edit: (changed: Person) => {
      setPeople(people.map((one) => (one.row === changed.row ? changed : one)))
      setHasEdits(true)
    },
    /** Changes these rows, and has all of them judged again. */
    cure: (rows: readonly number[], change: (person: Person) => Person) =>
      send(changedIn(people, new Set(rows), change), true),
    skip: (rows: readonly Skipped[]) => {
      const left = new Set(rows.map(({ person }) => person.row))
      setSkipped([...skipped, ...rows])
      setPeople(people.filter(({ row }) => !left.has(row)))
      setAnswer(answer?.filter(({ row }) => !left.has(row)) ?? null)
    },
    takeBack: () => {
      const all = [...people, ...skipped.map(({ person }) => person)]
      setSkipped([])
      send(
        all.toSorted((a, b) => a.row - b.row),
        true,
      )
    },
    check,
    create: () => send(people, false),
  }
}

function usePeople() {
  const [people, show] = useState<Person[]>([])
  // An answer may be about rows that were changed meanwhile.
  const latest = useRef<readonly Person[]>(people)
  const setPeople = (rows: Person[]) => {
    latest.current = rows
    show(rows)
  }
  return { people, setPeople, latest }
}

const changedIn = (
  people: readonly Person[],
  rows: ReadonlySet<number>,
  change: (person: Person) => Person,
): Person[] => people.map((one) => (rows.has(one.row) ? change(one) : one))

/** After each change of what was edited; false: nothing waits for a check. */
function useCheckAfterPause(edited: readonly Person[] | false, check: () => void): void {
  const now = useRef(check)
  useEffect(() => {
    now.current = check
  })
  useEffect(() => {
    if (edited === false) return
    const timer = setTimeout(() => now.current(), CHECK_AFTER_MS)
    return () => clearTimeout(timer)
  }, [edited])
}

export type ImportSteps = ReturnType<typeof useImport>
