/** A file of the operator that is to be indexed. */
export interface FoundFile {
  /** Where it lies. */
  readonly path: string
  /** What it is called from the outside: its path from the named folder on, with slashes. */
  readonly name: string
}

/** Port: the operator's own files. */
export interface DocumentFiles {
  /**
   * The file, or all documents of the folder and the folders in it, by name. Hidden files and links are passed over.
   * @throws Error with a text for the operator, also where it holds too much
   */
  list(path: string): Promise<readonly FoundFile[]>
  /** @throws Error with a text for the operator, also when it is longer */
  read(path: string, bytesMax: number): Promise<Buffer>
}
