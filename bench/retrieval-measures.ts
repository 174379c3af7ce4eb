import { createEmbeddedProvider } from '../src/adapters/search/index/embedded-provider.ts'
import type { SearchIndex } from '../src/domain/search/search-index.ts'
import { addressOf, type labelledQuestions } from '../test/search/retrieval/labelled-questions.ts'

const depth = 5
const patienceMs = 20_000

interface RetrievalMeasures {
  readonly group: string
  readonly questions: number
  /** Parts of the questions whose page comes first, or among the first five. */
  readonly first: number
  readonly amongFive: number
}

/** Asks every question as a search does, for all languages and for each. */
export async function measureRetrieval(index: SearchIndex, questions: typeof labelledQuestions) {
  const provider = createEmbeddedProvider(index)
  const places: { language: string; question: string; place: number }[] = []
  for (const { language, question, page } of questions) {
    const wishes = { limit: depth, language: null, freshness: null }
    const answer = await provider.search(question, wishes, AbortSignal.timeout(patienceMs))
    const found = 'results' in answer ? answer.results.map(({ url }) => url) : []
    places.push({ language, question, place: found.indexOf(addressOf(page)) })
  }
  const groups = ['all', ...new Set(places.map(({ language }) => language))]
  return {
    measures: groups.map(group => measureGroup(group, placesOf(group))),
    missed: places.flatMap(({ place, question }) => (place < 0 ? [question] : [])),
  }

  function placesOf(group: string): readonly number[] {
    return places.flatMap(({ language, place }) => (group === 'all' || group === language ? [place] : []))
  }
}

function measureGroup(group: string, places: readonly number[]): RetrievalMeasures {
  const part = (test: (place: number) => boolean) => places.filter(test).length / places.length
  return { group, questions: places.length, first: part(place => place === 0), amongFive: part(place => place >= 0) }
}

export function renderRetrieval(measures: readonly RetrievalMeasures[]): string {
  const rows = measures.map(
    ({ group, questions, first, amongFive }) =>
      `${group.padEnd(6)} ${String(questions).padStart(9)}   ${first.toFixed(3)}    ${amongFive.toFixed(3)}`,
  )
  return ['group  questions  first  recall@5', ...rows].join('\n')
}
