import type { ColumnType, Generated, Kysely } from 'kysely'

/** The database, or the transaction that the caller is in. */
export type Database = Kysely<Tables>

declare const isTransaction: unique symbol

/** A transaction that the caller is in; what is locked in it stays locked until it ends. Only `inTransaction` makes one. */
export type Transaction = Database & { readonly [isTransaction]: true }

export type Role = 'SiteAdmin' | 'BusinessAdmin'

/** Visibility as columns hold it; the wire word for RegisteredUsers carries a vendor word. */
export type StoredVisibility = 'Public' | 'RegisteredUsers' | 'Limited'

export type DomainKind = 'local' | 'ldap' | 'oidc'

/** The id of the one login domain that is local, which a migration adds. */
export const builtInDomain = 'siteusers'

/** The interface that a session signs in to; its tokens are good on no other. */
export type SessionInterface = 'main' | 'oauth'

/** Gives a role, or membership of a group, to whom a domain gives the value of an attribute or claim. */
export interface RoleRule {
  attribute: string
  value: string
  role?: Role
  groupId?: string
}

/** What the workflow says of a state, as the rows of the versions in it hold it. */
export interface StateRules {
  state: string
  listed: boolean
  changeable: boolean
}

type Instant = ColumnType<Date, Date | undefined, Date>

export interface Tables {
  deployment: { only_one: Generated<boolean>; fedmember_id: string; identifier_prefix: string }
  login_domain: {
    id: string
    kind: DomainKind
    domain_name: string | null
    display_mode: string | null
    title: string
    sequence: number
    virtual_hosts: Generated<string[]>
    logo_assigned: Generated<boolean>
    enabled: Generated<boolean>
    provisions: Generated<boolean>
    serves_oauth: Generated<boolean>
    /** Of its kind, without its secret. */
    settings: ColumnType<object, string | undefined, string>
    /** Encrypted. */
    secret: string | null
    role_rules: ColumnType<RoleRule[], string | undefined, string>
    revision: Generated<number>
  }
  login_domain_logo: { domain_id: string; media_type: string; bytes: ColumnType<Buffer, Uint8Array> }
  app_user: {
    id: string
    domain_id: string
    user_name: string
    email: string
    password_hash: string | null
    issuer: string | null
    subject: string | null
    enabled: Generated<boolean>
    created: Instant
    updated: Instant
  }
  role_grant: { user_id: string; role: Role; by_rule: Generated<boolean> }
  session: {
    id: string
    user_id: string
    interface: Generated<SessionInterface>
    started: Instant
    last_seen: Instant
    ended: Date | null
  }
  sign_in_flow: {
    id: string
    domain_id: string
    interface: SessionInterface
    state: string
    nonce: string
    code_verifier: string
    final_url: string | null
    started: Instant
  }
  sign_in_throttle: { subject: string; failures: number; window_started: Instant; blocked_until: Instant }
  idempotency_key: { user_id: string; key: string; fingerprint: string; answer: string | null; created: Instant }
  admin_group: { id: string; created: Instant }
  group_member: { group_id: string; user_id: string; by_rule: Generated<boolean> }
  api: {
    id: string
    name: string
    description: string | null
    summary: Generated<string | null>
    /** What lists are sorted by. */
    sort_name: ColumnType<string, never, never>
    /** What search finds; never read. */
    search: ColumnType<never, string, string>
    visibility: StoredVisibility
    tags: string[]
    /** The picture in api_picture. */
    picture_id: string | null
    admin_group_id: string
    latest_version_id: string
    created: Instant
    updated: Instant
    revision: Generated<number>
  }
  api_version: {
    id: string
    api_id: string
    /** Copies of the API's, which the database keeps true. */
    api_visibility: ColumnType<StoredVisibility, StoredVisibility, never>
    admin_group_id: ColumnType<string, string, never>
    name: string
    visibility: StoredVisibility
    /** The narrower of the two visibilities. */
    audience: ColumnType<StoredVisibility, never, never>
    state: string
    /** Whether the state lets lists and search show the version to its audience. */
    listed: Generated<boolean>
    /** Whether the state lets the version's content change. */
    changeable: Generated<boolean>
    /** The audience in lists and search: nobody but its administrators where it is not listed. */
    listing: ColumnType<StoredVisibility, never, never>
    deprecated: Date | null
    sunset: Date | null
    successor_id: string | null
    /** Who may read the successor; the database keeps it true. */
    successor_audience: StoredVisibility | null
    successor_group_id: string | null
    deprecation_notes: string | null
    deprecation_changed: Date | null
    created: Date
    updated: Date
    revision: Generated<number>
    /** JSON text in; read it with a cast to text, never parsed. */
    doc: ColumnType<never, string, string>
    sort_name: ColumnType<string, never, never>
    search: ColumnType<never, string, string>
    /** How many ratings of one, two, ... five; the database counts them, and writes them into the document. */
    ratings: ColumnType<number[], never, never>
    ratings_changed: ColumnType<number, never, never>
    is_rated: ColumnType<boolean, never, never>
  }
  version_history: {
    version_id: string
    /** The one that the change made. */
    revision: number
    at: Instant
    user_id: string | null
    action: string
    from_state: string | null
    to_state: string
    comment: string | null
  }
  workflow: {
    only_one: Generated<boolean>
    revision: Generated<number>
    /** JSON text in; read it with a cast to text, never parsed. */
    document: ColumnType<never, never, string | null>
    initial: ColumnType<StateRules | null, never, string | null>
  }
  version_reads: { version_id: string; day: Date; user_id: string | null; agent: string | null; reads: string }
  version_rating: { version_id: string; user_id: string; rating: number }
  api_follower: { api_id: string; user_id: string }
  api_picture: { api_id: string; id: string; media_type: string; bytes: ColumnType<Buffer, Uint8Array, never> }
  policy: {
    id: string
    type: string
    name: string
    description: string
    sort_name: ColumnType<string, never, never>
    created: Instant
  }
  dropbox_picture: {
    id: string
    user_id: string
    media_type: string
    bytes: ColumnType<Buffer, Uint8Array, never>
    created: Instant
  }
  dropbox_file: {
    id: ColumnType<string, never, never>
    user_id: string
    file_name: string
    media_type: string
    descriptor_type: string
    service_name: string
    /** JSON text in; read it with a cast to text, never parsed. */
    version: ColumnType<never, string, never>
    bytes: ColumnType<Buffer, Uint8Array, never>
    created: Instant
  }
  imported_original: {
    version_id: string
    file_name: string
    media_type: string
    bytes: ColumnType<Buffer, Uint8Array, never>
  }
}
