import { Bell, BellOff, BellRing } from 'lucide-react'
import { Button } from '#web/ui/form/button.tsx'
import type { NotifyState } from './use-notifications.ts'

type NotifyButtonProps = { state: NotifyState; onTurn: (isOn: boolean) => void }

const style = 'w-full justify-start gap-2.5 px-2.5 font-normal'

export function NotifyButton({ state, onTurn }: NotifyButtonProps) {
  if (state === 'none') return null
  if (state === 'blocked')
    return (
      <p className="flex gap-2.5 px-2.5 py-1.5 text-soft text-xs">
        <BellOff className="mt-0.5 size-4 shrink-0" aria-hidden />
        Notifications are blocked for this site in the settings of the browser.
      </p>
    )
  const isOn = state === 'on'
  const Icon = isOn ? BellRing : Bell
  return (
    <Button variant="quiet" className={style} aria-pressed={isOn} onClick={() => onTurn(!isOn)}>
      <Icon aria-hidden />
      {isOn ? 'Notifications on' : 'Notify of new mail'}
    </Button>
  )
}
