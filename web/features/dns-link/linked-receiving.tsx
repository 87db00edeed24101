import { useState } from 'react'
import type { OpenedDnsLink } from '#contract/dns/links.ts'
import type { DnsRecord } from '#contract/domains.ts'
import { RecordTable } from '#web/dns-records/record-table.tsx'
import { Button } from '#web/ui/form/button.tsx'

type LinkedReceivingProps = {
  opened: OpenedDnsLink
  records: readonly DnsRecord[]
  hasAsked: boolean
}

/** The MX record. While mail goes elsewhere it waits behind a button: whoever publishes all that they see moves no mail. */
export function LinkedReceiving({ opened, records, hasAsked }: LinkedReceivingProps) {
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
          hasAsked={hasAsked}
          provider={setting.provider}
        />
      )}
    </section>
  )
}
