import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useContext } from 'react'
import { PageRequestContext } from './first-view.ts'
import { queryClient } from './query-client.ts'

/** The client of this browser, or of the request while the server draws. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const request = useContext(PageRequestContext)
  return (
    <QueryClientProvider client={request?.queries ?? queryClient}>{children}</QueryClientProvider>
  )
}
