import { Type } from 'typebox'

/** What anyone may know of the deployment before signing in. */
export const TenantProperties = Type.Object(
  {
    TenantID: Type.String(),
    TenantName: Type.String(),
    SiteAdminGroupID: Type.String(),
    BusinessAdminGroupID: Type.String(),
    Version: Type.String(),
  },
  { title: 'TenantProperties' },
)
