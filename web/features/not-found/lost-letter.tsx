/** A letter that fell beside the box. */
export function LostLetter({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 240 150" fill="none" aria-hidden className={className}>
      <path d="M20 132h200" className="stroke-line" strokeWidth="2" strokeLinecap="round" />
      <path d="M96 132V86" className="stroke-control" strokeWidth="4" strokeLinecap="round" />
      <path
        d="M58 88V58a22 22 0 0 1 22-22h50a22 22 0 0 1 22 22v30z"
        className="fill-surface stroke-control"
        strokeWidth="2"
      />
      <path d="M80 36a22 22 0 0 1 22 22v30" className="stroke-control" strokeWidth="2" />
      <path d="M68 62h22" className="stroke-ink" strokeWidth="3" strokeLinecap="round" />
      <path d="M132 58V32h14" className="stroke-accent-ink" strokeWidth="3" strokeLinecap="round" />
      <g transform="rotate(14 184 116)">
        <rect
          x="160"
          y="100"
          width="50"
          height="32"
          rx="4"
          className="fill-accent-wash stroke-accent-ink"
          strokeWidth="2"
        />
        <path
          d="m162 104 23 15 23-15"
          className="stroke-accent-ink"
          strokeWidth="2"
          strokeLinejoin="round"
        />
      </g>
    </svg>
  )
}
