/** What a format's sample has to fit. */
export interface FormatWish {
  readonly variant: number
  /** Characters. */
  readonly min: number
  readonly max: number
}

const two = (value: number) => String(value).padStart(2, '0')

/** Every month has 28 days; dates differ for 336 variants, times for 3,600. */
const date = (variant: number) => `2026-${two((Math.floor(variant / 28) % 12) + 1)}-${two((variant % 28) + 1)}`
const time = (variant: number) => `12:${two(Math.floor(variant / 60) % 60)}:${two(variant % 60)}Z`

/** Samples by format, the usual ones first; a lengthened one is made from the first. */
const samples: Readonly<Record<string, (variant: number) => readonly string[]>> = {
  'date-time': variant => [`${date(variant)}T${time(variant)}`],
  date: variant => [date(variant)],
  time: variant => [time(variant), time(variant).slice(0, -1)],
  duration: variant => [`P${variant + 1}D`],
  email: variant => [`sandbox${variant === 0 ? '' : variant}@example.com`, `${letter(variant)}@b.co`],
  'idn-email': variant => [`sandbox${variant === 0 ? '' : variant}@example.com`, `${letter(variant)}@b.co`],
  hostname: variant => [`sandbox${variant === 0 ? '' : variant}.example.com`, `${letter(variant)}.b`],
  'idn-hostname': variant => [`sandbox${variant === 0 ? '' : variant}.example.com`, `${letter(variant)}.b`],
  ipv4: variant => [`192.0.2.${variant % 256}`],
  ipv6: variant => [`2001:db8::${variant.toString(16)}`],
  uri: variant => [`https://example.com/sandbox/${variant}`, `http://b.co/${letter(variant)}`],
  'uri-reference': variant => [`https://example.com/sandbox/${variant}`, `/${letter(variant)}`],
  iri: variant => [`https://example.com/sandbox/${variant}`, `http://b.co/${letter(variant)}`],
  'iri-reference': variant => [`https://example.com/sandbox/${variant}`, `/${letter(variant)}`],
  'uri-template': variant => [`https://example.com/{sandbox}/${variant}`],
  uuid: variant => [`00000000-0000-4000-8000-${variant.toString(16).padStart(12, '0')}`],
  'json-pointer': variant => [`/sandbox/${variant}`],
  'relative-json-pointer': variant => [`${variant}/sandbox`],
  regex: variant => [`^sandbox${variant}$`],
}

/** Formats whose samples stay valid with more letters, and on which side. */
const growing: Readonly<Record<string, (sample: string, missing: number) => string>> = {
  email: (sample, missing) => 'a'.repeat(missing) + sample,
  'idn-email': (sample, missing) => 'a'.repeat(missing) + sample,
  hostname: (sample, missing) => 'a'.repeat(missing) + sample,
  'idn-hostname': (sample, missing) => 'a'.repeat(missing) + sample,
  uri: (sample, missing) => sample + 'a'.repeat(missing),
  'uri-reference': (sample, missing) => sample + 'a'.repeat(missing),
  iri: (sample, missing) => sample + 'a'.repeat(missing),
  'iri-reference': (sample, missing) => sample + 'a'.repeat(missing),
  'json-pointer': (sample, missing) => sample + 'a'.repeat(missing),
}

/** Strings of a format within the lengths; null for a format that nobody knows, which says nothing about validity. */
export function formatSamples(format: string | undefined, { variant, min, max }: FormatWish): Iterable<string> | null {
  const make = format === undefined || !Object.hasOwn(samples, format) ? undefined : samples[format]
  if (make === undefined || format === undefined) return null
  const grow = growing[format] ?? (sample => sample)
  return make(variant)
    .map(sample => (sample.length < min ? grow(sample, min - sample.length) : sample))
    .filter(sample => sample.length >= min && sample.length <= max)
}

function letter(variant: number): string {
  return variant.toString(36)
}
