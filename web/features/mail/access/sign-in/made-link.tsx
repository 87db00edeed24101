import { Check, Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { makeAccessLink } from '#contract/mail/access.ts'
import type { Output } from '#contract/route.ts'
import { formatMoment } from '#web/lib/format.ts'
import { Button } from '#web/ui/form/button.tsx'
import { copyText } from '#web/ui/form/copy-button.tsx'
import { Input } from '#web/ui/form/input.tsx'

/** It cannot be shown again: what is kept of it is a hash. */
export function MadeLink({ made }: { made: Output<typeof makeAccessLink> }) {
  const { link, mailedTo, expiresAt } = made
  const until = `It works once, until ${formatMoment(expiresAt)}.`
  if (link === null)
    return (
      <p role="status" className="wrap-anywhere text-sm">
        The link is on its way to <span className="font-medium">{mailedTo}</span>. {until}
      </p>
    )
  return (
    <div className="grid gap-4">
      <CopyField link={link} />
      <p className="text-soft text-sm">
        {until} It is not shown again. Anyone who has it can read the mailbox, so give it only to
        its owner.
      </p>
    </div>
  )
}

function CopyField({ link }: { link: string }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const copy = () =>
    copyText(link).then(
      () => setState('copied'),
      () => setState('failed'),
    )
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap gap-2">
        <Input
          ref={field}
          readOnly
          aria-label="Link"
          value={link}
          className="min-w-0 flex-1 basis-56 font-mono text-xs"
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button onClick={copy} className="max-sm:w-full">
          {state === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />}
          {state === 'copied' ? 'Copied' : 'Copy link'}
        </Button>
      </div>
      <p role="status" className={state === 'failed' ? 'text-bad text-xs' : 'sr-only'}>
        {state === 'failed' && 'Copying is not allowed here. Select the link and copy it.'}
        {state === 'copied' && 'Copied'}
      </p>
    </div>
  )
}
