/** What a language says when it asks for something that changes, and when it does not. */
export interface Lexicon {
  /** Says outright that somebody shall look it up. */
  readonly asks: RegExp
  /** Speaks of the present or the last days. */
  readonly fresh: RegExp
  /** Names what has another value each day: weather, prices, scores, traffic, news. */
  readonly live: RegExp
  /** Asks who holds an office, leads a company or won something. */
  readonly holders: RegExp
  /** Asks when something comes or opens, or what is on. */
  readonly dates: RegExp
  /** Asks how things stand: whether something still is, has happened, or is allowed. */
  readonly state: RegExp
  /** Gives the model a part to play. */
  readonly roles: RegExp
  /** Tells of the person's own life. */
  readonly personal: RegExp
  /** A job that is done with what is in the prompt: to write, translate, rewrite, calculate, play. */
  readonly tasks: RegExp
  /** Asks for knowledge that does not age: how something works, what it means, why it is so. */
  readonly explains: RegExp
}

/** Any of these words or phrases as whole words, whatever their case. A `*` stands for the rest of a word. */
export function words(list: string): RegExp {
  const alternatives = phrasesOf(list).map(phrase =>
    escapeText(phrase).replaceAll('\\*', '[\\p{L}]{0,12}').replaceAll(' ', '[\\s-]+'),
  )
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'iu')
}

/** Any of these phrases wherever they stand, for languages that write no spaces. */
export function phrases(list: string): RegExp {
  return new RegExp(phrasesOf(list).map(escapeText).join('|'), 'iu')
}

/** Like `words`, at the beginning of the text or of a sentence, after whatever politeness puts before it. */
export function openings(list: string, politeness: string): RegExp {
  const polite = phrasesOf(politeness).map(escapeText).join('|')
  return new RegExp(`(?:^|[.!?:;,\\n]\\s{0,9})(?:(?:${polite})[\\s,]+){0,3}${words(list).source}`, 'iu')
}

function phrasesOf(list: string): readonly string[] {
  return list
    .split(',')
    .map(phrase => phrase.replace(/\s+/g, ' ').trim())
    .filter(phrase => phrase !== '')
}

function escapeText(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
