import { z } from 'zod'

export const searchError = z
  .enum(['unavailable', 'no_results', 'timeout', 'unreadable', 'disallowed', 'unsupported', 'image'])
  .describe('Why the answer goes without what was to be looked up. Nothing is charged for it then.')
