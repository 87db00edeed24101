/** One API key: what it may do, what it reaches, its last use, and its end. */
import { useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import {
  type ApiKey,
  endApiKey,
  getApiKey,
  listApiKeys,
  listKeyCalls,
} from '#contract/developers/api-keys.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import type { LoadPage } from '#web/lib/api/first-view.ts'
import { keyOf, useApi, useCall } from '#web/lib/api/use-api.ts'
import { usePageTitle } from '#web/lib/page-title.ts'
import { toast, toastError } from '#web/lib/toast-store.ts'
import { paths } from '#web/paths.ts'
import { Card } from '#web/ui/data/card.tsx'
import { PageHeading } from '#web/ui/data/page-heading.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { EditKeyDialog } from './edit-key-dialog.tsx'
import { CallsCard, FactsCard } from './key-facts.tsx'

export const loadApiKey: LoadPage = ({ ask, params: { id = '' } }) =>
  Promise.all([ask(getApiKey, { params: { id } }), ask(listKeyCalls, { params: { id } })])

export function KeyPage() {
  const { id = '' } = useParams()
  const key = useApi(getApiKey, { params: { id } })
  const isGone = key.error?.type === 'NOT_EXISTS'
  const shown = isGone ? undefined : key.data
  usePageTitle(shown?.name ?? 'API key')
  return (
    <div className="grid gap-6">
      <PageHeading
        title={shown?.name ?? 'API key'}
        {...(shown && { subtitle: subtitles[shown.kind], actions: <Actions apiKey={shown} /> })}
      />
      {shown ? (
        <>
          <FactsCard apiKey={shown} />
          <CallsCard id={id} />
        </>
      ) : isGone ? (
        <Card>
          <EmptyState
            icon={KeyRound}
            title="This key does not exist"
            description="It may have ended, or it is a key of another member."
          />
        </Card>
      ) : key.isError ? (
        <Card>
          <ErrorState
            title="The API key could not be loaded"
            description={key.error.message}
            onRetry={() => void key.refetch()}
          />
        </Card>
      ) : (
        <div role="status">
          <span className="sr-only">Loading the API key</span>
          <Skeleton className="h-72 w-full rounded-card" />
        </div>
      )}
    </div>
  )
}

function Actions({ apiKey }: { apiKey: ApiKey }) {
  const [isEditing, setIsEditing] = useState(false)
  return (
    <>
      {apiKey.madeBy.isYou && (
        <Button variant="secondary" onClick={() => setIsEditing(true)}>
          Change
        </Button>
      )}
      <EndKey apiKey={apiKey} />
      {isEditing && <EditKeyDialog apiKey={apiKey} onClose={() => setIsEditing(false)} />}
    </>
  )
}

const subtitles = { workspace: 'A key of this workspace', person: 'A key of your own' }

function EndKey({ apiKey: { _id, name } }: { apiKey: ApiKey }) {
  const [isAsking, setIsAsking] = useState(false)
  const client = useQueryClient()
  const navigate = useNavigate()
  const end = useCall(endApiKey, {
    onSuccess: () => {
      client.setQueryData<ApiKey[]>(keyOf(listApiKeys, {}), (known) =>
        known?.filter((each) => each._id !== _id),
      )
      toast({ title: 'API key ended', description: name, variant: 'success' })
      void navigate(paths.developers())
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return (
    <>
      <Button variant="danger" onClick={() => setIsAsking(true)}>
        End key
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={(isOpen) => !isOpen && !end.isPending && setIsAsking(false)}
        title={`End ${name}?`}
        description="Programs that use this key are refused from now on. This cannot be undone; you can make another key."
        confirmText={end.isPending ? 'Ending...' : 'End key'}
        isPending={end.isPending}
        onConfirm={() => end.mutate({ params: { id: _id } })}
      />
    </>
  )
}
