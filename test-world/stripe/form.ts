/** Bodies as Stripe's clients send them: `line_items[0][price_data][currency]=usd`. */
export type Form = { [key: string]: string | Form }

export const readForm = (text: string): Form => {
  const form: Form = {}
  for (const [name, value] of new URLSearchParams(text))
    put(form, name.match(/[^[\]]+/g) ?? [], value)
  return form
}

const put = (form: Form, [first = '', ...rest]: string[], value: string): void => {
  if (rest.length === 0) form[first] = value
  else {
    const inner = part(form, first)
    form[first] = inner
    put(inner, rest, value)
  }
}

export const text = (form: Form, key: string): string => {
  const value = form[key]
  return typeof value === 'string' ? value : ''
}

export const part = (form: Form, key: string): Form => {
  const value = form[key]
  return typeof value === 'object' ? value : {}
}
