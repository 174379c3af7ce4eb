import type { JsonObject } from '../../lib/json.ts'
import { describeAnswer, describeOperation } from './describe-operation.ts'
import type { Api, Operation } from './operation.ts'
import { SchemaBook } from './schema-book.ts'

export interface DocumentFacts {
  /** Where callers reach the gateway, without a trailing slash. */
  readonly publicUrl: string
  readonly version: string
}

const keyScheme = 'apiKey'

/** The OpenAPI 3.1 document of some APIs that one server has. `giveWay` is awaited between two operations. */
export async function describeApis(
  apis: readonly Api[],
  { publicUrl, version }: DocumentFacts,
  giveWay: () => Promise<void>,
): Promise<JsonObject> {
  const book = new SchemaBook()
  const operations = apis.flatMap(api => api.operations.map(operation => ({ api, operation })))
  const paths: Record<string, JsonObject> = {}
  for (const { api, operation } of operations) {
    await giveWay()
    const { path, method } = operation
    paths[path] = { ...paths[path], [method]: describeOperation(operation, { api, book, keyScheme }) }
  }
  const failures = apis.flatMap(({ name, failures }) =>
    Object.entries(failures).map(([status, answer]) => [`${name}${status}`, describeAnswer(answer, book)] as const),
  )
  return {
    openapi: '3.1.0',
    info: { title: 'Inference API', version, description: introduction },
    servers: [{ url: publicUrl }],
    tags: tagsOf(operations.map(({ operation }) => operation)),
    paths,
    components: {
      securitySchemes: { [keyScheme]: { type: 'http', scheme: 'bearer', description: keyText } },
      responses: Object.fromEntries(failures),
      schemas: book.named,
    },
  }
}

const introduction =
  'Two APIs over the same models and balances. `/v1` hands on what the gateway need not understand. `/api/v1` is strict and ' +
  'refuses what it does not know. Objects of answers may get further members in later versions: ignore what you do not know.'

const keyText = 'An API key: `Authorization: Bearer <key>`. Some addresses take admin keys only; they say so.'

function tagsOf(operations: readonly Operation[]): JsonObject[] {
  return [...new Set(operations.map(({ tag }) => tag))].map(name => ({ name }))
}
