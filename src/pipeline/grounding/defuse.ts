import type { Source } from '../../core/grounding.ts'
import { withoutInvisible } from '../../domain/search/clean-text.ts'

/** No prompt has room for more of one source. */
const charactersMax = 262_144
/** Elements that load something by themselves, or make a reader send something. */
const loading =
  /<(?=\/?(?:img|image|picture|source|video|audio|track|iframe|frame|embed|object|svg|script|style|link|meta|base|form|input|body)\b)/gi

/** Any other element does so by these. */
const loadingBy =
  /<(?=[a-z][^<>]{0,1000}?[\s"'/](?:style|background|src|srcset|poster|data|ping|action|formaction)\s*=)/gi

/**
 * Takes from a text of strangers what a reader of Markdown, and of the HTML in it, would load or follow without being
 * asked, and what nobody sees: a model that repeats it then shows words, and no image that carries them away.
 */
export function defuse(source: Source): Source {
  return { ...source, title: defuseText(source.title), content: defuseText(source.content) }
}

function defuseText(text: string): string {
  // First what is not seen, since it could stand within the marks.
  return withoutInvisible(text.slice(0, charactersMax))
    .replace(/!+\[/g, '[')
    .replaceAll('](', '] (')
    .replace(loading, '< ')
    .replace(loadingBy, '< ')
}
