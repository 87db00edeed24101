/** The domains behind a link to several: read while the page is open, which has them checked in turns, and checked on demand. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  checkDnsLink,
  type OpenedDnsLinks,
  openDnsLink,
  openManyDnsLink,
} from '#contract/dns/links.ts'
import { call } from '#web/lib/api/api.ts'
import { ApiError, messageOf } from '#web/lib/api/api-error.ts'
import { keyOf, useApi } from '#web/lib/api/use-api.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { CHECKED_TOO_OFTEN, ends, READ_EVERY_MS, READ_WHEN_DONE_MS } from './use-linked-records.ts'

export type LinkedDomain = OpenedDnsLinks['domains'][number]

/** Required records that are not right: MX is asked for apart, since it moves mail. */
export const toDoIn = ({ records }: LinkedDomain) =>
  records.filter(({ required, isToDo }) => required && isToDo)

export const isDone = (domain: LinkedDomain): boolean => toDoIn(domain).length === 0

export function useLinkedDomains(token: string) {
  const opened = useApi(
    openManyDnsLink,
    { body: { token } },
    {
      ...{ enabled: token !== '', staleTime: 0, gcTime: 0 },
      refetchInterval: ({ state }) => {
        if (ends(state.error)) return false
        return state.data?.domains.every(isDone) ? READ_WHEN_DONE_MS : READ_EVERY_MS
      },
    },
  )
  return { opened, isEnded: token === '' || ends(opened.error) }
}

/** Checks domains one after the other, and shows each when it is done. */
export function useCheckAll(token: string, readAgain: () => Promise<unknown>) {
  const client = useQueryClient()
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null)
  const check = async (domains: readonly LinkedDomain[]) => {
    for (const [done, { name }] of domains.entries()) {
      setProgress({ done, of: domains.length })
      const args = { body: { token, domain: name } }
      try {
        client.setQueryData(keyOf(openDnsLink, args), await call(checkDnsLink, args))
      } catch (error) {
        const isTooOften = error instanceof ApiError && error.statusCode === 429
        toastError(isTooOften ? CHECKED_TOO_OFTEN : messageOf(error))
        break
      }
      await readAgain()
    }
    setProgress(null)
    await readAgain()
  }
  return { progress, check: (domains: readonly LinkedDomain[]) => void check(domains) }
}
