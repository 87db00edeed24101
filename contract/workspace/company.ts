/** The company profile of a workspace: empty at first, kept by its Admins. */
import { z } from 'zod'
import * as fields from '../fields.ts'
import { route } from '../route.ts'

export const companyForm = z.strictObject({
  name: fields.companyName,
  website: fields.website.default(''),
  phone: fields.phone,
  address: fields.companyAddress,
  zipCode: fields.zipCode,
  country: fields.country,
  city: fields.city,
  timeZone: fields.timeZone,
  timeFormat: fields.timeFormat,
})

const text = z.string()

/** As it is stored: every field is empty until somebody saves the form. */
export const company = z.object({
  name: text,
  website: text,
  phone: text,
  address: text,
  zipCode: text,
  country: text,
  city: text,
  timeZone: text,
  timeFormat: text,
})
export type Company = z.infer<typeof company>

export const getCompany = route({
  method: 'GET',
  path: '/company',
  summary: 'The company profile of the workspace',
  access: 'manage-company',
  reads: ['company'],
  output: company,
  errors: [],
})

export const saveCompany = route({
  method: 'PUT',
  path: '/company',
  summary: 'Save the company profile',
  access: 'manage-company',
  changes: ['company'],
  body: companyForm,
  output: company,
  errors: [],
})
