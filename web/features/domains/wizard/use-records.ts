/** The records of one domain: polled while the page is open, and checked in DNS on demand. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getOwnership } from '#contract/dns/claims.ts'
import { getDnsSetting, getZoneFile } from '#contract/dns/setting.ts'
import {
  type DnsRecord,
  type Domain,
  getDomain,
  getOwnershipRecord,
  listDnsRecords,
  listOptionalRecords,
  verifyDns,
  verifyOwnership,
} from '#contract/domains.ts'
import { getInstallation, trialSentence } from '#contract/installation.ts'
import { nextCheck } from '#web/dns-records/check-note.tsx'
import { isCachedOtherwise } from '#web/dns-records/server-watch.tsx'
import { open } from '#web/lib/api/api.ts'
import { ApiError } from '#web/lib/api/api-error.ts'
import { addressOf } from '#web/lib/api/client.ts'
import type { Ask } from '#web/lib/api/first-view.ts'
import { keyOf, queryOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { saveAs } from '#web/lib/save-as.ts'
import { toastError } from '#web/lib/toast-store.ts'

/** The server checks unverified records about this often; live events announce changes at once. */
const POLL_MS = 15_000
/** Time that a check takes; and the delay when the next check is overdue. */
const AFTER_CHECK_MS = 1500
const OVERDUE_MS = 5000

const needsNoPolling = (records: readonly DnsRecord[]) =>
  records.every((record) => record.isVerified === true && !isCachedOtherwise(record))

/** Milliseconds until shortly after the next check, so that the times on the page are true. false: no polling. */
function pollInterval(records: readonly DnsRecord[] | undefined): number | false {
  if (records === undefined) return POLL_MS
  if (needsNoPolling(records)) return false
  const next = nextCheck(records)
  if (next === undefined) return POLL_MS
  const wait = new Date(next).getTime() - Date.now()
  return wait < 0 ? OVERDUE_MS : Math.min(wait + AFTER_CHECK_MS, POLL_MS)
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
        state.error ? false : pollInterval(state.data && [state.data]),
    },
  )
}

/** A trial has no records to show: the page knows it, and asks for none. The error is that of the server. */
export function useDnsRecords(id: string | null) {
  const { data } = useApi(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY })
  const asked = queryOf(listDnsRecords, { params: { id: id ?? '' } })
  return useQuery<DnsRecord[], ApiError>({
    ...asked,
    ...(data?.hidesRecords && { queryFn: () => Promise.reject(trialError(data.trial)) }),
    enabled: id !== null && data !== undefined,
    refetchInterval: ({ state }) => (state.error ? false : pollInterval(state.data)),
  })
}

const trialError = (trial: Parameters<typeof trialSentence>[0]): ApiError =>
  new ApiError({
    ...{ type: 'TRIAL', statusCode: 409, message: trialSentence(trial), path: listDnsRecords.path },
    data: {},
  })

export function useOptionalRecords(id: string) {
  return useApi(
    listOptionalRecords,
    { params: { id } },
    { refetchInterval: ({ state }) => (state.error ? false : pollInterval(state.data)) },
  )
}

/** Loads a domain with its records, the DNS setting, and whether its ownership is questioned. */
export const loadRecords = (ask: Ask, id: string) => {
  const own = { params: { id } }
  const records = async () =>
    (await ask(getInstallation, {}))?.hidesRecords || ask(listDnsRecords, own)
  return Promise.all([
    ask(getDomain, own),
    ask(getOwnershipRecord, own),
    records(),
    ask(getDnsSetting, own),
    ask(getOwnership, own),
  ])
}

/** `undefined` while loading, null when it could not be loaded: the page works with the records alone. */
export function useDnsSetting(id: string | null) {
  const { data, isError } = useApi(
    getDnsSetting,
    { params: { id: id ?? '' } },
    {
      enabled: id !== null,
      refetchInterval: ({ state }) =>
        state.data && state.data.nameServers.length === 0 ? POLL_MS : false,
    },
  )
  return data ?? (isError ? null : undefined)
}

export function useZoneFile({ _id: id, name }: Domain) {
  const { isPending, mutate } = useMutation<Blob, ApiError>({
    mutationFn: async () => (await open(addressOf(getZoneFile, { params: { id } }))).blob(),
    onSuccess: (file) => saveAs(file, `${name}.zone`),
    onError: showError,
  })
  return { isPending, onDownload: () => mutate() }
}

/** Shows the answer of a check at once, but marks it stale, because the specification requires a refetch. */
const staleAtOnce = { updatedAt: 1 }

/** Shows errors as a toast, but for DOMAIN_HELD, which the step explains beside the records. */
const showError = (error: ApiError) => {
  if (error.type !== 'DOMAIN_HELD') toastError(error.message)
}

export function useVerifyOwnership(id: string) {
  const client = useQueryClient()
  return useCall(verifyOwnership, {
    onSuccess: (record) => {
      client.setQueryData(keyOf(getOwnershipRecord, { params: { id } }), record, staleAtOnce)
    },
    onError: showError,
  })
}

export function useVerifyDns(id: string) {
  const client = useQueryClient()
  return useCall(verifyDns, {
    onSuccess: (records) => {
      client.setQueryData(keyOf(listDnsRecords, { params: { id } }), records, staleAtOnce)
    },
    onError: showError,
  })
}
