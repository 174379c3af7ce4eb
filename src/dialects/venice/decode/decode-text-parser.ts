import { z } from 'zod'
import { checkFields } from './check-fields.ts'

/** The form of `POST /augment/text-parser`, beside its file; what else it holds is ignored (venice.md §3). */
const fieldsSchema = z.object({
  file: z.unknown().refine(file => file !== null, 'Required'),
  response_format: z.enum(['json', 'text']).default('json'),
})

/** As the API describes it: a file is bytes. */
export const textParserForm = z.object({
  file: z.string().meta({ format: 'binary' }).describe('The document, at most 25 MB.'),
  response_format: z.enum(['json', 'text']).default('json').describe('`text` answers with the text alone.'),
})

interface SentForm<File> {
  readonly file: File | null
  readonly fields: ReadonlyMap<string, string>
}

/** The file and the form of its text. @throws GatewayError invalid_parameters */
export function decodeTextParser<File>({ file, fields }: SentForm<File>) {
  const { response_format: format } = checkFields(fieldsSchema, {
    file,
    response_format: fields.get('response_format'),
  })
  if (file === null) throw new TypeError('the table lets no form without a file through')
  return { file, format }
}
