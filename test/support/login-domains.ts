let made = 0

/** Bodies that add login domains, each of another name. */
export const directoryBody = (more: object = {}) => ({
  DomainName: `added directory ${++made}`,
  Title: 'The directory',
  IdSystemType: 'Directory Server',
  Directory: {
    Url: 'ldaps://ldap.example.com',
    BaseDn: 'ou=people,dc=example,dc=com',
    BindDn: 'cn=service,dc=example,dc=com',
    BindPassword: 'a secret to look for',
  },
  ...more,
})
export const openIdBody = (more: object = {}) => ({
  DomainName: `provider ${++made}`,
  Title: 'The provider',
  IdSystemType: 'com.platform.securitydomain.openid.relyingparty',
  OpenID: { Issuer: 'https://id.example.com/realm', ClientId: 'us', ClientSecret: 'a secret to look for' },
  ...more,
})

/** A certificate that nobody signed but itself. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBfzCCASWgAwIBAgIUZmfMCPtijQiP0G97VQUfM4N1tb0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE3MjEwM1oYDzIxMjYxMDI4
MTcyMTAzWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASkxJBF4ywj6upgHCwa5C3p9ivBTqSv2s5CbpXQ87BtOw0guavyXBfe
ypOWgRgC1FO4IrP6mgli42lLnjh1t/3Yo1MwUTAdBgNVHQ4EFgQUO4+ZwSYborfU
ZMPoQ/wr+rXpyjwwHwYDVR0jBBgwFoAUO4+ZwSYborfUZMPoQ/wr+rXpyjwwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNIADBFAiEA+YtypivY1APtbOojmVrm
kw3R52qzk0pZFUhF3QbJQbQCIFuhM0ofN4b2BArAxTKC9KjIie2TfIH3xpKSd9SP
HOpW
-----END CERTIFICATE-----
`
