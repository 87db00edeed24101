/**
 * What stood in a form when the session ran out, until the same person is back at that form. It is in memory alone:
 * gone with the tab, never another person's, and without secrets.
 */
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react'
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form'
import { readSession } from './api/session.ts'

type Kept = { owner: string; values: unknown }
const kept = new Map<string, Kept>()

const whoIsHere = (): string | null => {
  const session = readSession()
  return session.status === 'signed-in' ? session.user._id : null
}

/** Log-out is meant; only a session that ended by itself leaves somebody in the middle of something. */
const hasRunOut = (): boolean => {
  const session = readSession()
  return session.status === 'anonymous' && !session.hasLeft
}

function take(name: string): unknown {
  const found = kept.get(name)
  kept.delete(name)
  return found?.owner === whoIsHere() ? found?.values : undefined
}

/** What was kept under this name, once; and from then on whatever `read` answers is kept should the session run out. */
export function useKept<T>(name: string, read: () => T | undefined): T | undefined {
  const [found] = useState(() => take(name) as T | undefined)
  const [owner] = useState(whoIsHere)
  const latest = useRef(read)
  useEffect(() => {
    latest.current = read
  })
  useEffect(
    () => () => {
      if (owner === null || !hasRunOut()) return
      const values = latest.current()
      if (values !== undefined) kept.set(name, { owner, values })
    },
    [name, owner],
  )
  return found
}

/** As useState, for what is open: whoever is back finds the same dialog open, and in it what was typed. */
export function useKeptState<T>(name: string, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const kept: T | undefined = useKept(name, () => (state[0] === initial ? undefined : state[0]))
  const state: [T, Dispatch<SetStateAction<T>>] = useState(kept ?? initial)
  return state
}

/** The changed fields of a form, but for those that are secret. True when some came back: they are in the form by then. */
export function useKeptValues<T extends FieldValues>(
  name: string,
  form: Pick<UseFormReturn<T>, 'formState' | 'getValues' | 'setValue'>,
  secret: readonly Path<T>[] = [],
): boolean {
  const { defaultValues } = form.formState
  const found = useKept<Partial<T>>(name, () => {
    const changed = Object.entries(form.getValues()).filter(
      ([field, value]) =>
        !secret.some((each) => each === field) &&
        JSON.stringify(value) !== JSON.stringify(defaultValues?.[field]),
    )
    return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<T>)
  })
  const [isBack, setIsBack] = useState(false)
  const { setValue } = form
  useEffect(() => {
    if (!found) return
    const options = { shouldDirty: true, shouldTouch: true, shouldValidate: true }
    for (const [field, value] of Object.entries(found))
      setValue(field as Path<T>, value as PathValue<T, Path<T>>, options)
    setIsBack(true)
  }, [found, setValue])
  return isBack
}
