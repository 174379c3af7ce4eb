export interface EngineAddress {
  /** Scheme, host and port. */
  readonly origin: string
  /** For operators. */
  readonly shown: string
  /** The path of a request; `suffix` begins with a slash and may carry a query. */
  path(suffix: string): string
}

/** @throws TypeError when it is not an address of http or https without credentials */
export function parseEngineAddress(baseUrl: string): EngineAddress {
  const url = new URL(baseUrl)
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:'
  if (!isHttp || url.username !== '' || url.password !== '')
    throw new TypeError('not an http address without credentials')
  const base = url.pathname.replace(/\/+$/, '')
  const query = url.search.slice(1)
  return {
    origin: url.origin,
    shown: `${url.origin}${base}`,
    path: suffix => `${base}${suffix}${query === '' ? '' : `${suffix.includes('?') ? '&' : '?'}${query}`}`,
  }
}
