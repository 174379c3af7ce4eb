import { guessLanguage } from '../language.ts'
import { hasPronoun, withoutConnector } from './follow-up.ts'

const year = /(?<!\d)(?:19|20)\d\d(?!\d)/g
const times =
  /(?<![\p{L}])(?:today|yesterday|tomorrow|last (?:week|month|year|night)|this (?:week|month|year)|heute|gestern|morgen|dieses jahr|letztes jahr|hoy|ayer|mañana|este año|aujourd'hui|hier|demain|cette année)(?![\p{L}])|今天|昨天|明天|今年|去年|今日|昨日|明日|昨年/giu
const preposition = /^(?:in|for|of|at|from|with|to|by|en|de|para|für|von|bei|mit|nach|pour|à|au|chez)\s+/iu
/** A name: a capital that does not begin the sentence, and the capitals that follow. */
const names = /(?<=[\p{Ll},] )\p{Lu}[\p{L}\p{N}.-]*(?: \p{Lu}[\p{L}\p{N}.-]*)*/gu
const onlyName = /^\p{Lu}[\p{L}\p{N}.-]*(?: \p{Lu}[\p{L}\p{N}.-]*){0,3}$/u
const nameCharactersMax = 60

/**
 * One question out of two: the subject of the earlier one with what the follow-up changes. "Who won the Nobel Prize in
 * 2023?" and "and in 2024?" make "Who won the Nobel Prize in 2024". `answer` is what the model said between; of it only
 * the first name is used, and only where the follow-up has a word such as "he".
 */
export function joinFollowUp(subject: string, followUp: string, answer: string | null): string {
  const change = withoutConnector(followUp)
    .replace(/[?？.!。]+$/u, '')
    .trim()
  const base = subject.replace(/[?？.!。]+$/u, '').trim()
  if (change === '') return base
  const replaced = replaceTime(base, change) ?? replaceName(base, change)
  if (replaced !== null) return replaced
  const name = hasPronoun(followUp) ? nameIn(answer) : null
  const isKnown = name === null || base.includes(name)
  return isKnown ? `${change} ${base}` : `${change} ${name} ${base}`
}

/** A follow-up that only names another time takes the place of the time. */
function replaceTime(base: string, change: string): string | null {
  const bare = change
    .replace(preposition, '')
    .replace(/[年はの呢]+$/u, '')
    .trim()
  for (const pattern of [year, times]) {
    const [given] = bare.match(pattern) ?? []
    if (given === undefined || bare.replace(pattern, '').trim() !== '') continue
    const [known] = base.match(pattern) ?? []
    if (known !== undefined) return base.replace(known, given)
    return `${base.replace(times, '').replace(/\s+/g, ' ').trim()} ${given}`
  }
  return null
}

/** A follow-up that only names another name takes the place of the last one, where names can be told from other words. */
function replaceName(base: string, change: string): string | null {
  const bare = change.replace(preposition, '').trim()
  if (!onlyName.test(bare) || guessLanguage(base) === 'de') return null
  const known = [...base.matchAll(names)].at(-1)
  if (known === undefined) return null
  return `${base.slice(0, known.index)}${bare}${base.slice(known.index + known[0].length)}`
}

function nameIn(answer: string | null): string | null {
  const start = (answer ?? '').slice(0, 400)
  const [first] = start.match(/\p{Lu}[\p{L}.-]+(?: \p{Lu}[\p{L}.-]+){1,3}/u) ?? start.match(names) ?? []
  return first === undefined || first.length > nameCharactersMax ? null : first
}
