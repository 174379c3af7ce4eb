/** Scripts that write no spaces between words. Their words are found as pairs of characters, which needs no dictionary. */
const scripts =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー'
/** Signs of these scripts that are neither letters, digits nor marks belong to no word. */
const wordCharacter = '[\\p{L}\\p{N}\\p{M}]'
const unspaced = new RegExp(`[${scripts}]`, 'u')
/** Where scripts change, a word ends: "iPhone最新" holds two. */
const runs = new RegExp(`(?:(?=${wordCharacter})[${scripts}])+|(?:(?![${scripts}])${wordCharacter})+`, 'gu')
const accents = /[\u0300-\u036f]/g
const wordCharactersMax = 60

/** A word of a query; a prefix, which is one character of a script without spaces, also finds the words that begin with it. */
export interface QueryWord {
  readonly word: string
  readonly isPrefix: boolean
}

/**
 * The words of a text as an index keeps them: small letters without accents and plural endings, and of runs without spaces
 * every two neighbours. The last character of a run stands by itself, too, so that a query of one character finds it.
 * Documents and queries are cut in the same way, whatever the store and the version of the platform.
 */
export function indexWords(text: string): readonly string[] {
  return runsOf(text).flatMap(run => {
    if (!isUnspaced(run)) return [stem(run)]
    const characters = [...run]
    return [...pairsOf(characters), ...characters.slice(-1)]
  })
}

/** The words to look for, each once, at most `max`, without those that say nothing. */
export function queryWords(query: string, max: number): readonly QueryWord[] {
  const words = new Map<string, QueryWord>()
  const add = (word: string, isPrefix: boolean) => words.set(word, { word, isPrefix })
  for (const run of runsOf(query)) {
    if (!isUnspaced(run)) {
      if (!stopWords.has(run)) add(stem(run), false)
      continue
    }
    for (const part of sayingParts(run)) {
      const characters = [...part]
      if (characters.length === 1) add(part, true)
      for (const pair of pairsOf(characters)) add(pair, false)
    }
  }
  return [...words.values()].slice(0, max)
}

/** What joins words in Japanese is written in hiragana, and in Chinese with a few characters; all of it says nothing. */
const joints =
  /(?:什么时候|怎么办|为什么|有没有|能不能|可不可以|多少|如何|可以|[\p{Script=Hiragana}的是了吗呢吧啊哪什么怎谁请问我你和与把被几没])+/u

/** The parts between joints, those of one character only where there are no others; the run where it is nothing but joints. */
function sayingParts(run: string): readonly string[] {
  const parts = run.split(joints).filter(part => part !== '')
  const long = parts.filter(part => [...part].length > 1)
  if (long.length > 0) return long
  return parts.length > 0 ? parts : [run]
}

/** A text as its words are cut from it. */
export function foldText(text: string): string {
  return text.normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase()
}

/** Whether a word is of a script that writes no spaces between them. */
export function isUnspaced(word: string): boolean {
  return unspaced.test(word)
}

function runsOf(text: string): readonly string[] {
  return (foldText(text).match(runs) ?? []).map(run => (isUnspaced(run) ? run : run.slice(0, wordCharactersMax)))
}

function pairsOf(characters: readonly string[]): readonly string[] {
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`)
}

/**
 * Plurals of English, Spanish, French and German, and what English verbs end in, as one word with what they come from.
 * Both sides of a search are cut alike, so that a word which looks as if it were one of these is found all the same.
 */
function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const single = singular(word)
  const base = single.length < 6 ? single : single.replace(/(?<=[aeiouy][a-z]*[a-z])(?:ing|ed)$/, '')
  if (base !== single) return base.replace(/([bdgmnprt])\1$/, '$1')
  return base.length < 4 ? base : base.replace(/(?<=[a-z]{3})e$/, '')
}

function singular(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:x|ch|sh|ss|z)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

const stopWords: ReadonlySet<string> = new Set(
  `a an and are as at be by can could do does did for from get got had has have how i if in is it its many may me much my not of on
  or our should so that the their there these they this to us was we were what when where which who why will with would you your
  der die das den dem des ein eine einen einem einer und oder ist sind war was wie wer wann wo bei fur mit von zum zur im am an auf
  aus nicht ich mir mich du sich man kann darf muss soll habe hat haben hoch viel viele welche welcher welches welchen
  el la los las un una y o de del al en es son que quien como cuando donde por para con se mi tengo hay cual cuanto cuantos cuanta cuantas
  le les des du et ou est sont qui quel quelle quels quelles pour avec dans sur au aux ce cette je on il elle peut combien par ai`.split(
    /\s+/,
  ),
)
