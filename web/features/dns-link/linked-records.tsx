import { useMutation } from '@tanstack/react-query'
import { CircleCheck, RotateCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { getZoneFileByLink, type OpenedDnsLink } from '#contract/dns/links.ts'
import type { DnsRecord } from '#contract/domains.ts'
import { CheckNote, CheckProgress } from '#web/dns-records/check-note.tsx'
import { notesFor } from '#web/dns-records/found-words.ts'
import { HostFormProvider, HostSwitch } from '#web/dns-records/host-switch.tsx'
import { ProviderAdvice } from '#web/dns-records/record-advice.tsx'
import { RecordTable } from '#web/dns-records/record-table.tsx'
import { ZoneFileButton } from '#web/dns-records/zone-file-button.tsx'
import { open } from '#web/lib/api/api.ts'
import { messageOf } from '#web/lib/api/api-error.ts'
import { formatMoment } from '#web/lib/format.ts'
import { saveAs } from '#web/lib/save-as.ts'
import { toastError } from '#web/lib/toast-store.ts'
import { Card } from '#web/ui/data/card.tsx'
import { LocalTime } from '#web/ui/data/local-time.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { missingIn, recordsOf, requiredIn } from './use-linked-records.ts'

type LinkedRecordsProps = {
  token: string
  opened: OpenedDnsLink
  isChecking: boolean
  /** true: Check now was pressed, so missing records may be reported. */
  hasChecked: boolean
  secondsUntilAsk: number
  ask: () => void
}

/** The records to publish, with what DNS has now. Shows nothing else of the workspace but its name. */
export function LinkedRecords(props: LinkedRecordsProps) {
  const { opened } = props
  const { domain, workspaceName } = opened
  const missing = missingIn(opened)
  const required = requiredIn(opened).length
  return (
    <div className="grid grid-cols-1 gap-6">
      <Introduction domainName={domain.unicodeName} workspaceName={workspaceName} />
      {missing === 0 && <Done domainName={domain.unicodeName} />}
      <Card className="overflow-hidden">
        <RecordsToPublish {...props} />
      </Card>
      <LinkExpiry at={opened.expiresAt} />
      <p role="status" className="sr-only">
        {missing === 0
          ? 'All required records are published'
          : `${required - missing} of ${required} required records verified`}
      </p>
    </div>
  )
}

export function LinkExpiry({ at }: { at: string }) {
  return (
    <p className="text-soft text-xs">
      This link works until <LocalTime at={at} format={formatMoment} />. Anyone who has it can open
      this page.
    </p>
  )
}

/** The records of one domain with the host names as its provider wants them, and the button to check. */
export function RecordsToPublish(props: LinkedRecordsProps) {
  const { token, opened, isChecking, hasChecked } = props
  const { domain, records, setting } = opened
  const zoneFile = useZoneFile({ token, domain: domain.name }, `${domain.name}.zone`)
  const required = useToDoFirst(requiredIn(opened))
  const recommended = records.filter((record) => !record.required)
  return (
    <HostFormProvider domainName={domain.name} setting={setting}>
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-5 pt-5 pb-4 sm:px-6">
        <h2 className="font-semibold text-base tracking-tight">Records to publish</h2>
        <div className="flex flex-wrap items-center gap-3">
          <HostSwitch />
          <ZoneFileButton onDownload={zoneFile.download} isPending={zoneFile.isPending} />
        </div>
      </header>
      <ProviderAdvice domainName={domain.unicodeName} setting={setting} />
      <CheckProgress isChecking={isChecking} />
      <div className="grid gap-6">
        <RecordTable
          label="Records to publish"
          records={required}
          placeholders={0}
          hasChecked={hasChecked}
          provider={setting.provider}
          notes={notesFor(setting, records)}
        />
        {recommended.length > 0 && (
          <LinkedReceiving opened={opened} records={recommended} hasChecked={hasChecked} />
        )}
      </div>
      <CheckFooter {...props}>
        <CheckNote
          records={recordsOf(opened)}
          domainName={domain.unicodeName}
          isChecking={isChecking}
        />
      </CheckFooter>
    </HostFormProvider>
  )
}

type IntroductionProps = { domainName: string; workspaceName: string }

function Introduction({ domainName, workspaceName }: IntroductionProps) {
  return (
    <div className="grid gap-1.5">
      <h1 tabIndex={-1} className="wrap-anywhere font-semibold text-2xl tracking-tight">
        DNS records for {domainName}
      </h1>
      <p className="wrap-anywhere max-w-3xl text-pretty text-soft text-sm">
        {workspaceName} asks you to publish these records where the DNS of {domainName} is hosted.
        This page checks them by itself, and shows what it found and what to fix.
      </p>
    </div>
  )
}

type LinkedReceivingProps = {
  opened: OpenedDnsLink
  records: readonly DnsRecord[]
  hasChecked: boolean
}

/**
 * The MX record. While mail is received elsewhere it is behind a button, so that publishing all visible records moves no mail.
 */
export function LinkedReceiving({ opened, records, hasChecked }: LinkedReceivingProps) {
  const { domain, workspaceName, setting } = opened
  const [isAsked, setIsAsked] = useState(false)
  const { mail } = setting
  const isElsewhere = mail !== null && mail.elsewhere !== null && !mail.isOurs
  const isStarted = records.some(({ state }) => state === 'verified' || state === 'conflict')
  return (
    <section aria-labelledby="receiving-mail">
      <div className="grid gap-1 px-5 pb-4 sm:px-6">
        <h3 id="receiving-mail" className="font-semibold text-sm">
          Receiving mail
        </h3>
        <p className="wrap-anywhere max-w-3xl text-pretty text-soft text-sm">
          {isElsewhere
            ? `Mail for ${domain.unicodeName} goes to ${mail.elsewhere} now. Change that only when ${workspaceName} asks you to: after that, it comes here.`
            : `Brings the mail of ${domain.unicodeName} here. Ask ${workspaceName} when to publish it.`}
        </p>
        {isElsewhere && !isStarted && !isAsked && (
          <Button
            variant="secondary"
            size="small"
            className="mt-2 justify-self-start"
            onClick={() => setIsAsked(true)}
          >
            Show the record that moves mail
          </Button>
        )}
      </div>
      {(!isElsewhere || isStarted || isAsked) && (
        <RecordTable
          label="Records for receiving mail"
          records={records}
          placeholders={0}
          hasChecked={hasChecked}
          provider={setting.provider}
        />
      )}
    </section>
  )
}

/** Downloads the records in one file: of the domain that is named, or of all that the link opens. */
export function useZoneFile(asked: { token: string; domain?: string }, filename: string) {
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const { method, path } = getZoneFileByLink
      const answer = await open(path, { method, body: JSON.stringify(asked) })
      saveAs(await answer.blob(), filename)
    },
    onError: (error) => toastError(messageOf(error)),
  })
  return { download: () => mutate(), isPending }
}

