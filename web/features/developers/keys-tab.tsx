/** The API keys of the workspace, for Admins, and those of the person. */
import { KeyRound, Plus } from 'lucide-react'
import {
  type ApiKey,
  type KeyKind,
  listApiKeys,
  MAX_API_KEYS,
} from '#contract/developers/api-keys.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { useHolder, useMay } from '#web/lib/api/use-can.ts'
import { useKeptState } from '#web/lib/kept-values.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { EmptyState } from '#web/ui/state/empty-state.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { KeyRow } from './key-row.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'

export function KeysTab() {
  const isAdmin = useMay('manage-keys')
  const keys = useApi(listApiKeys, {})
  const [making, setMaking] = useKeptState<KeyKind | ''>('making an API key', '')
  if (!keys.data)
    return keys.isError ? (
      <Card>
        <ErrorState
          title="The API keys could not be loaded"
          description={keys.error.message}
          onRetry={() => void keys.refetch()}
        />
      </Card>
    ) : (
      <div role="status">
        <span className="sr-only">Loading the API keys</span>
        <Skeleton className="h-72 w-full rounded-card" />
      </div>
    )
  return (
    <div className="grid gap-6">
      {isAdmin && (
        <KeysCard kind="workspace" all={keys.data} onMake={() => setMaking('workspace')} />
      )}
      <KeysCard kind="person" all={keys.data} onMake={() => setMaking('person')} />
      {making !== '' && <NewKeyDialog kind={making} onClose={() => setMaking('')} />}
    </div>
  )
}

const words = {
  workspace: {
    title: 'Keys of this workspace',
    description: 'Programs of the company call the API with these. Every Admin sees them.',
    button: 'New workspace key',
    empty: 'No key of the workspace yet',
    why: 'Make one for a program that adds domains, makes mailboxes or sends mail.',
  },
  person: {
    title: 'Your keys',
    description: 'Programs of yours act as you in this workspace. Only you see them.',
    button: 'New key of your own',
    empty: 'You have no key of your own yet',
    why: 'Make one for a script or a tool that only you use.',
  },
} as const satisfies Record<KeyKind, Record<string, string>>

const ofHolder = {
  ...words.person,
  title: 'API keys',
  description: 'Programs of yours read and send mail of this mailbox as you. Only you see them.',
  button: 'New API key',
}

type KeysCardProps = { kind: KeyKind; all: readonly ApiKey[]; onMake: () => void }

function KeysCard({ kind, all, onMake }: KeysCardProps) {
  const shown = all.filter((key) => key.kind === kind)
  const isHolder = useHolder() !== null
  const { title, description, button } = isHolder ? ofHolder : words[kind]
  return (
    <Card>
      <section aria-label={title}>
        <CardHeader
          title={title}
          description={description}
          aside={
            shown.length < MAX_API_KEYS && (
              <Button variant="secondary" onClick={onMake} className="max-sm:w-full">
                <Plus aria-hidden />
                {button}
              </Button>
            )
          }
        />
        <KeyList keys={shown} kind={kind} />
      </section>
    </Card>
  )
}

function KeyList({ keys, kind }: { keys: readonly ApiKey[]; kind: KeyKind }) {
  const { empty, why } = words[kind]
  if (keys.length === 0)
    return <EmptyState icon={KeyRound} title={empty} description={why} className="py-6" />
  return (
    <div className="px-5 pb-5">
      <ul className="grid divide-y divide-line overflow-hidden rounded-card border border-line">
        {keys.map((key) => (
          <KeyRow key={key._id} apiKey={key} />
        ))}
      </ul>
    </div>
  )
}
