/** What holds for all operations. */
export const about = [
  'Manages the APIs that people publish: who may sign in, APIs, their versions and descriptions of them.',
  'JSON and XML are the same objects, and Accept chooses. In XML members are elements in the order of the schema, lists are repeated elements, and null is xsi:nil="true". Text holds only characters that XML can carry.',
  'Bodies are UTF-8. Booleans and integers may come as strings; unknown members are refused; read-only members are ignored. Query parameters match without regard to case; those that an operation does not have are ignored.',
  'Every error is a Fault in the representation that was asked for. A path without an operation answers 404, a method that a path does not have 405 with Allow, a request that is not well-formed HTTP 400, one that does not arrive in time 408, and one with too large headers 431. HEAD is answered wherever GET is, but not where that ends a session.',
].join('\n\n')
