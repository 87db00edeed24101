/** Pages of the lists for operators: a cursor is how many rows stand before. */
export type Page = { limit: number; cursor?: string | undefined }

const MAX_OFFSET = 10_000_000

export const pageOf = async <Row>(
  { limit, cursor = '0' }: Page,
  read: (range: { offset: number; limit: number }) => Promise<Row[]>,
): Promise<{ items: Row[]; nextCursor: string | null }> => {
  const offset = /^\d{1,8}$/.test(cursor) ? Math.min(Number(cursor), MAX_OFFSET) : 0
  const rows = await read({ offset, limit: limit + 1 })
  const items = rows.slice(0, limit)
  return { items, nextCursor: rows.length > limit ? String(offset + limit) : null }
}
