/**
 * A name as readers see it that ignore case: two names that fold alike are one name to them. Goes both ways, because some
 * characters beyond ASCII have a plain letter on one of the ways only (`ſ` is `s`, the Kelvin sign is `k`).
 */
export function foldName(name: string): string {
  return name.toUpperCase().toLowerCase()
}
