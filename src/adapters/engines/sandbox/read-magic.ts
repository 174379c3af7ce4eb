import { suggest } from '../../../lib/edit-distance.ts'
import { RequestRefused } from '../request-refused.ts'
import { isMagicName, type Magic, magicInputs } from './magic-inputs.ts'

/** Not within a path or a word, so that the model's own id in a text is none. */
const spelled = /(?<![\w/.-])sandbox:([a-z_][\w-]*)(?:=([\w.-]*\w)?)?/gi

const nameCharactersMax = 64

export interface FoundMagic {
  readonly magic: Magic
  /** The text without the magic inputs. */
  readonly rest: string
}

/** Finds the magic inputs in a text. @throws RequestRefused for one that is unknown, wrong, or there twice */
export function readMagic(text: string): FoundMagic {
  const found = new Map<string, string | number | true>()
  for (const [, name = '', value = ''] of text.matchAll(spelled)) {
    if (found.has(name)) throw refuse('invalid_magic_input', `\`${name}\` is there twice`)
    found.set(name, readValue(name, value))
  }
  if (found.has('retry-after') && !found.has('status'))
    throw refuse('invalid_magic_input', '`retry-after` needs a `status` beside it')
  const rest = found.size === 0 ? text : text.replace(spelled, '').trim()
  return { magic: Object.fromEntries(found) as Magic, rest }
}

function readValue(name: string, text: string): string | number | true {
  if (!isMagicName(name)) throw unknown(name)
  const { syntax, read } = magicInputs[name]
  const value = read(text)
  if (value !== null) return value
  throw refuse('invalid_magic_input', `\`${name}\` ${syntax === '' ? 'takes no value' : `must be ${name}=${syntax}`}`)
}

function unknown(name: string): RequestRefused {
  const shown = name.slice(0, nameCharactersMax)
  const names = Object.keys(magicInputs)
  const meant = suggest(shown, names)
  const hint = meant === null ? `there are ${names.join(', ')}` : `did you mean \`${meant}\`?`
  return refuse('unknown_magic_input', `\`${shown}\` is not known; ${hint}`)
}

function refuse(code: string, problem: string): RequestRefused {
  return new RequestRefused(code, `Magic input of the test mode: ${problem}`, 'messages')
}
