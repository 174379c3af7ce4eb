import { z } from 'zod'

/** What `error-json.ts` writes. Some failures say more beside these, such as what is left of a balance. */
export const openAiError = z
  .object({
    error: z.looseObject({
      message: z.string().describe('For people: the field, the limit, the wait, the mend.'),
      type: z.string(),
      param: z.string().nullable().describe('The field of the request that is wrong, as a path.'),
      code: z.string().describe('For programs. An error of the engine that is handed on keeps its own.'),
    }),
  })
  .meta({ id: 'Error' })
