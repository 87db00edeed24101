/** Every character of Unicode, as the `unit` of fast-check's strings. Its own one, 'binary', first takes a second to list them. */
import fc from 'fast-check'

export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    // Not the halves of characters.
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((point) => String.fromCodePoint(point))
