import { FORMER_SECRET_HOURS } from '#contract/developers/webhooks.ts'
import { CopyField } from '#web/ui/form/copy-field.tsx'

type MadeSecretProps = { secret: string; isNew: boolean; onCopied: () => void }

/** It cannot be shown again. */
export function MadeSecret({ secret, isNew, onCopied }: MadeSecretProps) {
  return (
    <div className="grid gap-5">
      <CopyField text={secret} label="Secret" onCopied={onCopied} />
      <ul className="grid list-disc gap-1.5 pl-4 text-sm text-soft">
        <li>It is not shown again. If it is lost, make a new one.</li>
        <li>Your server checks with it that an event is from here. Keep it like a password.</li>
        {!isNew && (
          <li>The one before signs too for {FORMER_SECRET_HOURS} hours, so nothing is missed.</li>
        )}
      </ul>
    </div>
  )
}

/** The question before it is closed without a copy. */
export const LEAVING_SECRET = {
  title: 'Close without the secret?',
  description:
    'You have not copied it. Once this is closed nobody can see it again: you would have to make a new one.',
  confirmText: 'Close without it',
}
