import { useSignal } from '@preact/signals';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { useForm } from '../../shared/form.ts';
import { Check, Field } from '../../shared/ui/Field.tsx';
import { confirmedly } from '../../shared/ui/reauth.tsx';
import type { Schemas } from '../data/bookings.ts';
import { EditPanel } from '../ui/EditPanel.tsx';
import look from '../ui/page.module.css';
import { setup } from '../words/settings.ts';

type Hook = Schemas['Webhook'];
type Type = Hook['event_types'][number];

/** Every type that the service has: the compiler reports a missing one. */
const all = {
  'booking.created': true,
  'booking.approved': true,
  'booking.canceled': true,
  'booking.rescheduled': true,
  'booking.checked_in': true,
  'booking.called': true,
  'booking.skipped': true,
  'booking.completed': true,
  'booking.no_show': true,
  'booking.updated': true,
  'booking.answered': true,
  'booking.confirmed': true,
  'booking.undone': true,
  'booking.offered': true,
  'booking.accepted': true,
  'patient.created': true,
  'patient.updated': true,
  'patient.merged': true,
  'patient.deleted': true,
  'closure.created': true,
  'closure.removed': true,
  'queue.notice_set': true,
} satisfies Record<Type, true>;
const types = Object.keys(all) as Type[];

interface Props {
  hook: Hook | null;
  onClose: () => void;
  onSecret: (secret: string) => void;
}

/** Where events go, and which; none chosen means all. */
export const ReceiverForm = ({ hook, onClose, onSecret }: Props) => {
  const text = setup.value.webhooks;
  const chosen = useSignal<ReadonlySet<Type>>(new Set(hook?.event_types ?? []));
  const form = useForm(
    { url: hook?.url ?? '', description: hook?.description ?? '' },
    { url: text.url, description: text.description },
    async (given, changes) => {
      const event_types = [...chosen.peek()];
      if (hook === null) {
        const json = { ...given, event_types };
        const { data } = await confirmedly(() => take(api.v1.admin.webhooks.$post({ json })));
        onSecret(data.secret);
      } else {
        const json = { ...changes, event_types };
        await confirmedly(() => take(api.v1.admin.webhooks[':id'].$patch({ param: { id: hook.id }, json })));
      }
      await queries.invalidateQueries({ queryKey: ['webhook'] });
      onClose();
    },
  );
  return (
    <EditPanel
      title={hook === null ? text.add : setup.value.change(hook.description || hook.url)}
      attempt={form.attempt}
      labels={{ ...form.labels, event_types: text.types }}
      onClose={onClose}
    >
      <Field {...form.bind('url')} type="url" required />
      <Field {...form.bind('description')} optional />
      <fieldset>
        <legend>{text.types}</legend>
        <p class={look.soft}>{text.typesHint}</p>
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
