/** The records of one domain: read while the page is open, and looked up in DNS on demand. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import {
  type DnsRecord,
  getDomain,
  getOwnershipRecord,
  listDnsRecords,
  listDomains,
  verifyDns,
  verifyOwnership,
} from '#contract/domains.ts'
import { getStats } from '#contract/stats.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { keyOf, readAgain, useApi, useCall } from '#web/lib/api/use-api.ts'
import { toastError } from '#web/lib/toast-store.ts'

/** The server looks about this often at what is not verified yet. */
const READ_EVERY_MS = 15_000

const isDone = (records: readonly DnsRecord[] | undefined) =>
  records?.every((record) => record.isVerified === true) ?? false

export const requiredOf = (records: readonly DnsRecord[]) =>
  records.filter((record) => record.required)

export function useOwnership(id: string | null) {
  return useApi(
    getOwnershipRecord,
    { params: { id: id ?? '' } },
    {
      enabled: id !== null,
      refetchInterval: ({ state }) =>
        isDone(state.data && [state.data]) || state.error ? false : READ_EVERY_MS,
    },
  )
}

export function useDnsRecords(id: string | null) {
  return useApi(
    listDnsRecords,
    { params: { id: id ?? '' } },
    {
      enabled: id !== null,
      refetchInterval: ({ state }) => (isDone(state.data) || state.error ? false : READ_EVERY_MS),
    },
  )
}

const readDomainAgain = (client: QueryClient) =>
  readAgain(client, getOwnershipRecord, listDnsRecords, getDomain, listDomains, getStats)

/** What needs a sentence beside the records is left to the step; the rest is a toast. */
const say = (error: ApiError) => {
  if (error.type !== 'DOMAIN_HELD') toastError(error.message)
}

export function useVerifyOwnership(id: string) {
  const client = useQueryClient()
  return useCall(verifyOwnership, {
    onSuccess: async (record) => {
      client.setQueryData(keyOf(getOwnershipRecord, { params: { id } }), record)
      await readDomainAgain(client)
    },
    onError: say,
  })
}

export function useVerifyDns(id: string) {
  const client = useQueryClient()
  return useCall(verifyDns, {
    onSuccess: async (records) => {
      client.setQueryData(keyOf(listDnsRecords, { params: { id } }), records)
      await readDomainAgain(client)
    },
    onError: say,
  })
}
