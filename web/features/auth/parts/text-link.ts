/** A link within text: underlined by colour and on hover, with a target large enough for a thumb. */
export const textLink =
  'rounded-sm py-0.5 font-medium text-accent-ink text-sm underline-offset-4 hover:underline'
