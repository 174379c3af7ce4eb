import { guessLanguage } from '../language.ts'
import type { SearchWishes } from '../types.ts'
import { isFollowUp } from './follow-up.ts'
import { joinFollowUp } from './join-follow-up.ts'
import { leaveOut } from './leave-out.ts'
import { cutAtWord, shorten } from './shorten.ts'

/** A message of a conversation, with its text alone. */
export interface Turn {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

export interface MadeQuery extends Pick<SearchWishes, 'language' | 'freshness'> {
  /** 1 to 400 characters. */
  readonly query: string
}

/** Follow-ups of follow-ups are undone so far, which is further than people keep a subject without naming it. */
const turnsBackMax = 6

/**
 * The query that a conversation asks for: its last question, with the subject of an earlier one where it leans on that.
 * Nothing but the query is to leave; what must not is left out of it. Null where nothing is left to ask.
 */
export function makeQuery(turns: readonly Turn[]): MadeQuery | null {
  const recent = turns.slice(-turnsBackMax * 2).map(({ role, text }) => ({ role, text: leaveOut(text) }))
  const last = recent.findLastIndex(({ role }) => role === 'user')
  if (last < 0) return null
  const query = cutAtWord(questionAt(recent, last)).trim()
  if (!/[\p{L}\p{N}]/u.test(query)) return null
  return { query, language: guessLanguage(query), freshness: freshnessOf(recent[last]?.text ?? '') }
}

function questionAt(turns: readonly Turn[], at: number): string {
  const text = turns[at]?.text ?? ''
  if (!isFollowUp(text)) return shorten(text)
  const before = turns.slice(0, at)
  const earlier = before.findLastIndex(({ role }) => role === 'user')
  if (earlier < 0) return shorten(text)
  const answer = before.slice(earlier + 1).findLast(({ role }) => role === 'assistant')
  return joinFollowUp(questionAt(turns, earlier), text, answer?.text ?? null)
}

const today =
  /(?<![\p{L}])(?:today|tonight|right now|breaking|heute|gerade eben|hoy|ahora mismo|aujourd'hui)(?![\p{L}])|今天|今日|刚刚|速報/iu
const thisWeek = /(?<![\p{L}])(?:this week|diese woche|esta semana|cette semaine)(?![\p{L}])|本周|这周|今週/iu

/** Only what is said outright: a wish that is too narrow finds nothing. The weather of today is on pages of any age. */
function freshnessOf(text: string): MadeQuery['freshness'] {
  const isNews = /news|headlines|nachrichten|noticias|actualités|新闻|ニュース|breaking|速報/iu.test(text)
  if (!isNews) return null
  if (today.test(text)) return 'day'
  return thisWeek.test(text) ? 'week' : null
}
