import { type CitationMark, createMarkReader, type MarkReader } from '../../core/citation-marks.ts'
import type { MarkStyle, Source } from '../../core/grounding.ts'
import type { JsonObject } from '../../lib/json.ts'
import { deltaOf, isLast, mapChoices, withDelta } from './map-choices.ts'
import type { EventTransform } from './transform.ts'

/** Marks of one choice that are told; an answer with more of them is no text. */
const citationsMax = 1_000

interface CitedChoice {
  readonly reader: MarkReader
  readonly citations: JsonObject[]
}

/**
 * Tells with the end of each choice where its text names which source, in OpenAI's form. Marks that point to no source
 * and what looks like one in code, are left out of that; the text itself is not touched.
 */
export function citeSources(sources: readonly Source[], style: MarkStyle): EventTransform {
  return mapChoices(() => {
    const cited = new Map<number, CitedChoice>()
    return (choice, index) => {
      const seen = cited.get(index) ?? { reader: createMarkReader(style), citations: [] }
      cited.set(index, seen)
      const delta = deltaOf(choice)
      const { content, annotations } = delta
      if (typeof content === 'string')
        for (const mark of seen.reader.push(content)) seen.citations.push(...citationsOf(mark, sources))
      if (!isLast(choice)) return choice
      for (const mark of seen.reader.end(choice['finish_reason'] !== 'length'))
        seen.citations.push(...citationsOf(mark, sources))
      if (seen.citations.length === 0) return choice
      const own = Array.isArray(annotations) ? annotations : []
      return withDelta(choice, { ...delta, annotations: [...own, ...seen.citations.slice(0, citationsMax)] })
    }
  })
}

function citationsOf({ start, end, numbers }: CitationMark, sources: readonly Source[]): JsonObject[] {
  return numbers.flatMap(number => {
    const source = sources[number - 1]
    if (source === undefined) return []
    const { url, title } = source
    return [{ type: 'url_citation', url_citation: { url, title, start_index: start, end_index: end } }]
  })
}
