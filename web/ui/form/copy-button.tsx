import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { cn } from '../cn.ts'
import { Tooltip } from '../overlay/tooltip.tsx'
import { Button } from './button.tsx'

type CopyButtonProps = {
  text: string
  /** Accessible name of the button: 'Copy value'. */
  label: string
  className?: string
}

export function CopyButton({ text, label, className }: CopyButtonProps) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (state === 'idle') return
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  const said = { idle: label, copied: 'Copied', failed: 'Copying is not allowed here' }[state]
  return (
    <>
      <Tooltip text={said}>
        <Button
          variant="quiet"
          size="iconSmall"
          aria-label={label}
          className={cn(state === 'copied' && 'text-good', className)}
          onClick={() =>
            copyText(text).then(
              () => setState('copied'),
              () => setState('failed'),
            )
          }
        >
          {state === 'copied' ? <Check aria-hidden /> : <Copy aria-hidden />}
        </Button>
      </Tooltip>
      <span role="status" className="sr-only">
        {state === 'idle' ? '' : said}
      </span>
    </>
  )
}

/** The clipboard API exists only on https and localhost; elsewhere the deprecated execCommand copies a selection. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  area.className = 'fixed -top-full'
  document.body.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (!isCopied) throw new Error('copying is not allowed')
}
