import { documentFor, ownUrl } from './document.ts'
import { findOperation } from './find-operation.ts'
import { closed, createSchemaJudge, type OpenApiDocument, type Place } from './schema-judge.ts'

/** One exchange with a gateway, as far as the document has a say in it. */
export interface Exchange {
  readonly method: string
  readonly path: string
  readonly requestBody: string | null
  readonly status: number
  readonly contentType: string
  /** The body, as far as it came. */
  readonly text: string
}

/** Longer ones are made by tests of bounds, and nothing new stands in them. */
const textCharactersMax = 1_048_576
const answerCharactersMax = 8_388_608
const undescribed = new Set(['HEAD', 'OPTIONS'])

const document = (await documentFor(ownUrl)) as OpenApiDocument
/** Answers hold nothing that the document does not name; requests may. */
const answers = createSchemaJudge(closed(document) as object)
const requests = createSchemaJudge(document)

/** Where an answer, or a request that was taken, is not what `/openapi.json` says, in words. */
export function judgeExchange(exchange: Exchange): readonly string[] {
  const { method, path, status, text } = exchange
  if (undescribed.has(method) || text.length > answerCharactersMax) return []
  const found = findOperation(document, method, path)
  const isOurs = /^\/(api\/)?v1\//.test(path)
  if (found === null || found.operation === null) {
    return isOurs && status < 300 ? [`${method} ${path} is not in /openapi.json`] : []
  }
  const place = ['paths', found.path, found.method]
  return [...judgeAnswer(exchange, place, found.operation), ...judgeRequest(exchange, place, found.operation)].map(
    problem => `${method} ${path} ${status}: ${problem}`,
  )
}

type Operation = OpenApiDocument['paths'][string][string]

function judgeAnswer({ status, contentType, text }: Exchange, place: Place, { responses }: Operation): string[] {
  const name = [String(status), `${String(status)[0]}XX`].find(candidate => candidate in responses)
  if (name === undefined) return ['the status is not described']
  const { $ref } = responses[name] ?? {}
  const at = $ref === undefined ? [...place, 'responses', name] : $ref.slice(2).split('/')
  const content =
    $ref === undefined ? responses[name]?.content : document.components.responses[at.at(-1) ?? '']?.content
  const type = contentType.split(';')[0] ?? ''
  if (content === undefined || !(type in content)) return [`the type ${type} is not described`]
  if (type === 'text/csv') return []
  const schema = [...at, 'content', type, 'schema']
  const parts = type === 'text/event-stream' ? eventsOf(text) : [text]
  return parts
    .filter(part => part.length <= textCharactersMax)
    .flatMap(part => answers.judge(schema, JSON.parse(part)).map(problem => `${problem} in ${part.slice(0, 2_000)}`))
}

/** The data of the events that came whole, but the last one's, which is no JSON. */
function eventsOf(text: string): string[] {
  const events = text.split('\n\n').slice(0, -1)
  return events.filter(event => event.startsWith('data: ') && event !== 'data: [DONE]').map(event => event.slice(6))
}

/** What was taken fits what is said to be taken. */
function judgeRequest(
  { status, requestBody }: Exchange,
  place: Place,
  { requestBody: described }: Operation,
): string[] {
  const isJson = described !== undefined && 'application/json' in described.content
  const isJudged = status < 300 && requestBody !== null && requestBody !== '' && isJson
  if (!isJudged || requestBody.length > textCharactersMax) return []
  return requests
    .judge([...place, ...bodySchema], JSON.parse(requestBody))
    .slice(0, 20)
    .map(problem => `${problem} in the request ${requestBody.slice(0, 2_000)}`)
}

const bodySchema = ['requestBody', 'content', 'application/json', 'schema']

/** What is wrong with the body of a POST, as the document has it. */
export function judgeRequestBody(path: string, body: object): readonly string[] {
  return requests.judge(['paths', path, 'post', ...bodySchema], body)
}
