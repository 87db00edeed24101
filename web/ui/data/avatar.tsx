import { cn } from '../cn.ts'

type AvatarProps = { name: string; src?: string | null; className?: string }

const initialsOf = (name: string): string => {
  const words = name.trim().split(/\s+/).filter(Boolean)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined]
  return letters.map((word) => [...(word ?? '')][0] ?? '').join('')
}

/** A picture, or initials. Shows only pictures of our own origin, so that nothing is loaded from elsewhere. */
export function Avatar({ name, src, className }: AvatarProps) {
  const isOwn = src?.startsWith('/') && !src.startsWith('//')
  return (
    <span
      aria-hidden
      className={cn(
        'grid size-8 shrink-0 place-items-center overflow-hidden rounded-full bg-accent-wash font-semibold text-accent-ink text-xs uppercase',
        className,
      )}
    >
      {isOwn && src ? (
        <img src={src} alt="" className="size-full object-cover" />
      ) : (
        // Generated content is no text for screen readers: the name stands beside it.
        <span
          data-initials={initialsOf(name) || '?'}
          className="before:content-[attr(data-initials)]"
        />
      )}
    </span>
  )
}
