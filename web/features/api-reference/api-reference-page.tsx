/**
 * The API for developers: every operation of the OpenAPI document, open to everybody. The fragment of the URL is the operation
 * that is shown; without one there is the list.
 */
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Braces } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { getInstallation } from '#contract/installation.ts'
import { API_PREFIX } from '#contract/route.ts'
import { QueryProvider } from '#web/lib/api/query-provider.tsx'
import { useApi } from '#web/lib/api/use-api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { paths } from '#web/paths.ts'
import { cn } from '#web/ui/cn.ts'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { EventView } from './event-view.tsx'
import { type Reference, readReference } from './openapi-document.ts'
import { OperationList } from './operation-list.tsx'
import { OperationView } from './operation-view.tsx'

export function ApiReferencePage() {
  usePageTitle('API for developers')
  return (
    <QueryProvider>
      <h1 tabIndex={-1} className="font-semibold text-3xl tracking-tight">
        API for developers
      </h1>
      <p className="mt-2 text-pretty text-soft">
        Everything that these pages do, for programs. The same as an{' '}
        <a className="text-accent-ink underline" href={`${API_PREFIX}/openapi.json`}>
          OpenAPI document
        </a>{' '}
        for client generators.
      </p>
      <Loaded />
    </QueryProvider>
  )
}

function Loaded() {
  const read = useQuery({
    queryKey: ['openapi'],
    queryFn: ({ signal }) => readReference(signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (read.data) return <Operations reference={read.data} />
  if (read.isError)
    return (
      <ErrorState
        className="mt-8"
        title="The API could not be shown"
        description="Its description did not arrive."
        onRetry={() => read.refetch()}
      />
    )
  return (
    <div role="status" aria-label="Loading the API" className="mt-8 flex flex-col gap-3">
      {[1, 2, 3, 4].map((row) => (
        <Skeleton key={row} className="h-9" />
      ))}
    </div>
  )
}

function Operations({ reference }: { reference: Reference }) {
  const { hash } = useLocation()
  const name = decodeURIComponent(hash.slice(1))
  const installation = useApi(getInstallation, {})
  const all = reference.groups.flatMap(({ operations }) => operations)
  const current = all.find(({ operationId }) => operationId === name)
  useOperationFocus(name)
  return (
    <div className="mt-8 grid gap-10 lg:grid-cols-[18rem_minmax(0,1fr)]">
      <div
        className={cn(
          'lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:overflow-y-auto lg:p-1',
          name && 'max-lg:hidden',
        )}
      >
        <OperationList groups={reference.groups} current={current} />
      </div>
      <div className={cn('min-w-0', !name && 'max-lg:hidden')}>
        {name && (
          <Link
            to={paths.apiReference()}
            className="mb-4 inline-flex min-h-11 items-center gap-2 text-soft text-sm lg:hidden"
          >
            <ArrowLeft className="size-4" aria-hidden />
            All operations
          </Link>
        )}
        {current?.isEvent && <EventView event={current} schemas={reference.schemas} />}
        {current && !current.isEvent && (
          <OperationView
            operation={current}
            reference={reference}
            isDemo={installation.data?.sandboxDns ?? false}
          />
        )}
        {!current && (
          <EmptyState
            icon={Braces}
            title={name ? 'There is no such operation' : 'Choose an operation'}
            description="Each has its fields, an example and its errors."
          />
        )}
      </div>
    </div>
  )
}

/** The heading gets the focus when another operation is chosen, not when the page opens. */
function useOperationFocus(name: string): void {
  const last = useRef(name)
  useEffect(() => {
    if (last.current === name) return
    last.current = name
    scrollTo(0, 0)
    document.querySelector<HTMLElement>(name ? '#operation' : 'h1')?.focus({ preventScroll: true })
  }, [name])
}
