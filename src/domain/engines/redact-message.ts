const replacement = '[removed]'

/** What an engine may say and a caller must not read: where it lives, what opens it, how its code broke. */
const privateParts: readonly RegExp[] = [
  /(?:Traceback \(most recent call last\):|\n[ \t]{1,20}at [^\n]{1,300}:\d)[\s\S]*$/g,
  // The same trace after its line breaks have become spaces.
  /\sat (?:[^\n()]{1,200}\([^\s()]{1,300}|\/[^\s()]{1,300}):\d{1,9}:\d{1,9}[\s\S]*$/g,
  /\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'<>)\]}]+/gi,
  /\bBearer\s+[^\s"',]+/gi,
  /\b(?:sk|hf|gsk)[-_][\w*.-]{6,}/gi,
  /\[[0-9a-f:.]{2,45}\](?::\d{1,5})?/gi,
  /\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{0,4}/gi,
  /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g,
  /\b[a-z0-9](?:[a-z0-9-]{0,62}\.){1,8}(?:[a-z][a-z0-9-]{0,62}:\d{2,5}|internal|intranet|local|lan|corp|svc)\b/gi,
  // Where its files are: the folder tells the user's name, or the model's.
  /(?<![\w/.-])\/(?:home|mnt|opt|root|srv|tmp|usr|var|workspace)\/[^\s"'`<>)\]},;]{1,300}/gi,
  /\b(?:localhost(?::\d{1,5})?|[a-z][a-z0-9-]{0,62}:\d{4,5})\b/gi,
]

/** Cuts addresses, credentials and stack traces out of an engine's message. Each pattern reads the text once. */
export function redactMessage(text: string): string {
  return privateParts.reduce((rest, part) => rest.replace(part, replacement), text)
}

/** Replaces the engine's name of the model by the caller's, wherever it stands as a name and not inside a word. */
export function renameModel(text: string, engineModel: string, publicModel: string): string {
  if (engineModel === '') return text
  const name = engineModel.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
  return text.replace(new RegExp(`(?<![a-z0-9])${name}(?![a-z0-9])`, 'gi'), () => publicModel)
}
