/** The mail programs that signed in for the person, each with the way to its app password. */
import { Link } from 'react-router'
import { listPrograms, type SignedInProgram } from '#contract/account/sessions.ts'
import { useApi } from '#web/lib/api/use-api.ts'
import { paths } from '#web/paths.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Ago } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'

export function ProgramsCard() {
  const { data, error, refetch } = useApi(listPrograms, {})
  return (
    <Card>
      <section aria-label="Mail programs">
        <CardHeader
          title="Mail programs"
          description={
            data?.length === 0
              ? 'No mail program has signed in for you in the last 90 days.'
              : 'Where programs used your passwords in the last 90 days. Each app password is ended in the settings of its mailbox.'
          }
        />
        {data ? (
          data.length > 0 && (
            <ul className="border-line border-t">
              {data.map((program) => (
                <ProgramRow key={Object.values(program).join()} {...program} />
              ))}
            </ul>
          )
        ) : error ? (
          <ErrorState
            title="Error loading your mail programs"
            description={error.message}
            onRetry={() => void refetch()}
          />
        ) : (
          <div role="status" className="px-5 pb-5">
            <span className="sr-only">Loading...</span>
            <Skeleton className="h-12 w-full" />
          </div>
        )}
      </section>
    </Card>
  )
}

function ProgramRow({ program, name, mailbox, mailboxId, ip, scope, lastAt }: SignedInProgram) {
  const what = program === '' ? 'A mail program' : program
  const settings = { pathname: paths.mailboxSettings(), hash: 'app-passwords' }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-line px-5 py-3.5 not-first:border-t">
      <div className="grid min-w-0 flex-1 basis-56 gap-0.5">
        <p className="wrap-anywhere font-medium text-sm">{what}</p>
        <p className="wrap-anywhere text-soft text-sm">
          {scope === 'imap' ? 'Read' : 'Sent from'} {mailbox} <Ago at={lastAt} />, from {ip}, with{' '}
          {name === null ? 'your own password' : `the app password “${name}”`}.
        </p>
      </div>
      <Button asChild variant="secondary" size="small">
        <Link
          to={{ ...settings, search: `?mailbox=${mailboxId}` }}
          aria-label={`App passwords of ${mailbox}`}
        >
          App passwords
        </Link>
      </Button>
    </li>
  )
}
