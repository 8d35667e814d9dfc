import type { WebhookMessage } from '../deps.ts';
import type { NoticeKind } from '../tables/words.ts';
import type { TextParts } from './letters.ts';

/** The name of a kind's template at the gateway. */
export const templateOf = (kind: NoticeKind): string => `janji_${kind}`;

/** What a template is filled with, in this order; a delay has its minutes as well, an offer until when it is held. */
export const parametersOf = (parts: TextParts): string[] => [
  parts.patient,
  parts.doctor,
  parts.date,
  parts.time,
  parts.code,
  // A gateway takes no empty parameter.
  parts.clinic || (parts.language === 'id' ? 'klinik' : 'the clinic'),
  ...(parts.delayMinutes === null ? [] : [String(parts.delayMinutes)]),
  ...(parts.heldUntil === null ? [] : [parts.heldUntil]),
];

/** A notice as a gateway for WhatsApp Business takes it: a template with its parameters, to one number. */
export const gatewayMessage = (
  { url, key }: { url: string; key: string },
  { id, kind, to, parts }: { id: string; kind: NoticeKind; to: string; parts: TextParts },
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
      name: templateOf(kind),
      language: { code: parts.language },
      components: [{ type: 'body', parameters: parametersOf(parts).map((text) => ({ type: 'text', text })) }],
    },
    biz_opaque_callback_data: id,
  }),
});
