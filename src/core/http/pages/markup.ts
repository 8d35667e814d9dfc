/** Pages as text, for modules that write them: each value in a template is escaped, but for what is `raw`. */
export { html, raw } from 'hono/html';
