import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface LabelledPrompt {
  readonly language: string
  readonly needsSearch: boolean
  readonly text: string
}

const folder = import.meta.dirname
const files = { tuning: 'labelled-prompts.tuning.tsv', 'held-out': 'labelled-prompts.held-out.tsv' }
/** Of the prompts held out; the mistakes with those before them have been looked at. */
const unseenFrom = 120

/**
 * Prompts with the answer that people would give. A line each: language, yes or no, prompt. Lines come in pairs, one that
 * needs a search and one that looks alike or uses the same words and does not. The rules of `auto` were made with the
 * prompts for tuning; those held out were written before the rules that they measure, which are not fitted to them.
 */
export function readLabelledPrompts(set: 'tuning' | 'held-out' | 'unseen'): readonly LabelledPrompt[] {
  if (set === 'unseen') return readLabelledPrompts('held-out').slice(unseenFrom)
  const lines = readFileSync(join(folder, files[set]), 'utf8').trimEnd().split('\n')
  return lines.map((line, at) => {
    const [language = '', answer, text = ''] = line.split('\t')
    if ((answer !== 'yes' && answer !== 'no') || text === '') throw new Error(`line ${at + 1} has no label`)
    return { language, needsSearch: answer === 'yes', text }
  })
}
