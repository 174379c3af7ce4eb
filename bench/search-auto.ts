import { judgeBySignals } from '../src/domain/search/auto/decide-search.ts'
import { readLabelledPrompts } from '../test/search/labelled-prompts.ts'
import { type Judged, measure, renderMeasures } from './search-measures.ts'

/** The year in which the labelled prompts were written: what is recent in them is recent then. */
const promptsYear = 2026

/**
 * `npx tsx bench/search-auto.ts [--tuning | --unseen] [--wrong]`: how well `auto` decides, on prompts that it was not made
 * with; `--unseen` on those of them whose mistakes nobody has looked at.
 */
const { argv } = process
const set = argv.includes('--tuning') ? 'tuning' : argv.includes('--unseen') ? 'unseen' : 'held-out'
const judged: Judged[] = readLabelledPrompts(set).map(prompt => ({
  ...prompt,
  decision: judgeBySignals([prompt.text], promptsYear),
}))
process.stdout.write(`${renderMeasures(`${set} prompts`, measure(judged))}\n`)
if (argv.includes('--wrong')) {
  for (const { text, needsSearch, decision } of judged.filter(one => one.decision.search !== one.needsSearch)) {
    const signs = decision.signals.map(({ kind, words }) => `${kind}:${words}`).join(', ')
    process.stdout.write(`${needsSearch ? 'missed' : 'needless'}  ${text}  [${signs}]\n`)
  }
}
