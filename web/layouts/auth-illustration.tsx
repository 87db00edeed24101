/**
 * Picture: DNS records on the left, letters that reach a house on the right. Uses the colours of the theme, so that it fits
 * light and dark.
 */
export function AuthIllustration({ className }: { className?: string }) {
  return (
    <svg
      viewBox="0 0 720 900"
      preserveAspectRatio="xMidYMax slice"
      fill="none"
      aria-hidden
      className={className}
    >
      <circle cx="500" cy="420" r="84" className="fill-accent/6" />
      <circle cx="500" cy="420" r="52" className="fill-accent/7" />
      <path
        d="M0 640c110-60 190-58 300-18s220 26 300-22 100-30 120-26v326H0z"
        className="fill-accent/6"
      />
      <g transform="translate(86 330)">
        <Records />
        <Route />
        <House />
        <Letter x={252} y={92} turn={-9} />
        <Letter x={318} y={50} turn={6} isFaint />
      </g>
      <path d="M0 716c130-44 250-34 376-6s240 8 344-40v230H0z" className="fill-accent/7" />
      <path d="M0 806c150-40 300-26 430-8s210 4 290-20v122H0z" className="fill-accent/8" />
    </svg>
  )
}

const records = [
  { y: 176, type: 'TXT', width: 92, isDone: true },
  { y: 222, type: 'MX', width: 66, isDone: true },
  { y: 268, type: 'DKIM', width: 84, isDone: false },
]

/** Three records of a zone, two of them verified. */
function Records() {
  return (
    <g>
      <rect
        x="26"
        y="128"
        width="224"
        height="182"
        rx="16"
        className="fill-surface stroke-line"
        strokeWidth="1.5"
      />
      <circle cx="46" cy="150" r="4" className="fill-line" />
      <circle cx="60" cy="150" r="4" className="fill-line" />
      <rect x="78" y="145" width="86" height="10" rx="5" className="fill-hover" />
      {records.map((record) => (
        <Record key={record.type} {...record} />
      ))}
    </g>
  )
}

function Record({ y, type, width, isDone }: (typeof records)[number]) {
  return (
    <g>
      <path d={`M26 ${y - 8}h224`} className="stroke-line" />
      <rect x="44" y={y + 5} width="46" height="20" rx="6" className="fill-accent-wash" />
      <text
        x="67"
        y={y + 19}
        textAnchor="middle"
        className="fill-accent-ink font-semibold text-[10px]"
      >
        {type}
      </text>
      <rect x="104" y={y + 11} width={width} height="8" rx="4" className="fill-hover" />
      <circle cx="226" cy={y + 15} r="9" className={isDone ? 'fill-good-wash' : 'fill-warn-wash'} />
      {isDone ? (
        <path
          d={`m222 ${y + 15} 3 3 5-6`}
          className="stroke-good"
          strokeWidth="1.8"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ) : (
        <circle cx="226" cy={y + 15} r="2.6" className="fill-warn" />
      )}
    </g>
  )
}

function Route() {
  return (
    <path
      d="M250 214c44-6 34-96 84-112s86 40 92 104"
      className="stroke-accent-ink/60"
      strokeWidth="2"
      strokeDasharray="1 8"
      strokeLinecap="round"
    />
  )
}

type LetterProps = { x: number; y: number; turn: number; isFaint?: boolean }

function Letter({ x, y, turn, isFaint = false }: LetterProps) {
  return (
    <g transform={`translate(${x} ${y}) rotate(${turn})`} opacity={isFaint ? 0.55 : 1}>
      <rect
        width="58"
        height="40"
        rx="6"
        className="fill-surface stroke-accent-ink"
        strokeWidth="1.8"
      />
      <path
        d="m3 5 22.6 17a6 6 0 0 0 6.8 0L55 5"
        className="stroke-accent-ink"
        strokeWidth="1.8"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </g>
  )
}

/** The logo as a house: its roof is the flap of an envelope. */
function House() {
  return (
    <g>
      <path
        d="M356 262 442 198l86 64v92a10 10 0 0 1-10 10H366a10 10 0 0 1-10-10z"
        className="fill-surface stroke-accent-ink"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <path d="m356 262 86 62 86-62-86-64z" className="fill-accent/12" />
      <path
        d="m356 262 78.400 56.500a13 13 0 0 0 15.200 0L528 262"
        className="stroke-accent-ink"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      <rect
        x="404"
        y="226"
        width="76"
        height="52"
        rx="5"
        className="fill-surface stroke-line"
        strokeWidth="1.5"
      />
      <path
        d="M416 243h40M416 254h52M416 265h30"
        className="stroke-control"
        strokeWidth="2.4"
        strokeLinecap="round"
      />
      <path
        d="m356 262 78.400 56.500a13 13 0 0 0 15.200 0L528 262v92a10 10 0 0 1-10 10H366a10 10 0 0 1-10-10z"
        className="fill-surface stroke-accent-ink"
        strokeWidth="2"
        strokeLinejoin="round"
      />
    </g>
  )
}
