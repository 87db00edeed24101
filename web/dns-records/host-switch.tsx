import { createContext, type ReactNode, useContext, useId, useState } from 'react'
import { cn } from '#web/ui/cn.ts'
import { mayLiveInParentZone } from './record-text.ts'

type HostForm = 'relative' | 'full'
type Choice = { form: HostForm; choose: (form: HostForm) => void }

const HostFormContext = createContext<Choice>({ form: 'full', choose: () => {} })

/** How hosts are written, for all tables of the wizard at once. */
export function HostFormProvider(props: { domainName: string; children: ReactNode }) {
  const { domainName, children } = props
  const [chosen, choose] = useState<HostForm | null>(null)
  const form = chosen ?? (mayLiveInParentZone(domainName) ? 'full' : 'relative')
  return <HostFormContext value={{ form, choose }}>{children}</HostFormContext>
}

export const useHostForm = (): HostForm => useContext(HostFormContext).form

const forms = [
  ['relative', 'Short'],
  ['full', 'Full'],
] as const

/** Most providers want the part before the domain, some the whole name. */
export function HostSwitch({ domainName }: { domainName: string }) {
  const { form, choose } = useContext(HostFormContext)
  const name = useId()
  return (
    <fieldset className="flex items-center gap-2.5 text-xs">
      <legend className="sr-only">How hosts are written</legend>
      <span aria-hidden className="text-soft">
        Host names
      </span>
      <div className="flex rounded-control border border-line bg-sunken p-0.5">
        {forms.map(([value, text]) => (
          <label
            key={value}
            title={
              value === 'relative' ? `The part before .${domainName}` : `Ends in .${domainName}`
            }
            className={cn(
              'cursor-pointer rounded-md px-2.5 py-1 font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent-ink',
              form === value ? 'bg-surface text-ink shadow-raised' : 'text-soft hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={form === value}
              onChange={() => choose(value)}
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
