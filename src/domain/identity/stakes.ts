/** Port: what a wallet must have staked before it gets a key (venice.md §6.4). */
export interface Stakes {
  /**
   * True where the operator asks for no stake.
   * @param address `0x` and 40 hexadecimal digits
   * @throws StakesUnknown when nobody could be asked; the caller is then refused, never let in
   */
  areEnough(address: string): Promise<boolean>
}

export class StakesUnknown extends Error {
  override readonly name = 'StakesUnknown'
}
