import type { CompletionScan } from '../../lib/chunk-scan.ts'
import { isJsonObject, parseJsonBytes } from '../../lib/json.ts'
import type { AnswerNames } from './answer-names.ts'

interface Edit {
  readonly start: number
  readonly end: number
  readonly insert: Buffer | null
}

/**
 * One chunk of an engine under our names, as pieces of the original bytes: `id` and `model` replaced, and `usage` cut out
 * where it does not stand alone (the caller gets usage once, in the last chunk). Everything else stays byte for byte.
 */
export function rewriteChunk(
  data: Buffer,
  scan: CompletionScan,
  names: AnswerNames,
  cutUsage: boolean,
): readonly Buffer[] {
  const { id, model, usage } = scan
  if (id === null || model === null) return [rewriteParsed(data, names, cutUsage)]
  const edits: Edit[] = [
    { start: id.valueStart, end: id.valueEnd, insert: names.idJson },
    { start: model.valueStart, end: model.valueEnd, insert: names.modelJson },
  ]
  if (cutUsage && usage !== null) edits.push({ start: usage.cutStart, end: usage.cutEnd, insert: null })
  edits.sort((left, right) => left.start - right.start)
  return applyEdits(data, edits)
}

function applyEdits(data: Buffer, edits: readonly Edit[]): readonly Buffer[] {
  const pieces: Buffer[] = []
  let at = 0
  for (const { start, end, insert } of edits) {
    pieces.push(data.subarray(at, start))
    if (insert !== null) pieces.push(insert)
    at = end
  }
  pieces.push(data.subarray(at))
  return pieces
}

/** For chunks that do not say whose they are: every chunk carries the id and the model's public name (venym.md §3). */
function rewriteParsed(data: Buffer, names: AnswerNames, cutUsage: boolean): Buffer {
  const parsed = parseJsonBytes(data)
  if (!isJsonObject(parsed)) return data
  const { usage, ...rest } = parsed
  const kept = cutUsage || usage === undefined ? rest : { ...rest, usage }
  return Buffer.from(JSON.stringify({ ...kept, id: names.completionId, model: names.modelId }))
}
