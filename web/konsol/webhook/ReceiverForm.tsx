import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { Check, Field } from '../../shared/ui/Field.tsx';
import type { Schemas } from '../data/bookings.ts';
import { confirmedly } from '../shell/reauth.tsx';
import { EditPanel, fieldsOf } from '../ui/EditPanel.tsx';
import { setup } from '../words/atur.ts';

type Hook = Schemas['Webhook'];
type Type = Hook['event_types'][number];

const types: readonly Type[] = [
  'booking.created',
  'booking.approved',
  'booking.canceled',
  'booking.rescheduled',
  'booking.checked_in',
  'booking.called',
  'booking.skipped',
  'booking.completed',
  'booking.no_show',
  'booking.updated',
  'booking.undone',
  'patient.created',
  'patient.updated',
  'patient.merged',
  'closure.created',
  'closure.removed',
  'queue.notice_set',
];

interface Props {
  hook: Hook | null;
  onClose: () => void;
  onSecret: (secret: string) => void;
}

/** Where events go, and which; none chosen means all. */
export const ReceiverForm = ({ hook, onClose, onSecret }: Props) => {
  const text = setup.value.webhooks;
  const url = useSignal(hook?.url ?? '');
  const description = useSignal(hook?.description ?? '');
  const chosen = useSignal<ReadonlySet<Type>>(new Set(hook?.event_types ?? []));
  const attempt = useAttempt(async () => {
    const json = { url: url.peek(), description: description.peek(), event_types: [...chosen.peek()] };
    if (hook === null) {
      const { data } = await confirmedly(() => take(api.v1.admin.webhooks.$post({ json })));
      onSecret(data.secret);
    } else
      await confirmedly(() => take(api.v1.admin.webhooks[':id'].$patch({ param: { id: hook.id }, json })));
    await queries.invalidateQueries({ queryKey: ['webhook'] });
    onClose();
  });
  const labels = { url: text.url, description: text.description, event_types: text.types };
  return (
    <EditPanel
      title={hook === null ? text.add : setup.value.change(hook.description || hook.url)}
      attempt={attempt}
      labels={labels}
      onClose={onClose}
    >
      <Field
        label={text.url}
        type="url"
        required
        value={url.value}
        errors={fieldsOf(attempt).url}
        onInput={(event) => (url.value = event.currentTarget.value)}
      />
      <Field
        label={text.description}
        optional
        value={description.value}
        errors={fieldsOf(attempt).description}
        onInput={(event) => (description.value = event.currentTarget.value)}
      />
      <fieldset>
        <legend>
          {text.types} ({chosen.value.size === 0 ? text.allTypes : chosen.value.size})
        </legend>
        {types.map((type) => (
          <Check
            key={type}
            label={type}
            checked={chosen.value.has(type)}
            onChange={(event) => {
              const next = new Set(chosen.peek());
              if (event.currentTarget.checked) next.add(type);
              else next.delete(type);
              chosen.value = next;
            }}
          />
        ))}
      </fieldset>
    </EditPanel>
  );
};
