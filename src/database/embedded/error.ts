/** A start that cannot succeed as things are. Its message is one plain sentence for the operator. */
export class EmbeddedPostgresError extends Error {}
