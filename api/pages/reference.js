/* global SwaggerUIBundle */
globalThis.SwaggerUIBundle({
  url: '/openapi.full.json',
  domNode: document.getElementById('reference'),
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
})
