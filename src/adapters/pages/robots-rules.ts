/** Whether a page of a site may be visited: its path with its query, as an address has them. */
export type RobotsRules = (path: string) => boolean

interface Rule {
  readonly allows: boolean
  readonly pattern: string
}

interface Group {
  readonly agents: string[]
  readonly rules: Rule[]
}

/** More than sites have; what stands behind them is not read. */
const rulesMax = 5_000
const patternCharactersMax = 2_048
/** Characters of patterns with a star times characters of the path: far more than a site needs, and milliseconds of time. */
const comparisonsMax = 20_000_000

/** What a robots.txt says to the program `agent`, a product token in small letters (RFC 9309). Never fails. */
export function parseRobots(text: string, agent: string): RobotsRules {
  const groups = groupsOf(text)
  const own = groups.filter(({ agents }) => agents.includes(agent))
  const applying = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'))
  const rules = applying.flatMap(group => group.rules)
  return path => isAllowed(rules, normalise(path))
}

/**
 * The longest pattern that fits decides, and `allow` where two are equally long. What no pattern fits is allowed; where
 * there is too much to compare, nothing is.
 */
function isAllowed(rules: readonly Rule[], path: string): boolean {
  let decisive: Rule = { allows: true, pattern: '' }
  let comparisons = 0
  for (const rule of rules) {
    const { length } = rule.pattern
    const isLonger = length > decisive.pattern.length || (length === decisive.pattern.length && rule.allows)
    if (!isLonger) continue
    if (rule.pattern.includes('*')) comparisons += length * path.length
    if (comparisons > comparisonsMax) return false
    if (fits(rule.pattern, path)) decisive = rule
  }
  return decisive.allows
}

/** Agents that stand together share the rules behind them; an agent behind a rule begins another group. */
function groupsOf(text: string): readonly Group[] {
  const groups: Group[] = []
  let group: Group | null = null
  let count = 0
  for (const { name, value } of linesOf(text)) {
    if (count >= rulesMax) break
    if (name === 'user-agent') {
      if (group === null || group.rules.length > 0) {
        group = { agents: [], rules: [] }
        groups.push(group)
      }
      group.agents.push(agentIn(value))
    } else if (group !== null && value !== '') {
      group.rules.push({ allows: name === 'allow', pattern: patternIn(value) })
      count += 1
    }
  }
  return groups
}

const line = /^[ \t]*(user-agent|allow|disallow)[ \t]*:[ \t]*([^#\r\n]*)/gim

/** Found in one go, since a text of nothing but line ends would make a million lines. */
function* linesOf(text: string): Generator<{ readonly name: string; readonly value: string }> {
  for (const [, name = '', value = ''] of text.replace(/^\ufeff/, '').matchAll(line))
    yield { name: name.toLowerCase(), value: value.trim() }
}

/** The product token, without the version that some write behind it. */
function agentIn(value: string): string {
  return value.startsWith('*') ? '*' : (/^[a-z_-]+/i.exec(value)?.[0].toLowerCase() ?? '')
}

function patternIn(value: string): string {
  const pattern = /^[/*]/.test(value) ? value : `/${value}`
  return normalise(pattern).slice(0, patternCharactersMax)
}

/** `*` stands for anything, and `$` at the end for the end. The first place that fits is enough, so it takes linear time. */
function fits(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  const last = isWhole ? parts.pop() : undefined
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  if (!isWhole) return true
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last)
}

/** One spelling for paths and patterns: unreserved characters as they are, all else in capital hexadecimal. */
function normalise(text: string): string {
  return text
    .replace(/%[0-9a-f]{2}/gi, code => {
      const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
      return /[A-Za-z0-9._~-]/.test(character) ? character : code.toUpperCase()
    })
    .replace(/\P{ASCII}+/gu, encodeURIComponent)
}
