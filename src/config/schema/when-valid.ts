import type { z } from 'zod'

/**
 * Lets a rule about several fields of an object run as soon as these fields are right, whatever is wrong elsewhere in
 * it: so that an operator sees all problems at once. Without it, a rule waits until the whole object is right.
 */
export function whenValid(...fields: readonly string[]) {
  return ({ value, issues }: z.core.ParsePayload): boolean => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    return !issues.some(issue => fields.includes(String(issue.path?.[0])))
  }
}
