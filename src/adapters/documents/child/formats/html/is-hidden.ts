/** Text within is there for programs alone, whatever style sheets say; those are not read. */
const hiding = [
  /(?:^|;)display:none/,
  /(?:^|;)visibility:(?:hidden|collapse)/,
  /(?:^|;)font-size:(?:0|1px)(?![.\d]*[1-9])/,
  /(?:^|;)(?:left|right|top|text-indent|margin-left):-(?:\d{4}|\d{3}r?em)/,
  /(?:^|;)clip:rect\(/,
  /(?:^|;)clip-path:inset\((?:50|100)%/,
  /(?:^|;)color:transparent/,
]
const styleCharactersMax = 2_000
/** They are hidden until a script shows the page. */
const roots = new Set(['html', 'body'])

/**
 * Whether an element says of itself that people do not see it. One that is only transparent counts as seen, since many
 * pages fade in what they show.
 */
export function isHidden(name: string, attributes: Readonly<Record<string, string>>): boolean {
  if (roots.has(name)) return false
  if (attributes['hidden'] !== undefined || attributes['aria-hidden']?.toLowerCase() === 'true') return true
  const style = attributes['style']
  return style !== undefined && isHiddenBy(style)
}

function isHiddenBy(style: string): boolean {
  const plain = style.slice(0, styleCharactersMax).toLowerCase().replaceAll(/\s+/g, '')
  return hiding.some(pattern => pattern.test(plain)) || isOfOneColour(plain)
}

function isOfOneColour(style: string): boolean {
  const colour = partOf(style, /(?:^|;)color:([^;!]+)/)
  return colour !== null && colour === partOf(style, /(?:^|;)background(?:-color)?:([^;!]+)/)
}

function partOf(style: string, pattern: RegExp): string | null {
  return pattern.exec(style)?.[1] ?? null
}
