/** How many bytes of messages that clients are sending this process keeps at once. */
export type LiteralRoom = {
  /** false: there is no room for so many now. */
  take(bytes: number): boolean
  giveBack(bytes: number): void
}

export const openLiteralRoom = (mostBytes: number): LiteralRoom => {
  let taken = 0
  return {
    take: (bytes) => {
      // One message always has room.
      if (taken > 0 && taken + bytes > mostBytes) return false
      taken += bytes
      return true
    },
    giveBack: (bytes) => {
      taken -= bytes
    },
  }
}
