// Starts the reference. The token of a login stays in this page's memory, and nowhere else.
const notice = document.createElement('div');
notice.className = 'janji-login';
notice.setAttribute('role', 'status');
notice.hidden = true;
document.body.append(notice);

const showLogin = (text) => {
  notice.textContent = text;
  notice.hidden = false;
};

let ui;

/** Every answer that carries a new access token logs this page in with it; logging out forgets it. */
const useToken = (response) => {
  const path = new URL(response.url, location.href).pathname;
  const login = response.ok ? response.body?.data : undefined;
  if (path === '/v1/auth/logout' && response.ok) {
    ui.authActions.logout(['bearerAuth']);
    showLogin('Logged out.');
  }
  if (path.startsWith('/v1/auth/') && typeof login?.access_token === 'string') {
    const schema = ui.specSelectors.specJson().getIn(['components', 'securitySchemes', 'bearerAuth']);
    ui.authActions.authorize({ bearerAuth: { name: 'bearerAuth', schema, value: login.access_token } });
    showLogin(
      login.user ? `Logged in as ${login.user.email}. Every call now carries the token.` : 'Token renewed.',
    );
  }
  return response;
};

const read = async (path) => (await fetch(path)).json();
const [calls, events] = await Promise.all([read('/openapi.json'), read('/openapi-webhooks.json')]);
const parts = (name) => ({ ...calls.components[name], ...events.components[name] });
ui = SwaggerUIBundle({
  spec: {
    ...calls,
    tags: [...calls.tags, ...events.tags],
    webhooks: events.webhooks,
    components: { ...calls.components, schemas: parts('schemas'), parameters: parts('parameters') },
  },
  dom_id: '#reference',
  deepLinking: true,
  // Groups are opened by the reader: 150 lines at once are drawn in part only, and then the browser's search misses some.
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  displayOperationId: false,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: false,
  queryConfigEnabled: false,
  validatorUrl: null,
  responseInterceptor: useToken,
});
