/** A box of MP4 or QuickTime: what is in it, without its head (ISO 14496-12 §4.2). */
export interface Box {
  readonly name: string
  readonly content: Buffer
}

const boxesMax = 10_000

/** The boxes that stand one behind another in these bytes; what is cut off at the end is a box too. @throws RangeError */
export function walkBoxes(bytes: Buffer): readonly Box[] {
  const boxes: Box[] = []
  let at = 0
  while (at + 8 <= bytes.length) {
    const short = bytes.readUInt32BE(at)
    const headBytes = short === 1 ? 16 : 8
    const size = short === 0 ? bytes.length - at : short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short
    if (size < headBytes || boxes.length === boxesMax) throw new RangeError('no list of boxes')
    boxes.push({ name: bytes.toString('latin1', at + 4, at + 8), content: bytes.subarray(at + headBytes, at + size) })
    at += size
  }
  return boxes
}

export function allNamed(boxes: readonly Box[], name: string): readonly Buffer[] {
  return boxes.flatMap(box => (box.name === name ? [box.content] : []))
}

/** Of a box that stands once among its neighbours. @throws RangeError where it does not */
export function onlyNamed(boxes: readonly Box[], name: string): Buffer {
  const [content, ...others] = allNamed(boxes, name)
  if (content === undefined || others.length > 0) throw new RangeError(`not one ${name}`)
  return content
}
