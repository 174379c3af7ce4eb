import { z } from 'zod'

/** More than any provider gives; a longer list is somebody's joke. */
const entriesMax = 200

/** A text that a provider may leave out or give as null, or as something else, which then counts as left out. */
export function optionalText() {
  return z
    .string()
    .nullish()
    .catch(null)
    .transform(text => text ?? null)
}

/** Entries of a list that have what is needed; the others are left out, so that one broken result costs only itself. */
export function soundEntries<Entry extends z.ZodType>(entry: Entry) {
  return z.array(z.unknown()).transform(entries =>
    entries.slice(0, entriesMax).flatMap((candidate): z.output<Entry>[] => {
      const read = entry.safeParse(candidate)
      return read.success ? [read.data] : []
    }),
  )
}
