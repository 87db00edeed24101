/** A letter on its way. */
export function MailSent({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 200 110" fill="none" aria-hidden className={className}>
      <path
        d="M14 84c26 12 44-4 40-20s-22-8-14 6 34 12 52 0"
        className="stroke-control"
        strokeWidth="2"
        strokeDasharray="1 6"
        strokeLinecap="round"
      />
      <g transform="rotate(-8 138 54)">
        <rect
          x="92"
          y="22"
          width="92"
          height="62"
          rx="8"
          className="fill-accent-wash stroke-accent-ink"
          strokeWidth="2"
        />
        <path
          d="m96 28 37 28a8 8 0 0 0 10 0l37-28"
          className="stroke-accent-ink"
          strokeWidth="2"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </g>
    </svg>
  )
}
