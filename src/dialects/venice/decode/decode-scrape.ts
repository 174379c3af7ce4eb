import { z } from 'zod'
import { checkFields } from './check-fields.ts'

/** Body of `POST /augment/scrape` (venice.md §3). */
export const scrapeBody = z.strictObject({
  url: z.string().min(1).max(2_048).describe('The address of a public page, with `http` or `https`.'),
})

/** The address. @throws GatewayError invalid_parameters */
export function decodeScrape(body: unknown): string {
  return checkFields(scrapeBody, body).url
}
