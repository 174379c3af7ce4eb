const hosts: ReadonlySet<string> = new Set([
  ...['youtube.com', 'www.youtube.com', 'm.youtube.com', 'music.youtube.com'],
  ...['youtube-nocookie.com', 'www.youtube-nocookie.com'],
])
const videoId = /^[\w-]{6,64}$/
const videoPath = /^\/(?:embed|shorts|live|v)\/([\w-]{6,64})\/?$/

/** Watch, share and embed links, which engines that know YouTube take as they are (venice.md §1.3). */
export function isYouTubeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(address)
  const isPlain = port === '' && username === '' && password === ''
  if (!isPlain || (protocol !== 'https:' && protocol !== 'http:')) return false
  if (hostname === 'youtu.be') return videoId.test(pathname.slice(1))
  if (!hosts.has(hostname)) return false
  return pathname === '/watch' ? videoId.test(searchParams.get('v') ?? '') : videoPath.test(pathname)
}
