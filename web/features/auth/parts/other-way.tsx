/** Between the form and third-party sign-in. */
export function OtherWay() {
  return (
    <div className="my-5 flex items-center gap-3 text-soft text-xs">
      <span aria-hidden className="h-px flex-1 bg-line" />
      or
      <span aria-hidden className="h-px flex-1 bg-line" />
    </div>
  )
}
