import { Download } from 'lucide-react'
import { QrCode } from '#web/ui/data/qr-code.tsx'
import { Button } from '#web/ui/form/button.tsx'
import { useInBrowser } from '#web/ui/use-in-browser.ts'

type ProfileStepProps = { email: string; isOnPhone: boolean }

/** Our profile for Apple Mail: downloaded here, or by a phone that scans its address. */
export function ProfileStep({ email, isOnPhone }: ProfileStepProps) {
  const path = `/apple.mobileconfig?email=${encodeURIComponent(email)}`
  const origin = useInBrowser(() => location.origin, '')
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-4">
      {isOnPhone && (
        <QrCode
          text={`${origin}${path}`}
          aria-label="QR code of the profile"
          className="max-md:hidden"
        />
      )}
      <div className="grid min-w-0 flex-1 basis-52 justify-items-start gap-3">
        <p className="text-soft text-sm">
          {isOnPhone ? (
            <>
              <span className="max-md:hidden">
                Scan the code with its camera and open the link in Safari, or open this page there.
              </span>
              <span className="md:hidden">In Safari on this phone.</span> It has all settings, and
              no password.
            </>
          ) : (
            'It has all settings, and no password.'
          )}
        </p>
        <Button asChild variant="secondary" className="max-sm:w-full">
          <a href={path}>
            <Download aria-hidden />
            Download the profile
          </a>
        </Button>
      </div>
    </div>
  )
}
