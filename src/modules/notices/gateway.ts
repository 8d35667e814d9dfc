import type { WebhookMessage } from '../../core/deps.ts';
import { templateRequest } from '../../core/message-gateway.ts';
import type { NoticeKind } from '../../core/tables/words.ts';
import type { TextParts } from './letters.ts';

/**
 * The name of a kind's template at the gateway. A reminder of an unapproved visit has its own, and so have a
 * cancellation or move not made by the clinic (`janji_canceled_family`), and an offer or a reminder with links to answer
 * it.
 */
const chooseTemplate = (
  kind: NoticeKind,
  { isWaiting, by, links, visitLinks }: Pick<TextParts, 'isWaiting' | 'by' | 'links' | 'visitLinks'>,
): string => {
  if (links !== null) return `janji_${kind}_links`;
  const waits = isWaiting && kind.startsWith('reminder') ? '_waiting' : '';
  if (visitLinks !== null) return `janji_${kind}${waits}_links`;
  if (waits !== '') return `janji_${kind}${waits}`;
  return (kind === 'canceled' || kind === 'moved') && by !== 'clinic'
    ? `janji_${kind}_${by}`
    : `janji_${kind}`;
};

/**
 * The parameters of a template, in order. A delay adds its minutes; an offer adds its end and the links to accept and
 * decline it, a reminder that asks the links to confirm and cancel; a move by the patient adds the previous time.
 */
const listParameters = (kind: NoticeKind, parts: TextParts): string[] => [
  parts.patient,
  parts.doctor,
  parts.date,
  parts.time,
  parts.code,
  // A gateway takes no empty parameter.
  parts.clinic || (parts.language === 'id' ? 'klinik' : 'the clinic'),
  ...(parts.delayMinutes === null ? [] : [String(parts.delayMinutes)]),
  ...(parts.heldUntil === null ? [] : [parts.heldUntil]),
  ...(parts.links === null ? [] : [parts.links.accept, parts.links.decline]),
  ...(parts.visitLinks === null ? [] : [parts.visitLinks.confirm, parts.visitLinks.cancel]),
  ...(kind === 'patient_moved' && parts.previously !== null ? [parts.previously] : []),
];

/** A notice as a gateway for WhatsApp Business takes it: a template with its parameters, to one number. */
export const gatewayMessage = (
  gateway: { url: string; key: string },
  { id, kind, to, parts }: { id: string; kind: NoticeKind; to: string; parts: TextParts },
): WebhookMessage =>
  templateRequest(gateway, {
    id,
    to,
    template: chooseTemplate(kind, parts),
    language: parts.language,
    parameters: listParameters(kind, parts),
  });
