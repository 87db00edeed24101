import { Spinner } from '#web/ui/state/spinner.tsx'

/** While the app does not yet know who is there. Appears late, so that quick starts show nothing. */
export function Splash() {
  return (
    <div className="grid min-h-dvh place-items-center text-soft">
      <div role="status" className="flex animate-late items-center gap-2.5 text-sm">
        <Spinner />
        Loading...
      </div>
    </div>
  )
}
