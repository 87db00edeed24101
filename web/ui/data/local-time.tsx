import { useInBrowser } from '../use-in-browser.ts'

type LocalTimeProps = {
  at: string
  format: (at: string) => string
  /** Longer, for the pointer. */
  title?: (at: string) => string
  /** As long as what will stand there: what follows does not move when it comes. */
  placeholder?: string
  className?: string
}

/** A time of day where the reader is. The server cannot know where that is and leaves its place empty, which the app fills at once. */
export function LocalTime({ at, format, title, placeholder, className }: LocalTimeProps) {
  const text = useInBrowser(() => format(at), '')
  return (
    <time dateTime={at} title={text === '' ? undefined : title?.(at)} className={className}>
      {text === '' && placeholder ? (
        <span aria-hidden className="invisible">
          {placeholder}
        </span>
      ) : (
        text
      )}
    </time>
  )
}