/** Sorted by their state when the page opened: a record verified meanwhile stays where the reader sees it. */
const useToDoFirst = (records: readonly DnsRecord[]): DnsRecord[] => {
  const [atFirst] = useState(records)
  return toDoFirst(records, atFirst)
}

type Record = Pick<DnsRecord, 'purpose' | 'isVerified'>

/** Moves the records that were verified `atFirst` to the end; both groups keep their order. */
export const toDoFirst = <Of extends Record>(
  records: readonly Of[],
  atFirst: readonly Record[],
): Of[] => {
  const done = new Set(
    atFirst.filter(({ isVerified }) => isVerified === true).map(({ purpose }) => purpose),
  )
  return records.toSorted((a, b) => Number(done.has(a.purpose)) - Number(done.has(b.purpose)))
}

/** In the same place at every width; the button keeps the focus while it waits. */
function CheckFooter({
  isChecking,
  secondsUntilAsk,
  ask,
  children,
}: Pick<LinkedRecordsProps, 'isChecking' | 'secondsUntilAsk' | 'ask'> & { children: ReactNode }) {
  const hasToWait = secondsUntilAsk > 0
  return (
    <footer className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-line border-t bg-sunken px-5 py-3.5 sm:px-6">
      <div className="min-w-0 flex-1 basis-56 text-soft text-xs">{children}</div>
      <Button
        className="tabular-nums max-sm:w-full"
        isPending={isChecking}
        aria-disabled={hasToWait}
        onClick={hasToWait ? undefined : ask}
      >
        {!isChecking && <RotateCw aria-hidden />}
        {isChecking
          ? 'Checking...'
          : hasToWait
            ? `Check again in ${secondsUntilAsk}s`
            : 'Check now'}
      </Button>
    </footer>
  )
}

export function Done({ domainName }: { domainName: string }) {
  return (
    <div className="flex items-start gap-3 rounded-card bg-good-wash px-5 py-4 text-sm">
      <CircleCheck className="mt-0.5 size-4 shrink-0 text-good" aria-hidden />
      <div className="grid gap-0.5">
        <p className="font-medium text-good">Everything that is required is published.</p>
        <p className="wrap-anywhere text-pretty">
          You are done with {domainName}. Leave the records in place: they are checked from time to
          time.
        </p>
      </div>
    </div>
  )
}
