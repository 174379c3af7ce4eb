import { queryCharactersMax } from '../types.ts'

/** Words before a question that say nothing about it. */
const politeness =
  /^(?:(?:hi|hello|hey|please|thanks|ok|okay|so|well|hallo|bitte|hola|por favor|bonjour|salut|s'il (?:te|vous) plaît|你好|您好|请问?|請問?|こんにちは|すみません)[\s,!.。,、!]*)+/iu
const requests =
  /^(?:(?:can|could|would|will) you (?:please )?(?:tell me|find out|check|look up|search for|help me find)|(?:i(?:'d| would) like to|i want to) know|do you know|tell me|search (?:the web )?for|look up|google|kannst du (?:mir )?(?:bitte )?(?:sagen|nachsehen),?|weißt du,?|sag mir,?|(?:puedes|podrías) (?:decirme|buscar)|dime|peux-tu (?:me dire|chercher)|dis-moi|帮我(?:查一下|搜索一下|搜一下|查|搜)|查一下|搜索一下|告诉我|教えてください)\s*/iu
const trailing =
  /(?:[\s,]*(?:please|thanks|thank you|bitte|danke|gracias|por favor|merci|谢谢|お願いします))+[\s.!。]*$/iu

/** A few words of thanks fit into it. */
const endCharacters = 80

const sentenceEnds = /(?<=[.!?。!?;\n])\s+|(?<=[。!?])/u
const question = /[??]\s*$/u

/** A message as a query of at most 400 characters: its questions if it is long, else its beginning and its end. */
export function shorten(text: string): string {
  const plain = withoutPoliteness(text)
  if (plain.length <= queryCharactersMax) return plain
  const sentences = plain.split(sentenceEnds).map(sentence => sentence.trim())
  const questions = sentences.filter(sentence => question.test(sentence))
  // What is asked last is what is meant; what comes before says what it is about.
  const chosen = questions.length > 0 ? questions.slice(-2) : [sentences[0] ?? '', sentences.at(-1) ?? '']
  return cutAtWord([...new Set(chosen)].map(withoutPoliteness).join(' '))
}

function withoutPoliteness(text: string): string {
  const begun = text.trim().replace(politeness, '').replace(requests, '')
  // Looked for at the end only: a search from every comma to the end would take the square of a long text's time.
  const plain = `${begun.slice(0, -endCharacters)}${begun.slice(-endCharacters).replace(trailing, '')}`.trim()
  return plain === '' ? text.trim() : plain
}

/** The longest beginning that ends with a word, or within one where a single word is longer. */
export function cutAtWord(text: string): string {
  if (text.length <= queryCharactersMax) return text
  const cut = text.slice(0, queryCharactersMax).replace(/[\ud800-\udbff]$/, '')
  const lastSpace = cut.lastIndexOf(' ')
  return (lastSpace > queryCharactersMax / 2 ? cut.slice(0, lastSpace) : cut).trim()
}
