/** Why the service cannot start, in one plain sentence for the operator. */
export class StartError extends Error {}
