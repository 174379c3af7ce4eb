import type { z } from 'zod'
import type { JsonObject } from '../../lib/json.ts'
import type { Answer, Api, Operation, Texts } from './operation.ts'
import type { SchemaBook } from './schema-book.ts'

interface Place {
  readonly api: Api
  readonly book: SchemaBook
  /** The name of the security scheme that keys have. */
  readonly keyScheme: string
}

/** An Operation Object of OpenAPI. */
export function describeOperation(operation: Operation, { api, book, keyScheme }: Place): JsonObject {
  const { id, tag, summary, access, body, answers, failures } = operation
  const answered = Object.entries(answers).map(([status, answer]) => [status, describeAnswer(answer, book)] as const)
  const failed = failures.map(status => [status, { $ref: `#/components/responses/${api.name}${status}` }] as const)
  const parameters = parametersOf(operation, book)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(access === 'admin' ? { description: 'Takes admin keys only.' } : {}),
    security: access === 'public' ? [] : [{ [keyScheme]: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            required: body.required,
            content: contentOf({ [body.mediaType ?? 'application/json']: body.schema }, book),
          },
        }),
    responses: Object.fromEntries([...answered, ...failed]),
  }
}

/** A Response Object of OpenAPI. */
export function describeAnswer({ description, headers = {}, content }: Answer, book: SchemaBook): JsonObject {
  return {
    description,
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, headerOf(text)])),
    content: contentOf(content, book),
  }
}

function headerOf(description: string): JsonObject {
  return { description, schema: { type: 'string' } }
}

function contentOf(content: Answer['content'], book: SchemaBook): JsonObject {
  return Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema: book.describe(schema) }]))
}

function parametersOf({ variables = {}, query, headers = {} }: Operation, book: SchemaBook): JsonObject[] {
  return [...textParameters('path', variables), ...queryParameters(query, book), ...textParameters('header', headers)]
}

function textParameters(place: 'path' | 'header', texts: Texts): JsonObject[] {
  return Object.entries(texts).map(([name, description]) => ({
    ...{ name, in: place, required: place === 'path', description, schema: { type: 'string' } },
  }))
}

/** Whatever an address is asked with, it has an answer without it. */
function queryParameters(query: z.ZodObject | undefined, book: SchemaBook): JsonObject[] {
  if (query === undefined) return []
  const { properties = {} } = book.describe(query)
  return Object.entries(properties as JsonObject).map(([name, schema]) => ({
    ...{ name, in: 'query', required: false, schema: schema ?? {} },
  }))
}
