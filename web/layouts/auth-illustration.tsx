/** Letters on their way home: names resolve on the left, and the mail arrives in the house on the right. */
export function AuthIllustration({ className }: { className?: string }) {
  return <svg viewBox="0 0 520 400" fill="none" aria-hidden className={className} />
}
