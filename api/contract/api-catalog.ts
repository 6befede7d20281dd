/** /.well-known/api-catalog (RFC 9727): where the API of this origin is described, as a link set. */
export const apiCatalog = (base_url: string): string => {
  const json = 'application/json'
  return JSON.stringify({
    linkset: [
      {
        anchor: `${base_url}/v1`,
        'service-desc': [
          { href: `${base_url}/openapi.json`, type: json },
          { href: `${base_url}/openapi.full.json`, type: json },
        ],
        'service-doc': [
          { href: `${base_url}/reference`, type: 'text/html' },
          { href: `${base_url}/llms.txt`, type: 'text/plain' },
        ],
      },
      { anchor: `${base_url}/mcp`, 'service-doc': [{ href: `${base_url}/llms.txt`, type: 'text/plain' }] },
    ],
  })
}
