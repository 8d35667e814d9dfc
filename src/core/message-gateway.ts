import type { Deps, WebhookMessage, WebhookOutcome } from './deps.ts';

/** A message of an approved template, as a gateway for WhatsApp Business takes it. */
interface TemplateMessage {
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

/** A status that another attempt would meet again. */
export const isFinalStatus = (status: number): boolean =>
  status >= 400 && status < 500 && ![401, 403, 408, 425, 429].includes(status);

const timeoutMs = 20_000;

/** Makes one attempt to hand a message to the clinic's gateway. */
export const sendTemplate = (
  { config, sendMessage }: Pick<Deps, 'config' | 'sendMessage'>,
  message: TemplateMessage,
): Promise<WebhookOutcome> => {
  const { NOTICE_API_URL: url = '', NOTICE_API_KEY: key = '' } = config;
  return sendMessage(templateRequest({ url, key }, message), AbortSignal.timeout(timeoutMs));
};
