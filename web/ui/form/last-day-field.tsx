import { InputField, type InputFieldProps } from './field.tsx'

/** The last day of what ends by itself; empty: it stays. */
export function LastDayField(props: Omit<InputFieldProps, 'type' | 'className'>) {
  return <InputField {...props} type="date" className="basis-44" />
}
