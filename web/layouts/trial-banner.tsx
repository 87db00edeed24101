import { FlaskConical } from 'lucide-react'
import { getInstallation, settingsList } from '#contract/installation.ts'
import { useApi } from '#web/lib/api/use-api.ts'

/** They are looked up from MAIL_HOST unless they are set. */
const OTHER_IPS = ', and MAIL_IPS if mail leaves from other addresses than those of MAIL_HOST'

/** On every page of an installation that other mail servers cannot reach. */
export function TrialBanner() {
  const { data } = useApi(getInstallation, {}, { staleTime: Number.POSITIVE_INFINITY })
  if (!data || data.trial.length === 0) return null
  return (
    <p
      role="note"
      className="flex items-start gap-2.5 border-line border-b bg-accent-wash/60 px-4 py-2.5 text-sm sm:px-6 lg:px-8"
    >
      <FlaskConical className="mt-0.5 size-4 shrink-0 text-accent-ink" aria-hidden />
      <span className="text-pretty">
        {data.trial.includes('PUBLIC_URL')
          ? 'This is a trial on your own computer'
          : 'This installation is a trial'}
        : other mail servers cannot reach it under its names. For real mail its operator sets{' '}
        {settingsList(data.trial)} to public values{!data.trial.includes('MAIL_IPS') && OTHER_IPS}.
      </span>
    </p>
  )
}
