import { z } from 'zod'

const charactersMax = 128
const printable = /^[\x20-\x7e]*$/

/**
 * The caller's name for its end user: trimmed, 1 to 128 printable ASCII characters without `||`, which parts it from the
 * account's id upstream. What is blank counts as absent and comes out as the empty text (venice.md §1.2).
 */
export function anonUserId() {
  return z
    .string()
    .trim()
    .max(charactersMax)
    .regex(printable, 'anon_user_id may hold printable ASCII characters only (0x20 to 0x7E)')
    .refine(id => !id.includes('||'), 'anon_user_id must not contain ||')
}
