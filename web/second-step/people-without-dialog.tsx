import { useInfiniteQuery } from '@tanstack/react-query'
import {
  listAllWithoutFactor,
  listWithoutFactor,
  type PersonWithout,
} from '#contract/account/required-factor.ts'
import { call } from '#web/lib/api/api.ts'
import { formatDate } from '#web/lib/format.ts'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Dialog } from '#web/ui/overlay/dialog.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import type { Of } from './factor-rule-dialog.tsx'

const lists = { workspace: listWithoutFactor, installation: listAllWithoutFactor }

export function PeopleWithoutDialog({ of, onClose }: { of: Of; onClose: () => void }) {
  const route = lists[of]
  const people = useInfiniteQuery({
    queryKey: [route.path],
    queryFn: ({ pageParam, signal }) =>
      call<typeof route>(route, { query: { cursor: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    ...{ meta: { reads: route.reads }, gcTime: 0 },
  })
  const items = people.data?.pages.flatMap((page) => page.items)
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Without a second factor"
      description="Their password alone signs them in, until they set one up."
      size="medium"
      isText={items?.length === 0}
    >
      {items ? (
        <>
          {items.length === 0 ? (
            <p className="text-soft text-sm">Everybody has one.</p>
          ) : (
            <ul aria-label="Without a second factor" className="grid divide-y divide-line">
              {items.map((person) => (
                <Person key={person._id} person={person} />
              ))}
            </ul>
          )}
          {people.hasNextPage && (
            <Button
              variant="secondary"
              className="mt-4 w-full"
              isPending={people.isFetchingNextPage}
              onClick={() => void people.fetchNextPage()}
            >
              Show more
            </Button>
          )}
        </>
      ) : people.isError ? (
        <ErrorState
          title="Error loading who has none"
          description={people.error.message}
          onRetry={() => void people.refetch()}
          className="py-6"
        />
      ) : (
        <div role="status" className="grid gap-3">
          <span className="sr-only">Loading...</span>
          <Skeleton className="h-10 w-full" />
          <Skeleton className="h-10 w-full" />
        </div>
      )}
    </Dialog>
  )
}

function Person({ person: { name, email, isHolder, since, dueAt } }: { person: PersonWithout }) {
  return (
    <li className="grid gap-0.5 py-3 text-sm">
      <span className="wrap-anywhere font-medium">{name === '' ? email : name}</span>
      {name !== '' && <span className="wrap-anywhere text-soft">{email}</span>}
      <span className="text-soft">
        {isHolder ? 'Signs in to a mailbox' : 'Member'} since{' '}
        <LocalTime at={since} format={formatDate} />
      </span>
      {dueAt !== null && (
        <span className="text-soft">
          Needs one from <LocalTime at={dueAt} format={formatDate} /> on
        </span>
      )}
    </li>
  )
}
