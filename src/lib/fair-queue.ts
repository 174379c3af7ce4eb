export interface FairQueueOptions {
  /** Items of one lane. */
  readonly laneItemsMax: number
  /** Items of all lanes. */
  readonly itemsMax: number
}

/**
 * Lanes that take turns: whoever puts a hundred items in waits for each of them behind one item of every other lane. Within
 * a lane the first one in is the first one out.
 */
export interface FairQueue<Item> {
  /** False when the lane or the queue is full. */
  push(lane: string, item: Item): boolean
  take(): Item | undefined
  /** Removes an item that does not wait any longer. */
  remove(lane: string, item: Item): void
  readonly size: number
}

export function createFairQueue<Item>({ laneItemsMax, itemsMax }: FairQueueOptions): FairQueue<Item> {
  /** In the order of their turns: a Map keeps the order in which keys were set. */
  const lanes = new Map<string, Item[]>()
  let size = 0

  return {
    push(lane, item) {
      const items = lanes.get(lane) ?? []
      if (size >= itemsMax || items.length >= laneItemsMax) return false
      items.push(item)
      lanes.set(lane, items)
      size += 1
      return true
    },
    take() {
      for (const [lane, items] of lanes) {
        const item = items.shift()
        lanes.delete(lane)
        if (items.length > 0) lanes.set(lane, items)
        size -= 1
        return item
      }
      return undefined
    },
    remove(lane, item) {
      const items = lanes.get(lane)
      const at = items?.indexOf(item) ?? -1
      if (items === undefined || at === -1) return
      items.splice(at, 1)
      if (items.length === 0) lanes.delete(lane)
      size -= 1
    },
    get size() {
      return size
    },
  }
}
