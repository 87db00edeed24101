import { ArrowRightLeft } from 'lucide-react'
import { useState } from 'react'
import type { DnsSetting } from '#contract/dns/setting.ts'
import type { DnsRecord } from '#contract/domains.ts'
import { Badge } from '#web/ui/data/badge.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { RecordTable } from './record-table.tsx'

type ReceivingMailProps = {
  domainName: string
  records: readonly DnsRecord[]
  setting: DnsSetting | null | undefined
  hasChecked: boolean
}

/**
 * The MX record. Shows first what moving the mail here would change, and the record on request, so that no mail moves by
 * accident.
 */
export function ReceivingMail(props: ReceivingMailProps) {
  const { domainName, records, setting, hasChecked } = props
  const [wantsToMove, setWantsToMove] = useState(false)
  const changes = setting?.receiving.changes ?? []
  const isElsewhere = setting?.mail ? setting.mail.hosts.length > 0 && !setting.mail.isOurs : false
  const isStarted = records.some(({ state }) => state === 'verified' || state === 'conflict')
  const isShown = !isElsewhere || isStarted || wantsToMove
  return (
    <section aria-labelledby="receiving-mail">
      <div className="grid justify-items-start gap-1 px-5 pb-3 sm:px-6">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <h3 id="receiving-mail" className="font-semibold text-sm">
            Receiving mail
          </h3>
          <Badge>Recommended</Badge>
        </div>
        <p className="max-w-3xl text-pretty text-soft text-sm">
          {introduction(props, isElsewhere)}
        </p>
      </div>
      {changes.length > 0 && <Changes domainName={domainName} changes={changes} />}
      {isShown ? (
        <RecordTable
          label="Records for receiving mail"
          records={records}
          placeholders={1}
          hasChecked={hasChecked}
          provider={setting?.provider ?? null}
        />
      ) : (
        <div className="px-5 pb-6 sm:px-6">
          <Button variant="secondary" size="small" onClick={() => setWantsToMove(true)}>
            <ArrowRightLeft aria-hidden />
            Move receiving here
          </Button>
        </div>
      )}
    </section>
  )
}

const introduction = (
  { domainName, setting }: ReceivingMailProps,
  isElsewhere: boolean,
): string => {
  const where = setting?.mail?.elsewhere
  if (isElsewhere && where)
    return `Mail for ${domainName} goes to ${where}, and stays there until you move it.`
  return `Brings the mail of ${domainName} here. Publish it when you are ready to move: create the mailboxes first.`
}

function Changes({ domainName, changes }: { domainName: string; changes: readonly string[] }) {
  return (
    <div className="mx-5 mb-4 grid gap-1.5 rounded-xl bg-warn-wash px-4 py-3 text-sm sm:mx-6">
      <p className="font-medium text-warn">
        What moving the mail of {domainName} here would change
      </p>
      <ul className="grid list-disc gap-1 pl-4.5">
        {changes.map((change) => (
          <li key={change} className="wrap-anywhere text-pretty">
            {change}
          </li>
        ))}
      </ul>
    </div>
  )
}
