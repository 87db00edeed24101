/** The records behind a link: polled while the page is open, which makes the server check them, and checked on demand. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  checkDnsLink,
  LINK_CHECK_SECONDS,
  type OpenedDnsLink,
  openDnsLink,
} from '#contract/dns/links.ts'
import type { DnsRecord } from '#contract/domains.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { useSecondsUntil } from '#web/lib/time/use-now.ts'
import { toastError } from '#web/lib/toast-store.ts'

export const READ_EVERY_MS = 10_000
export const READ_WHEN_DONE_MS = 60_000

export const recordsOf = ({ ownership, records }: OpenedDnsLink) => [ownership, ...records]

export const CHECKED_TOO_OFTEN = 'DNS was checked too often. Please wait a moment.'

/** The records that mail of the domain needs to be trusted. */
export const requiredIn = ({ ownership, records }: OpenedDnsLink) => [
  ownership,
  ...records.filter((record) => record.required),
]

export const missingIn = (opened: OpenedDnsLink): number =>
  requiredIn(opened).filter(
    ({ isVerified, uncheckedSince }) => isVerified !== true || uncheckedSince !== null,
  ).length

const areVerified = (records: readonly DnsRecord[]): boolean =>
  records.every((record) => record.isVerified === true)

/** Whether the error means that the link does not work, for whatever reason. */
export const ends = (error: ApiError | null): boolean => [404, 422].includes(error?.statusCode ?? 0)

/** `domain`: its name, where the link opens several. */
export function useLinkedRecords(token: string, domain?: string) {
  const args = { body: { token, domain } }
  const opened = useApi(openDnsLink, args, {
    ...{ enabled: token !== '', staleTime: 0, gcTime: 0 },
    refetchInterval: ({ state }) => {
      if (ends(state.error)) return false
      return state.data && areVerified(recordsOf(state.data)) ? READ_WHEN_DONE_MS : READ_EVERY_MS
    },
  })
  const client = useQueryClient()
  const show = (now: OpenedDnsLink) => client.setQueryData(keyOf(openDnsLink, args), now)
  const [mayAskAt, setMayAskAt] = useState(0)
  const asked = useCall(checkDnsLink, {
    onSuccess: show,
    onError: (error) => {
      if (ends(error)) void opened.refetch()
      else toastError(error.statusCode === 429 ? CHECKED_TOO_OFTEN : error.message)
    },
    onSettled: () => setMayAskAt(Date.now() + LINK_CHECK_SECONDS * 1000),
  })
  const isEnded = token === '' || ends(opened.error)
  return {
    opened,
    isEnded,
    isChecking: asked.isPending,
    hasChecked: !asked.isIdle && !asked.isPending,
    secondsUntilAsk: useSecondsUntil(mayAskAt, LINK_CHECK_SECONDS),
    ask: () => asked.mutate(args),
  }
}
