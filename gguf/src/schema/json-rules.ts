/** GBNF rules for JSON values of unknown shape and for the small parts that every grammar uses. */
export const jsonRules: ReadonlyMap<string, string> = new Map([
  ['json-value', 'json-object | json-array | json-string | json-number | json-boolean | json-null'],
  ['json-object', '"{" space (json-pair (comma json-pair)*)? space "}"'],
  ['json-pair', 'json-string colon json-value'],
  ['json-array', '"[" space (json-value (comma json-value)*)? space "]"'],
  ['json-string', '"\\"" char* "\\""'],
  // No bare surrogates: they would make text that cannot be sent as UTF-8.
  ['char', '[^"\\\\\\x00-\\x1F\\x7F] | "\\\\" (["\\\\/bfnrt] | "u" unit)'],
  ['unit', '[0-9a-cA-CefEF] hex{3} | [dD] [0-7] hex{2}'],
  ['hex', '[0-9a-fA-F]'],
  // Small enough for every reader: at most 15 digits in all and an exponent of at most two.
  ['json-number', '"-"? ("0" | [1-9] [0-9]{0,8}) ("." [0-9]{1,6})? ([eE] [-+]? [0-9]{1,2})?'],
  ['json-boolean', '"true" | "false"'],
  ['json-null', '"null"'],
  ['colon', '":" space'],
  ['comma', '"," space'],
  ['space', '" "?'],
  ['date', 'year "-" ("02-" day-28 | month-30 "-" day-30 | month-31 "-" day-31)'],
  ['year', '[0-9]{4}'],
  ['day-28', '"0" [1-9] | "1" [0-9] | "2" [0-8]'],
  ['day-30', '"0" [1-9] | [1-2] [0-9] | "30"'],
  ['day-31', '"0" [1-9] | [1-2] [0-9] | "3" [0-1]'],
  ['month-30', '"04" | "06" | "09" | "11"'],
  ['month-31', '"01" | "03" | "05" | "07" | "08" | "10" | "12"'],
  ['time', '("0" [0-9] | "1" [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9] ("." [0-9]{3})? "Z"'],
  ['uuid', 'hex{8} "-" hex{4} "-4" hex{3} "-" [89ab] hex{3} "-" hex{12}'],
])

/** Only the rules that the root needs: llama.cpp reads all it is given. */
export function describeRules(rules: ReadonlyMap<string, string>): string {
  const needed = new Set(['root'])
  for (const name of needed) {
    for (const word of ruleNames(rules.get(name) ?? '')) if (rules.has(word)) needed.add(word)
  }
  return [...needed].map(name => `${name} ::= ${rules.get(name)}`).join('\n')
}

/** Words outside literals and character sets. */
function ruleNames(body: string): readonly string[] {
  return body.replace(/"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]/g, ' ').match(/[a-z][a-z0-9-]*/g) ?? []
}
