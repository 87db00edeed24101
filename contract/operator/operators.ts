/** Who operates this installation (decision 104): rights over it as a whole, and none to read mail. */
import { z } from 'zod'
import { PASSWORDS_DIFFER, samePassword, signedIn } from '../auth.ts'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

export const firstOperatorForm = z
  .strictObject({
    firstName: fields.firstName,
    lastName: fields.lastName,
    email: fields.emailAddress,
    password: fields.newPassword,
    confirmPassword: fields.confirmNewPassword,
    session: fields.linkToken,
  })
  .refine((form) => form.password === form.confirmPassword, samePassword(PASSWORDS_DIFFER))

export const openFirstLink = route({
  name: 'openFirstLink',
  method: 'POST',
  path: '/operator/first/open',
  summary: "Whether the link from the installation's terminal still works",
  access: 'anyone',
  changes: [],
  body: fields.mailedLink,
  output: z.object({ type: z.literal('OPEN') }),
  errors: ['INVALID_SIGNATURE'],
})

export const makeFirstOperator = route({
  name: 'makeFirstOperator',
  method: 'POST',
  path: '/operator/first',
  summary: "Make the operator's account by the link from the installation's terminal",
  access: 'anyone',
  changes: ['session'],
  body: firstOperatorForm,
  output: signedIn,
  errors: ['INVALID_SIGNATURE', 'USER_ALREADY_EXISTS'],
  status: 201,
})
