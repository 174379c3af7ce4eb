import type { z } from 'zod'
import { Problems } from './issues/problems.ts'

/** What the schema makes of a body or a query. @throws GatewayError invalid_parameters with everything that is wrong */
export function checkFields<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const problems = new Problems()
  const fields = problems.check(schema, value, [])
  if (fields === undefined || !problems.isEmpty) throw problems.toError()
  return fields
}
