/**
 * Whether a number that was written as decimal text is exactly what a double prints again. Digits that would be lost in
 * silence are a wrong price or limit, so such a number is refused where it stands. Other spellings (0x10) are whole
 * numbers and exact while they are safe integers.
 */
export function isExactNumber(value: number, source: string): boolean {
  if (!Number.isFinite(value)) return true
  const written = canonicalDecimal(source)
  if (written === null) return Number.isSafeInteger(value)
  return written === canonicalDecimal(String(value))
}

/** Digits without outer zeros, and the power of ten of the last one; null when the text is no decimal number. */
function canonicalDecimal(text: string): string | null {
  const match = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d{1,6}))?$/.exec(text)
  if (match === null) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  if (kept === '') return '0'
  const power = Number(exponent) - fraction.length + (digits.length - kept.length)
  return `${sign === '-' ? '-' : ''}${kept}e${power}`
}
