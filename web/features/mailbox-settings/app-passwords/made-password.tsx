import type { MadeAppPassword } from '#contract/mail/app-passwords.ts'
import { formatEnd } from '#web/lib/time/end-of-day.ts'
import { QrCode } from '#web/ui/data/qr-code.tsx'
import { CopyField } from '#web/ui/form/copy-field.tsx'
import { usesOf } from './uses.ts'

type MadePasswordProps = { made: MadeAppPassword; onCopied: () => void }

/** It cannot be shown again: the server keeps only its hash. */
export function MadePassword({ made, onCopied }: MadePasswordProps) {
  const { password, scopes, expiresAt } = made
  return (
    <div className="grid gap-5">
      <CopyField
        text={password}
        label="App password"
        onCopied={onCopied}
        className="text-sm max-sm:px-2 max-sm:text-[0.8125rem] max-sm:tracking-tight"
      />
      <div className="flex flex-wrap items-center gap-x-5 gap-y-4">
        <QrCode text={password} aria-label="QR code of the app password" />
        <ul className="grid min-w-0 flex-1 basis-52 list-disc gap-1.5 pl-4 text-sm text-soft">
          <li>It is not shown again. If it is lost, end it and make another.</li>
          <li>
            {usesOf(scopes)}
            {expiresAt === null ? ', until you end it.' : `. It ends ${formatEnd(expiresAt)}.`}
          </li>
          <li>Dashes and capitals make no difference.</li>
          <li>To get it onto a phone, scan the code there and copy the text.</li>
        </ul>
      </div>
    </div>
  )
}
