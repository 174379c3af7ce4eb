import { guessLanguage } from '../language.ts'

const spacedWordsMax = 8
const unspacedCharactersMax = 16

/** How a question begins that goes on with the last one. */
const connectors =
  /^[\s¿¡"']*(?:and|what about|how about|or|also|same for|und|was ist mit|wie sieht es|oder|auch|y|e|qué tal|qué hay de|o|et|et pour|ou|aussi|那么?|那|还有|呢|それで?|じゃあ|では|あと)(?![\p{L}])|^(?:那|还有|それ|じゃあ|では|あと)|呢[?？]?$/iu

/** Words that stand for something which was said before. */
const pronouns =
  /(?<![\p{L}])(?:it|its|they|them|their|he|him|his|she|her|this one|that one|there|those|these|él|ella|ellos|eso|esa|ese|allí|er|ihn|ihm|dort|davon|dazu|sein|ihr|il|elle|lui|leur|ça|cela|y)(?![\p{L}])|[它他她]|那里|那个|这个|それ|あれ|そこ|彼/iu

/** Whether a question is short and says only with the one before it what it is about. */
export function isFollowUp(text: string): boolean {
  const trimmed = text.trim()
  return trimmed !== '' && isShort(trimmed) && (connectors.test(trimmed) || pronouns.test(trimmed))
}

/** Whether something in it stands for what was said before, such as "he". */
export function hasPronoun(text: string): boolean {
  return pronouns.test(text)
}

/** The question without the word that ties it to the last one. */
export function withoutConnector(text: string): string {
  return text.trim().replace(connectors, ' ').trim()
}

function isShort(text: string): boolean {
  const language = guessLanguage(text)
  if (language === 'zh' || language === 'ja') return text.length <= unspacedCharactersMax
  return text.split(/\s+/).length <= spacedWordsMax
}
