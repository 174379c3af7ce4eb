/**
 * A JSON Schema that no instance is made of: it has none, it uses what the test mode does not know, or it is too much
 * work. The message continues a sentence that begins with the schema's name and quotes no values.
 */
export class SchemaRefused extends Error {
  override readonly name = 'SchemaRefused'
}
