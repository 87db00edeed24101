import { Outlet } from 'react-router'
import { TooltipProvider } from '#web/ui/overlay/tooltip.tsx'
import { Toaster } from './toaster.tsx'

/** Around every page: what is shown above all of them. */
export function RootLayout() {
  return (
    <TooltipProvider>
      <Outlet />
      <Toaster />
    </TooltipProvider>
  )
}
