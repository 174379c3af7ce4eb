/** Services whose pages are for people with an account there (venice.md §3). */
const unreadDomains = ['x.com', 'twitter.com', 't.co', 'reddit.com', 'redd.it']

/** Whether a page is not read whatever it answers. True also for what is no address of a page. */
export function isUnreadHost(address: string): boolean {
  if (!URL.canParse(address)) return true
  const { protocol, hostname } = new URL(address)
  const host = hostname.toLowerCase().replace(/\.+$/, '')
  return !/^https?:$/.test(protocol) || unreadDomains.some(domain => host === domain || host.endsWith(`.${domain}`))
}
