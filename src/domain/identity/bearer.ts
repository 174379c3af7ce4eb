/** The scheme in any case, then one token of printable ASCII; longer ones than this are nobody's key. */
const bearer = /^bearer +([!-~]{1,256}) *$/i

/** The credential of an `Authorization` header, or null when there is none that could be ours. */
export function readBearer(authorization: string | undefined): string | null {
  return bearer.exec(authorization ?? '')?.[1] ?? null
}
