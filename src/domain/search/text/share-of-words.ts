import { foldText, indexWords, isUnspaced, type QueryWord } from './index-words.ts'

/**
 * The part of the words that a text holds, 0 to 1. Words of scripts without spaces are looked for in the text itself, since
 * they stand in a row there exactly where they are words of it: cutting a Chinese text into its pairs takes fifty times as long.
 */
export function shareOfWords(words: readonly QueryWord[], text: string): number {
  if (words.length === 0) return 0
  const unspaced = words.filter(({ word }) => isUnspaced(word))
  const folded = foldText(text)
  const inText = unspaced.filter(({ word }) => folded.includes(word)).length
  if (unspaced.length === words.length) return inText / words.length
  const known = new Set(indexWords(text))
  return (inText + words.filter(({ word }) => !isUnspaced(word) && known.has(word)).length) / words.length
}
