import { Check, Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { cn } from '../cn.ts'
import { Button } from './button.tsx'
import { copyText } from './copy-button.tsx'
import { Input } from './field.tsx'

type CopyFieldProps = {
  text: string
  /** What it is: 'Link'. */
  label: string
  /** Also when the text was copied by the keyboard. */
  onCopied?: (() => void) | undefined
  className?: string
}

/** A text that is shown once, selected, with a large button that copies it. */
export function CopyField({ text, label, onCopied, className }: CopyFieldProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const copy = () =>
    copyText(text).then(
      () => {
        setState('copied')
        onCopied?.()
      },
      () => setState('failed'),
    )
  const noun = label.toLowerCase()
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap gap-2">
        <Input
          ref={field}
          readOnly
          aria-label={label}
          value={text}
          className={cn('min-w-0 flex-1 basis-56 font-mono text-xs', className)}
          onFocus={(event) => event.currentTarget.select()}
          onCopy={onCopied}
        />
        <Button onClick={copy} className="max-sm:w-full">
          {state === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />}
          {state === 'copied' ? 'Copied' : `Copy ${noun}`}
        </Button>
      </div>
      <p role="status" className={state === 'failed' ? 'text-bad text-xs' : 'sr-only'}>
        {state === 'failed' && `Copying is not allowed here. Select the ${noun} and copy it.`}
        {state === 'copied' && 'Copied'}
      </p>
    </div>
  )
}
