/** The records of one domain: read while the page is open, and looked up in DNS on demand. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getDnsSetting, getZoneFile } from '#contract/dns/setting.ts'
import {
  type DnsRecord,
  type Domain,
  getOwnershipRecord,
  listDnsRecords,
  listOptionalRecords,
  verifyDns,
  verifyOwnership,
} from '#contract/domains.ts'
import { nextCheck } from '#web/dns-records/check-note.tsx'
import { isRememberedOtherwise } from '#web/dns-records/server-watch.tsx'
import { open } from '#web/lib/api/api.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { addressOf } from '#web/lib/api/client.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { saveAs } from '#web/lib/save-as.ts'
import { toastError } from '#web/lib/toast-store.ts'

/** What is not verified yet is looked at about this often, and what changed is told at once. */
const READ_EVERY_MS = 15_000
/** A check takes a moment, and one that is overdue may come any moment. */
const AFTER_CHECK_MS = 1500
const OVERDUE_MS = 5000

const isDone = (records: readonly DnsRecord[]) =>
  records.every((record) => record.isVerified === true && !isRememberedOtherwise(record))

/** Soon after the next check, so that the times on the page are true. */
function readAgainIn(records: readonly DnsRecord[] | undefined): number | false {
  if (records === undefined) return READ_EVERY_MS
  if (isDone(records)) return false
  const next = nextCheck(records)
  if (next === undefined) return READ_EVERY_MS
  const wait = new Date(next).getTime() - Date.now()
  return wait < 0 ? OVERDUE_MS : Math.min(wait + AFTER_CHECK_MS, READ_EVERY_MS)
}

export const requiredOf = (records: readonly DnsRecord[]) =>
  records.filter((record) => record.required)

export function useOwnership(id: string | null) {
  return useApi(
    getOwnershipRecord,
    { params: { id: id ?? '' } },
    {
      enabled: id !== null,
      refetchInterval: ({ state }) =>
        state.error ? false : readAgainIn(state.data && [state.data]),
    },
  )
}

export function useDnsRecords(id: string | null) {
  return useApi(
    listDnsRecords,
    { params: { id: id ?? '' } },
    {
      enabled: id !== null,
      refetchInterval: ({ state }) => (state.error ? false : readAgainIn(state.data)),
    },
  )
}

export function useOptionalRecords(id: string) {
  return useApi(
    listOptionalRecords,
    { params: { id } },
    { refetchInterval: ({ state }) => (state.error ? false : readAgainIn(state.data)) },
  )
}

/** `undefined` while it is being read, null when it could not be: the records are what counts. */
export function useDnsSetting(id: string | null) {
  const { data, isError } = useApi(
    getDnsSetting,
    { params: { id: id ?? '' } },
    {
      enabled: id !== null,
      refetchInterval: ({ state }) =>
        state.data && state.data.nameServers.length === 0 ? READ_EVERY_MS : false,
    },
  )
  return data ?? (isError ? null : undefined)
}

export function useZoneFile({ _id: id, name }: Domain) {
  const { isPending, mutate } = useMutation<Blob, ApiError>({
    mutationFn: async () => (await open(addressOf(getZoneFile, { params: { id } }))).blob(),
    onSuccess: (file) => saveAs(file, `${name}.zone`),
    onError: say,
  })
  return { isPending, onDownload: () => mutate() }
}

/** What a check answers is shown at once, and read again all the same: the specification says so. */
const toReadAgain = { updatedAt: 1 }

/** What needs a sentence beside the records is left to the step; the rest is a toast. */
const say = (error: ApiError) => {
  if (error.type !== 'DOMAIN_HELD') toastError(error.message)
}

export function useVerifyOwnership(id: string) {
  const client = useQueryClient()
  return useCall(verifyOwnership, {
    onSuccess: (record) => {
      client.setQueryData(keyOf(getOwnershipRecord, { params: { id } }), record, toReadAgain)
    },
    onError: say,
  })
}

export function useVerifyDns(id: string) {
  const client = useQueryClient()
  return useCall(verifyDns, {
    onSuccess: (records) => {
      client.setQueryData(keyOf(listDnsRecords, { params: { id } }), records, toReadAgain)
    },
    onError: say,
  })
}
