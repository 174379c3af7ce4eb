import type { EngineRequest, JsonObject } from '../mock-engine/engine-request.ts'

const known = new Set(['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig'])
const knownConfig = new Set([
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'stopSequences',
  'responseMimeType',
  'responseJsonSchema',
  'thinkingConfig',
])
const knownThinking = new Set(['includeThoughts', 'thinkingBudget', 'thinkingLevel'])

interface Part extends JsonObject {
  readonly functionCall?: { readonly name: string; readonly id: string }
  readonly functionResponse?: { readonly name: string; readonly id: string }
}

/** What the API would refuse in a request, in its words or nearly so; null for a good one. */
export function findProblem({ body, path }: EngineRequest): string | null {
  if (body === undefined) return 'Invalid JSON payload received.'
  const config = (body['generationConfig'] ?? {}) as JsonObject
  const thinking = (config['thinkingConfig'] ?? {}) as JsonObject
  const stranger =
    Object.keys(body).find(key => !known.has(key)) ??
    Object.keys(config).find(key => !knownConfig.has(key)) ??
    Object.keys(thinking).find(key => !knownThinking.has(key))
  if (stranger !== undefined) return `Invalid JSON payload received. Unknown name "${stranger}": Cannot find field.`
  const { contents } = body
  if (!Array.isArray(contents) || contents.length === 0)
    return '* GenerateContentRequest.contents: contents is not specified'
  return findContentProblem(contents) ?? findSignatureProblem(contents, path)
}

function findContentProblem(contents: readonly { role: string; parts: Part[] }[]): string | null {
  let open: string[] = []
  for (const [index, { role, parts }] of contents.entries()) {
    if (role !== (index % 2 === 0 ? 'user' : 'model')) return 'Please ensure that roles alternate.'
    if (!Array.isArray(parts) || parts.length === 0) return `contents[${index}].parts must not be empty`
    const answers = parts.flatMap(({ functionResponse }) => functionResponse ?? [])
    const isAnswered = answers.length === open.length && answers.every(({ name, id }) => open.includes(`${name} ${id}`))
    if (!isAnswered) return 'the number of function response parts must equal that of the function call parts'
    open = parts.flatMap(({ functionCall: call }) => (call === undefined ? [] : [`${call.name} ${call.id}`]))
  }
  return null
}

/** From version 3 on, the first call of a message has to come back signed. */
function findSignatureProblem(contents: readonly { parts: Part[] }[], path: string): string | null {
  if (!path.includes('gemini-3')) return null
  const firsts = contents.flatMap(({ parts }) =>
    parts.filter(({ functionCall }) => functionCall !== undefined).slice(0, 1),
  )
  return firsts.every(part => part['thoughtSignature'] !== undefined)
    ? null
    : 'Function call is missing a thought_signature in functionCall parts.'
}
