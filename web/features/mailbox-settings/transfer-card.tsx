/** Exports mail to a file and imports files. Only for readers of the mailbox, because it is their mail. */

import { Download } from 'lucide-react'
import { useState } from 'react'
import {
  downloadExport,
  getExport,
  listImports,
  type MailExport,
  makeExport,
} from '#contract/mail/transfer.ts'
import type { Mailbox } from '#contract/mailboxes.ts'
import { API_PREFIX } from '#contract/route.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { addressOf } from '#web/lib/api/client.ts'
import { useApi, useCall } from '#web/lib/api/use-api.ts'
import { formatCount } from '#web/lib/format.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Card, CardHeader } from '#web/ui/data/card.tsx'
import { Progress } from '#web/ui/data/progress.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { Select } from '#web/ui/form/select.tsx'
import { ErrorState } from '#web/ui/state/error-state.tsx'
import { Skeleton } from '#web/ui/state/loading.tsx'
import { ImportPart } from './import-part.tsx'
import { chosenFolder, NO_FOLDER, useFolderOptions } from './use-folder-options.ts'
import { isGoingOn } from './use-upload.ts'

const LOOK_MS = 1_000

export function TransferCard({ mailbox }: { mailbox: Mailbox }) {
  const imports = useApi(
    listImports,
    { params: { id: mailbox._id } },
    { refetchInterval: ({ state }) => (isGoingOn(state.data?.[0]) ? LOOK_MS : false) },
  )
  return (
    <Card>
      <CardHeader
        title="Export and import"
        description="Mail as an mbox file, which every mail program can read"
      />
      {imports.data ? (
        <div className="grid gap-6 px-5 pb-5">
          <ExportPart mailbox={mailbox} />
          <hr className="border-line" />
          <ImportPart mailbox={mailbox} latest={imports.data[0]} />
        </div>
      ) : imports.isError ? (
        <ErrorState
          title="The imports could not be loaded"
          description={imports.error.message}
          onRetry={() => void imports.refetch()}
          className="py-8"
        />
      ) : (
        <div role="status" className="grid gap-5 px-5 pb-5">
          <span className="sr-only">Loading the imports</span>
          <Skeleton className="h-16 w-full" />
          <Skeleton className="h-16 w-full" />
        </div>
      )}
    </Card>
  )
}

/** The browser downloads the file itself, so that its size does not matter. */
const save = (token: string): void => {
  const link = document.createElement('a')
  link.href = API_PREFIX + addressOf(downloadExport, { params: { token } })
  link.download = ''
  link.click()
}

export function ExportPart({ mailbox }: { mailbox: Mailbox }) {
  const [folder, setFolder] = useState(NO_FOLDER)
  const options = useFolderOptions(mailbox._id, 'The whole mailbox')
  const make = useCall(makeExport, {
    onSuccess: ({ token }) => save(token),
    onError: (error) => toastError(messageOf(error)),
  })
  const params = { id: mailbox._id }
  return (
    <section aria-label="Export" className="grid gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <Field label="Export" className="min-w-52 flex-1">
          {(control) => (
            <Select {...control} value={folder} onValueChange={setFolder} options={options} />
          )}
        </Field>
        <Button
          variant="secondary"
          size="large"
          isPending={make.isPending}
          className="max-sm:w-full"
          onClick={() => make.mutate({ params, body: chosenFolder(folder) })}
        >
          <Download aria-hidden />
          Download mbox
        </Button>
      </div>
      {make.data && <ExportState key={make.data._id} mailbox={mailbox} made={make.data} />}
    </section>
  )
}

function ExportState({ mailbox, made }: { mailbox: Mailbox; made: MailExport }) {
  const { data = made } = useApi(
    getExport,
    { params: { id: mailbox._id, exportId: made._id } },
    {
      refetchInterval: ({ state }) =>
        state.data?.state === 'done' || state.data?.state === 'failed' ? false : LOOK_MS,
    },
  )
  const { state, total, written } = data
  if (state === 'failed')
    return (
      <p role="alert" className="text-bad text-sm">
        The download stopped after {formatCount(written)} of {formatCount(total)} messages. Please
        start it again: the file is incomplete.
      </p>
    )
  return (
    <div role="status" className="grid gap-1.5">
      <p className="text-soft text-sm tabular-nums">
        {state === 'done'
          ? `Exported ${formatCount(written)} ${written === 1 ? 'message' : 'messages'}.`
          : `${formatCount(written)} of ${formatCount(total)} messages`}
      </p>
      {state !== 'done' && (
        <Progress label="Export" percent={total === 0 ? 0 : (100 * written) / total} />
      )}
    </div>
  )
}
