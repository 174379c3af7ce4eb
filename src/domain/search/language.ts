/** Languages whose words the gateway knows, as ISO 639-1 names them. */
export type KnownLanguage = 'en' | 'zh' | 'ja' | 'es' | 'de' | 'fr'

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const han = /\p{Script=Han}/u

/** The commonest words of each language that no other of them has. */
const commonWords: readonly (readonly [KnownLanguage, ReadonlySet<string>])[] = [
  [
    'en',
    setOf(
      'the of and is are what how who when where why does did which this that with for from my you it to in has have been any there do can at on by his her was were about best',
    ),
  ],
  [
    'es',
    setOf(
      'el los las del qué que cómo quién cuándo dónde cuánto cuántos por para con una este esta ha hay más y son mi mis al cuál dónde sobre desde hasta muy pero como puedo hoy se lo',
    ),
  ],
  [
    'de',
    setOf(
      'der die das den dem ein eine einen und ist sind was wie wer wann wo warum welche für mit von zum zur nicht ich mir gibt hat im wird gab es bei nach auf noch schon aus zur einem einer kann man oder am um',
    ),
  ],
  [
    'fr',
    setOf(
      'le les des du un une et est sont que quoi comment qui quand où pourquoi quel quelle quels pour avec dans sur au aux ce cette je elle il vous nous ma mon mes par est-ce faut ils été plus',
    ),
  ],
]

const wordsMax = 60

/** The language of a text by its script and its commonest words; null when neither decides. */
export function guessLanguage(text: string): KnownLanguage | null {
  if (kana.test(text)) return 'ja'
  if (han.test(text)) return 'zh'
  const words = text.toLowerCase().split(/[^\p{L}]+/u, wordsMax)
  const counts = commonWords.map(([language, common]) => {
    const accents = language === 'es' && /[¿¡ñ]/.test(text) ? 2 : language === 'de' && /[äöüß]/i.test(text) ? 1 : 0
    return { language, count: words.filter(word => common.has(word)).length + accents }
  })
  const [best, second] = counts.toSorted((left, right) => right.count - left.count)
  if (best === undefined || best.count === 0 || best.count === second?.count) return null
  return best.language
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}
