import type { SearchDecision } from '../src/domain/search/auto/decide-search.ts'
import type { LabelledPrompt } from '../test/search/labelled-prompts.ts'

export interface Judged extends LabelledPrompt {
  readonly decision: SearchDecision
}

interface Measures {
  readonly group: string
  readonly prompts: number
  readonly precision: number
  readonly recall: number
}

/** Precision and recall of the decision to search, for all prompts and for each language. */
export function measure(judged: readonly Judged[]): readonly Measures[] {
  const languages = [...new Set(judged.map(({ language }) => language))]
  return [
    measureGroup('all', judged),
    ...languages.map(language =>
      measureGroup(
        language,
        judged.filter(one => one.language === language),
      ),
    ),
  ]
}

function measureGroup(group: string, judged: readonly Judged[]): Measures {
  const right = judged.filter(({ needsSearch, decision }) => needsSearch && decision.search).length
  const searched = judged.filter(({ decision }) => decision.search).length
  const needed = judged.filter(({ needsSearch }) => needsSearch).length
  return { group, prompts: judged.length, precision: right / searched, recall: right / needed }
}

export function renderMeasures(title: string, measures: readonly Measures[]): string {
  const rows = measures.map(
    ({ group, prompts, precision, recall }) =>
      `${group.padEnd(6)} ${String(prompts).padStart(5)}   ${precision.toFixed(3)}   ${recall.toFixed(3)}`,
  )
  return [title, 'group  prompts precision recall', ...rows].join('\n')
}
