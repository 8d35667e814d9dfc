import type { WebhookMessage } from './deps.ts';

/** A message of an approved template, as a gateway for WhatsApp Business takes it. */
export interface TemplateMessage {
  /** The same at every attempt, so that a gateway can drop what it already has. */
  id: string;
  /** The number in E.164, with the plus. */
  to: string;
  template: string;
  language: string;
  parameters: readonly string[];
  /** The parameter of its button, where the template has one. */
  button?: string;
}

const asText = (text: string) => ({ type: 'text', text });

/** The request that hands it to the gateway. */
export const templateRequest = (
  { url, key }: { url: string; key: string },
  { id, to, template, language, parameters, button }: TemplateMessage,
): WebhookMessage => ({
  url,
  headers: {
    Authorization: `Bearer ${key}`,
    'Content-Type': 'application/json',
    'User-Agent': 'Janji-Notices/1',
    'Idempotency-Key': id,
  },
  body: JSON.stringify({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    type: 'template',
    template: {
      name: template,
      language: { code: language },
      components: [
        ...(parameters.length === 0 ? [] : [{ type: 'body', parameters: parameters.map(asText) }]),
        ...(button === undefined
          ? []
          : [{ type: 'button', sub_type: 'url', index: '0', parameters: [asText(button)] }]),
      ],
    },
    biz_opaque_callback_data: id,
  }),
});
