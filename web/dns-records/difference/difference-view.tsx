import { cn } from '#web/ui/cn.ts'
import { differenceOf, type Part, shortened } from './difference.ts'

/** Characters on either side of a change. */
const KEPT = 28

/** Where the value that was found differs from the one to publish; nothing where a comparison tells nothing. */
export function DifferenceView({ found, expected }: { found: string; expected: string }) {
  const parts = differenceOf(found, expected)
  if (parts === null) return null
  const has = (kind: Part['kind']) => parts.some((part) => part.kind === kind)
  return (
    <figure className="grid grid-cols-1 gap-1">
      <figcaption className="flex flex-wrap gap-x-3 text-soft text-xs">
        The difference:
        {has('extra') && (
          <span>
            <del className={cn(styles.extra, 'px-1')}>too much</del>
          </span>
        )}
        {has('missing') && (
          <span>
            <ins className={cn(styles.missing, 'px-1')}>missing</ins>
          </span>
        )}
      </figcaption>
      <p className="whitespace-pre-wrap font-mono text-xs leading-5">
        {shortened(parts, KEPT).map(({ kind, text }, at) => {
          const Tag = { same: 'span', extra: 'del', missing: 'ins' }[kind] as 'span' | 'del' | 'ins'
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is nothing but its place
            <Tag key={at} className={styles[kind]}>
              {text}
            </Tag>
          )
        })}
      </p>
    </figure>
  )
}

const styles: Record<Part['kind'], string> = {
  same: '',
  extra: 'rounded-sm bg-bad-fill/15 text-bad decoration-bad line-through',
  missing: 'rounded-sm bg-good/15 text-good decoration-good underline underline-offset-2',
}
