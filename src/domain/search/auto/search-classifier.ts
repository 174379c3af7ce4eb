/** Port: a small model of the catalogue that the operator named for deciding whether a question needs a search. */
export interface SearchClassifier {
  /** Null when it gives no clear answer or none in time; then the signs of the prompt decide. Rejects with the signal only. */
  needsSearch(question: string, signal: AbortSignal): Promise<boolean | null>
}
