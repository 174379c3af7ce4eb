import { GatewayError } from '../../core/gateway-error.ts'
import type { GroundingWish } from '../../core/grounding.ts'
import { suggest } from '../../lib/edit-distance.ts'
import { isJsonObject, type JsonValue } from '../../lib/json.ts'
import { findDuplicateKey, type JsonMember, scanObject } from '../../lib/json-scan.ts'
import { duplicateKey } from '../openai/read-body.ts'
import { invalid, readBoolean } from '../openai/read-fields.ts'

const knownKeys = ['web_search', 'search_results']
const searchResultsDefault = 6
const searchResultsMax = 10

export interface VenymExtras {
  readonly grounding: GroundingWish | null
}

/**
 * Reads the `venym` object (venym.md §2.5). `online` is the suffix of the model, which wins over `web_search: false`.
 * @throws GatewayError unknown_key, invalid_value, duplicate_key
 */
export function readVenymExtras(
  value: JsonValue | undefined,
  span: { bytes: Buffer; member: JsonMember | undefined },
  online: boolean,
): VenymExtras {
  if (value === undefined || value === null) return { grounding: online ? searchFor(searchResultsDefault) : null }
  if (!isJsonObject(value)) throw invalid('venym', 'must be an object')
  if (span.member !== undefined) refuseDuplicates(span.bytes, span.member)
  for (const key of Object.keys(value)) if (!knownKeys.includes(key)) throw unknownKey(key)
  const wanted = readBoolean(value, 'web_search', 'venym.web_search') ?? false
  const results = readResults(value['search_results'])
  return { grounding: online || wanted ? searchFor(results) : null }
}

/** Whoever wants the web has the pages read that the question names; where none can be read, there is the search. */
function searchFor(results: number): GroundingWish {
  return {
    search: 'on',
    results,
    scrape: true,
    searchUnread: true,
    readResults: true,
    marks: 'brackets',
    asDocuments: false,
    withoutSearch: 'refuse',
  }
}

function readResults(value: JsonValue | undefined): number {
  if (value === undefined || value === null) return searchResultsDefault
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
    throw invalid('venym.search_results', `must be a whole number from 1 to ${searchResultsMax}`)
  }
  return Math.min(value, searchResultsMax)
}

function refuseDuplicates(bytes: Buffer, member: JsonMember): void {
  const duplicate = findDuplicateKey(scanObject(bytes, member.valueStart).members)
  if (duplicate !== null) throw duplicateKey(`venym.${duplicate}`)
}

function unknownKey(key: string): GatewayError {
  const meant = suggest(key, knownKeys)
  const hint = meant === null ? `It takes ${knownKeys.join(' and ')}.` : `Did you mean \`venym.${meant}\`?`
  return new GatewayError('unknown_key', `\`venym.${key.slice(0, 100)}\` is not known. ${hint}`, {
    param: `venym.${key.slice(0, 100)}`,
  })
}
