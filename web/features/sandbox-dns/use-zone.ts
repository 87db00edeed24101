/** The edited zone. Every change answers the new state of the zone. */
import { useQueryClient } from '@tanstack/react-query'
import { getSandboxZone, type SandboxZone } from '#contract/dns/sandbox.ts'
import type { Arguments, Output, Route } from '#contract/route.ts'
import type { ApiError } from '#web/lib/api/api-error.ts'
import { keyOf, useCall } from '#web/lib/api/use-api.ts'
import { toastError } from '#web/lib/toast-store.ts'

export function useZoneChange<R extends Route>(
  route: R & { output: { _output: SandboxZone } },
  id: string,
  onRefused: (error: ApiError) => void = (error) => toastError(error.message),
) {
  const client = useQueryClient()
  return useCall<R>(route, {
    onSuccess: (zone: Output<R>, _sent: Arguments<R>) => {
      client.setQueryData(keyOf(getSandboxZone, { params: { id } }), zone)
    },
    onError: onRefused,
  })
}
