import type { OperatorAction } from '#contract/operator/actions.ts'
import type { Table } from './answers.ts'

export const actionTable = (items: readonly OperatorAction[]): Table => ({
  head: ['at', 'operator', 'did', 'to', 'detail'],
  rows: items.map((each) => [
    ...[new Date(each.at), each.operator, each.verb, each.subject, each.detail],
  ]),
  none: 'No act of an operator.',
})
