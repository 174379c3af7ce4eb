import { userWords } from './child-user.ts'

/** A way into a child's place: without the gateway's network, as another user, both, or neither. */
export interface Passage {
  readonly network: boolean
  readonly user: boolean
  /** The programs in front of the child's, anew for each child. */
  words(): readonly string[]
}

const bare = ['unshare', '--net']
const mapped = ['unshare', '--map-root-user', '--net']
const become = () => ['setpriv', ...userWords()]

/**
 * The best first. Order counts: only root may make a bare namespace, so it becomes another user after that; a namespace
 * with users of its own knows none but who made it, so that one is made as the other user.
 */
export function passages(mayChangeUser: boolean): readonly Passage[] {
  const asOther: readonly Passage[] = [
    { network: true, user: true, words: () => [...bare, ...become()] },
    { network: true, user: true, words: () => [...become(), ...mapped] },
  ]
  return [
    ...(mayChangeUser ? asOther : []),
    { network: true, user: false, words: () => bare },
    { network: true, user: false, words: () => mapped },
    ...(mayChangeUser ? [{ network: false, user: true, words: become }] : []),
  ]
}

export const noPassage: Passage = { network: false, user: false, words: () => [] }
