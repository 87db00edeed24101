import { createContext, type ReactNode, useContext, useId, useState } from 'react'
import { type DnsSetting, hostInZone } from '#contract/dns/setting.ts'
import { cn } from '#web/ui/cn.ts'
import { mayLiveInParentZone } from './record-text.ts'

type HostForm = 'relative' | 'full'
type Choice = {
  form: HostForm
  /** The zone that short host names leave out. */
  zone: string
  apexHost: string
  choose: (form: HostForm) => void
}

const HostFormContext = createContext<Choice>({
  ...{ form: 'full', zone: '', apexHost: '@' },
  choose: () => {},
})

type HostFormProviderProps = {
  domainName: string
  /** `undefined` while loading: then the name alone decides. */
  setting: DnsSetting | undefined
  children: ReactNode
}

/** How all tables of a page write host names: as the provider's form expects them, until the user chooses. */
export function HostFormProvider({ domainName, setting, children }: HostFormProviderProps) {
  const [chosen, choose] = useState<HostForm | null>(null)
  const zone = setting?.zone ?? null
  const isFull =
    setting?.provider?.appendsDomain === false || (zone === null && mayLiveInParentZone(domainName))
  const value = {
    form: chosen ?? (isFull ? 'full' : 'relative'),
    zone: zone ?? domainName,
    apexHost: setting?.provider?.apexHost ?? '@',
    choose,
  }
  return <HostFormContext value={value}>{children}</HostFormContext>
}

/** The host as the user enters it; '' when the field stays empty. */
export function useHost(name: string): string {
  const { form, zone, apexHost } = useContext(HostFormContext)
  const host = form === 'full' ? name : hostInZone(name, zone)
  return host === '@' ? apexHost : host
}

const forms = [
  ['relative', 'Short'],
  ['full', 'Full'],
] as const

/** Most providers expect the part before the domain, some the full name. */
export function HostSwitch() {
  const { form, zone, choose } = useContext(HostFormContext)
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
            title={value === 'relative' ? `The part before .${zone}` : `Ends in .${zone}`}
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
