import type { Model } from '../../core/model.ts'
import type { PageReader } from '../../core/page-reader.ts'
import type { SearchClassifier } from '../../domain/search/auto/search-classifier.ts'
import type { Search } from '../../domain/search/search.ts'

/** What looking things up needs from outside. */
export interface GroundingTools {
  readonly search: Pick<Search, 'search' | 'isConfigured'>
  readonly pages: PageReader
  /** Who decides for a question that was asked of this model, beside its signs; null for nobody. */
  readonly classifierFor: (asked: Model) => SearchClassifier | null
}
