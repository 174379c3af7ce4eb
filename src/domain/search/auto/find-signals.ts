import { guessLanguage, type KnownLanguage } from '../language.ts'
import type { Lexicon } from './lexicon.ts'
import { chinese } from './lexicons/chinese.ts'
import { elsewhere } from './lexicons/elsewhere.ts'
import { english } from './lexicons/english.ts'
import { french } from './lexicons/french.ts'
import { german } from './lexicons/german.ts'
import { japanese } from './lexicons/japanese.ts'
import { spanish } from './lexicons/spanish.ts'

const lexicons: Readonly<Record<KnownLanguage, Lexicon>> = {
  en: english,
  zh: chinese,
  ja: japanese,
  es: spanish,
  de: german,
  fr: french,
}

/** Words of these languages are told apart by spaces, so that all of them can be looked for where the language is unknown. */
const spaced: readonly KnownLanguage[] = ['en', 'es', 'de', 'fr']

/** What each sign counts for a search, or against it. */
const weights = {
  address: 7,
  asks: 4,
  live: 2,
  holders: 2,
  dates: 2,
  state: 2,
  year: 2,
  fresh: 1,
  asksNow: 1,
  asksOfName: 1,
  happened: 2,
  keywords: 2,
  product: 1,
  name: 1,
  tasks: -5,
  roles: -5,
  code: -5,
  sum: -4,
  personal: -3,
  explains: -3,
} as const

type SignalKind = keyof typeof weights

/** One thing in a prompt that speaks for a search or against it, with the words that it was seen by. */
export interface Signal {
  readonly kind: SignalKind
  readonly weight: number
  readonly words: string
}

const addressPattern = /https?:\/\/[^\s"'<>`)\]]{4,}|(?<![\w@./-])www\.[\w-]+\.[^\s"'<>`)\]]{2,}/i
const codePattern =
  /```|=>|;\s*$|\{\s*\w|\w\(\)|<\/\w+>|\b(?:const|function|def|import|class|SELECT)\b[^.?!]{0,40}[({=*]/m
/** Two amounts and a unit or sign between them, or a named operation: something to work out, not to look up. */
const sumPattern =
  /\b\d+(?:[.,]\d+)?\s*(?:%|€|\$|euros?|dollars?|ohms?|ohmios|volt\w*|voltios|degrees|m\/s|円|元|万|kg|km|度)[^?]*\b\d+|square root|\d\s*[×x*÷/^+]\s*\d|\d\s*(?:fois|mal|por|times)\s+\d|factorial/i
/** A name with a number, as products and versions have it. */
const productPattern =
  /(?<![\p{L}\p{N}])\p{Lu}[\p{L}]+ ?(?:\p{Lu} ?)?\d{1,3}(?:\.\d+)?(?![\p{L}\p{N}%€$°.]|\s?(?:euros?|km|kg|°))/u
/** A capital within a sentence, or Latin letters within a text of another script. */
const namePattern =
  /(?<=[\p{Ll}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana},'’][ ]?)\p{Lu}[\p{L}]{2,}|《[^》]{1,30}》/u
/** What people type into a search box: a few words, no sentence. */
const keywordsPattern = /^[^.?!:;,¿¡?!。、:"「」\n]{3,60}$/u
/** Where no spaces stand between words, only nouns are keywords: these characters make a sentence. */
const sentencePattern = /[\p{Script=Hiragana}](?<![のとや])|[了吗呢吧怎么什哪请把帮给为写用你我]|介绍|翻译/u
/** Asks something: by its mark, or by how it ends in languages that need none. */
const questionPattern = /[?？]\s*$|(?:吗|呢|没有|没|ですか|ますか)[。\s]*$/u
/** Whether something has happened to somebody or something that is named. */
const happenedPattern =
  /(?:^|[.!?]\s+)(?:Has|Have) (?:the )?\p{Lu}|^¿?(?:Ya )?(?:[Ss]e )?(?:[Hh]an?|\p{Lu}\p{L}+ ha) \p{L}+[ai]do(?!\p{L})|^(?:Hat|Haben|Ist|Sind|Wurden?) [^.!?]{3,80}\p{L}+(?:t|en)\s?\?$|-t-(?:il|elle) (?:été )?\p{L}+(?:é|i|u|is|it)e?s?(?!\p{L})|(?:した|された|なった|終わった|決まった)[?？]$|了(?:吗|没|没有)[?？]?$/u
const wordsMax = 40

/** The signs in a text, in the language that it seems to be written in. `nowYear` makes a year recent or not. */
export function findSignals(text: string, nowYear: number): readonly Signal[] {
  const language = guessLanguage(text)
  const used = [...(language === null ? spaced : [language]).map(one => lexicons[one]), elsewhere]
  const kinds = [
    'asks',
    'fresh',
    'live',
    'holders',
    'dates',
    'state',
    'roles',
    'personal',
    'tasks',
    'explains',
  ] as const
  const found = kinds.flatMap(kind => {
    const match = used.map(lexicon => lexicon[kind].exec(text)).find(result => result !== null)
    return match === undefined || match === null ? [] : [signal(kind, match[0])]
  })
  const years = recentYears(text, nowYear).map(year => signal('year', year))
  const patterns = patternSignals(text)
  return [...patterns, ...years, ...found, ...questionSignals(text, [...patterns, ...found], language)]
}

/** The same words count for more in a question. German writes every noun as if it were a name. */
function questionSignals(text: string, seen: readonly Signal[], language: KnownLanguage | null): readonly Signal[] {
  if (!questionPattern.test(text)) return []
  const has = (sought: SignalKind) => seen.some(({ kind }) => kind === sought)
  const ofName = has('name') && language !== 'de' ? [signal('asksOfName', '?')] : []
  return has('fresh') ? [signal('asksNow', '?'), ...ofName] : ofName
}

function patternSignals(text: string): readonly Signal[] {
  const patterns = [
    ['address', addressPattern],
    ['code', codePattern],
    ['sum', sumPattern],
    ['product', productPattern],
    ['name', namePattern],
    ['keywords', keywordsPattern],
    ['happened', happenedPattern],
  ] as const
  return patterns.flatMap(([kind, pattern]) => {
    const match = pattern.exec(text)
    if (match === null || (kind === 'keywords' && sentencePattern.test(text))) return []
    return [signal(kind, match[0])]
  })
}

/** The first year from last year on; what is further ahead than three years is more likely another number. */
function recentYears(text: string, nowYear: number): readonly string[] {
  const years = [...text.matchAll(/(?<![\d-])20\d\d(?!\d)/g)].map(([year]) => year)
  const recent = years.find(year => Number(year) >= nowYear - 1 && Number(year) <= nowYear + 3)
  return recent === undefined ? [] : [recent]
}

function signal(kind: SignalKind, words: string): Signal {
  return { kind, weight: weights[kind], words: words.trim().slice(0, wordsMax) }
}
