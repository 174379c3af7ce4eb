import { boundMessage } from './bound-message.ts'

/**
 * What of a message never reaches a search provider: code, data, addresses with their secrets, and what looks like a key,
 * an account or a person's contact. Known by form alone; what a person tells in plain words cannot be known so.
 */
const left: readonly RegExp[] = [
  // Code, closed or not, and data.
  /```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)/g,
  /\bdata:[\w.+/-]{0,100}(?:;[\w=.-]{1,60}){0,4},[^\s"')]*/gi,
  // Keys and tokens by their usual beginnings.
  /-----BEGIN [A-Z ]{3,40}-----[\s\S]*?(?:-----END [A-Z ]{3,40}-----|$)/g,
  /\b(?:sk|pk|rk|vk|xox[abprs]|gh[pousr]|glpat|hf|AKIA|ASIA|AIza|ya29)[-_]?[\w-]{12,}/g,
  /\beyJ[\w-]{8,}(?:\.[\w-]+){0,2}/g,
  /\b(?:bearer|basic)\s+[\w+/=.-]{12,}/gi,
  /\b(?:password|passwd|passwort|contraseña|mot de passe|api[ _-]?key|secret|token|密码|パスワード)\s*(?:is|ist|es|est|[:=：是は])\s*\S+/giu,
  // Contacts and accounts.
  /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g,
  /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,8}(?: ?[A-Z\d]{1,4})?\b/g,
  /(?<![\w.])\+?\d(?:[ ().-]{0,2}\d){8,18}(?![\w])/g,
  /\b\d{3}-\d{2}-\d{4}\b/g,
]

const address = /\b(?:https?|ftp|file|wss?):\/\/([^\s/?#"'<>)\]]+)[^\s"'<>)\]]*/gi
/** Letters and digits mixed over such a length are no word of any language. */
const long = /[A-Za-z\d+/_=-]{24,}/g

/** The message without what a provider must not see, in one line. An address is left with its public host name alone. */
export function leaveOut(message: string): string {
  const withoutPrivate = left.reduce(
    (text, pattern) => text.replace(pattern, ' '),
    boundMessage(message).replace(address, hostOf),
  )
  return withoutPrivate
    .replace(long, run => (/\d/.test(run) && /[A-Za-z]/.test(run) ? ' ' : run))
    .replace(/[`*_#>|]+/g, ' ')
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
}

/** Credentials, ports and addresses within a network stay here. */
function hostOf(_whole: string, authority: string): string {
  const host = authority.replace(/^.*@/, '').replace(/:\d+$/, '').toLowerCase()
  const isPublicName = /^(?!.*\.(?:local|internal|lan|corp|home|localhost)$)[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}$/.test(
    host,
  )
  return isPublicName ? ` ${host} ` : ' '
}
