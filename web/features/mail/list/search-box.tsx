import { type RefObject, useEffect, useState } from 'react'
import { SearchInput } from '#web/ui/form/search-input.tsx'

const WAIT_MS = 250
const MAX_LENGTH = 200

type SearchBoxProps = {
  value: string
  folderName: string
  onSearch: (q: string) => void
  input: RefObject<HTMLInputElement | null>
}

/** Searches as one types, a moment after the last letter. */
export function SearchBox({ value, folderName, onSearch, input }: SearchBoxProps) {
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    // The address changed by itself: back, another folder, a cleared search.
    setShown(value)
    if (typed.trim() !== value) setTyped(value)
  }
  useEffect(() => {
    if (typed.trim() === value) return
    const timer = setTimeout(() => onSearch(typed.trim()), WAIT_MS)
    return () => clearTimeout(timer)
  }, [typed, value, onSearch])
  return (
    <SearchInput
      ref={input}
      className="min-w-0 flex-1"
      placeholder={`Search ${folderName}`}
      maxLength={MAX_LENGTH}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  )
}
