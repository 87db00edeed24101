/** The title of the document: 'Domains | Mailstead'. */
import { useEffect } from 'react'

export const PRODUCT_NAME = 'Mailstead'

export function usePageTitle(section: string): void {
  useEffect(() => {
    document.title = `${section} | ${PRODUCT_NAME}`
  }, [section])
}
