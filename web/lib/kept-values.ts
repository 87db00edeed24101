/**
 * Values of a form when the session expired, until the same user is back at that form. In memory only:
 * gone with the tab, never shown to another user, and without secrets.
 */
import { type Dispatch, type SetStateAction, useEffect, useRef, useState } from 'react'
import type { FieldValues, Path, PathValue, UseFormReturn } from 'react-hook-form'
import { readSession, signedInUserId } from './api/session.ts'

type Kept = { owner: string; values: unknown }
const kept = new Map<string, Kept>()

/** After log-out nothing is kept; only an expired session interrupts the user. */
const hasRunOut = (): boolean => {
  const session = readSession()
  return session.status === 'anonymous' && !session.hasLeft
}

function take(name: string): unknown {
  const found = kept.get(name)
  kept.delete(name)
  return found?.owner === signedInUserId() ? found?.values : undefined
}

/** Returns once what was kept under this name. From then on keeps what `read` returns when the session expires. */
export function useKept<T>(name: string, read: () => T | undefined): T | undefined {
  const [found] = useState(() => take(name) as T | undefined)
  const [owner] = useState(signedInUserId)
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

/** Like useState, for an open dialog: after the session expired, the user finds the same dialog open with its values. */
export function useKeptState<T>(name: string, initial: T): [T, Dispatch<SetStateAction<T>>] {
  const kept: T | undefined = useKept(name, () => (state[0] === initial ? undefined : state[0]))
  const state: [T, Dispatch<SetStateAction<T>>] = useState(kept ?? initial)
  return state
}

/** Keeps the changed fields of a form, except secret ones. Returns true when some were restored; the form has them already. */
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
